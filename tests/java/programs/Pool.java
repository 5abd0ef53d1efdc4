// Tasks of a fixed pool that add to an atomic and to a locked counter.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Pool {
    static final AtomicInteger atomic = new AtomicInteger();
    static int locked;
    static final Object lock = new Object();
    static class Task implements Callable<Integer> {
        final int number;
        Task(int number) { this.number = number; }
        public Integer call() {
            atomic.addAndGet(number);
            synchronized (lock) { locked += number; }
            return number * number;
        }
    }
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 4; i++) results.add(pool.submit(new Task(i)));
        int sum = 0;
        for (Future<Integer> result : results) sum += result.get();
        pool.shutdown();
        pool.awaitTermination(5, TimeUnit.SECONDS);
        System.out.println(sum + " " + atomic.get() + " " + locked);
    }
}
