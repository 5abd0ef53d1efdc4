// Actors with mailboxes on a single-threaded executor each.
import java.util.*;
import java.util.concurrent.*;

public class Actors {
    static abstract class Actor {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        int received;
        final void tell(Object message) { thread.execute(() -> { received++; receive(message); }); }
        abstract void receive(Object message);
        void stop() { thread.shutdown(); }
    }
    static class Echo extends Actor {
        final Actor other;
        Echo(Actor other) { this.other = other; }
        @Override void receive(Object message) { other.tell("echo " + message); }
    }
    static class Collector extends Actor {
        final List<Object> all = new ArrayList<>();
        final CountDownLatch done = new CountDownLatch(2);
        @Override void receive(Object message) { all.add(message); done.countDown(); }
    }
    public static void main(String[] args) throws Exception {
        Collector collector = new Collector();
        Echo echo = new Echo(collector);
        echo.tell("a");
        echo.tell(1);
        collector.done.await();
        echo.stop();
        collector.stop();
        System.out.println(collector.all.size());
    }
}
