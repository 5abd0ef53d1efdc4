// Runnables that wrap runnables, started in different ways.
import java.util.concurrent.*;

public class Proxies {
    static int runs;
    static class Counting implements Runnable {
        final Runnable inner;
        int count;
        Counting(Runnable inner) { this.inner = inner; }
        public void run() { synchronized (Proxies.class) { count++; runs++; } inner.run(); }
    }
    static class Worker extends Thread {
        final Runnable task;
        Worker(Runnable task) { super("worker"); this.task = task; }
        @Override public void run() { task.run(); super.run(); }
    }
    public static void main(String[] args) throws Exception {
        Counting counting = new Counting(() -> { });
        Worker worker = new Worker(counting);
        Thread plain = new Thread(new Counting(counting));
        Executor direct = Runnable::run;
        worker.start();
        plain.start();
        direct.execute(counting);
        new Worker(counting).run();
        worker.join();
        plain.join();
        System.out.println(runs);
    }
}
