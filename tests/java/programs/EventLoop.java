// A thread that takes events from a queue until one tells it to stop.
import java.util.concurrent.*;

public class EventLoop {
    interface Event { boolean handle(EventLoop loop); }
    final BlockingQueue<Event> queue = new LinkedBlockingQueue<>();
    int handled;
    void post(Event event) { queue.add(event); }
    void run() {
        try {
            while (queue.take().handle(this)) handled++;
        } catch (InterruptedException e) {
            handled = -1;
        }
    }
    public static void main(String[] args) throws Exception {
        EventLoop loop = new EventLoop();
        Thread thread = new Thread(loop::run, "loop");
        thread.start();
        loop.post(l -> { l.post(m -> true); return true; });
        loop.post(new Event() { public boolean handle(EventLoop l) { l.post(m -> false); return true; } });
        thread.join();
        System.out.println(loop.handled);
    }
}
