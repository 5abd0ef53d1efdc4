// A latch, a barrier and a semaphore.
import java.util.concurrent.*;

public class Latches {
    static int data, turns;
    public static void main(String[] args) throws Exception {
        CountDownLatch ready = new CountDownLatch(1);
        Semaphore semaphore = new Semaphore(1);
        CyclicBarrier barrier = new CyclicBarrier(2, () -> turns++);
        Thread thread = new Thread(() -> {
            data = 5;
            ready.countDown();
            try {
                barrier.await();
                semaphore.acquire();
                data++;
                semaphore.release();
            } catch (InterruptedException | BrokenBarrierException e) {
                data = -1;
            }
        });
        thread.start();
        ready.await();
        int seen = data;
        barrier.await();
        semaphore.acquire();
        data--;
        semaphore.release();
        thread.join();
        System.out.println(seen + " " + data + turns);
    }
}
