// Stages connected by queues, with a poison pill.
import java.util.concurrent.*;

public class Pipeline {
    static final Object END = new Object();
    static class Stage extends Thread {
        final BlockingQueue<Object> in, out;
        final java.util.function.Function<Object, Object> work;
        int done;
        Stage(BlockingQueue<Object> in, BlockingQueue<Object> out, java.util.function.Function<Object, Object> work) {
            this.in = in;
            this.out = out;
            this.work = work;
        }
        @Override public void run() {
            try {
                Object item;
                while ((item = in.take()) != END) { out.put(work.apply(item)); done++; }
                out.put(END);
            } catch (InterruptedException e) {
                done = -1;
            }
        }
    }
    public static void main(String[] args) throws Exception {
        BlockingQueue<Object> a = new ArrayBlockingQueue<>(2), b = new LinkedBlockingQueue<>(), c = new LinkedBlockingDeque<>();
        Stage first = new Stage(a, b, x -> (Integer) x + 1), second = new Stage(b, c, Object::toString);
        first.start();
        second.start();
        for (int i = 0; i < 3; i++) a.put(i);
        a.put(END);
        StringBuilder text = new StringBuilder();
        for (Object item = c.take(); item != END; item = c.take()) text.append(item);
        first.join();
        second.join();
        System.out.println(text + " " + first.done);
    }
}
