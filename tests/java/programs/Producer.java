// A bounded buffer with wait and notifyAll.
import java.util.*;

public class Producer {
    static class Buffer {
        private final Deque<Integer> items = new ArrayDeque<>();
        private final int limit;
        Buffer(int limit) { this.limit = limit; }
        synchronized void put(int item) throws InterruptedException {
            while (items.size() == limit) wait();
            items.addLast(item);
            notifyAll();
        }
        synchronized int take() throws InterruptedException {
            while (items.isEmpty()) wait();
            int item = items.removeFirst();
            notifyAll();
            return item;
        }
    }
    public static void main(String[] args) throws Exception {
        Buffer buffer = new Buffer(2);
        Thread producer = new Thread() {
            @Override public void run() {
                try {
                    for (int i = 0; i < 5; i++) buffer.put(i);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        producer.start();
        int sum = 0;
        for (int i = 0; i < 5; i++) sum += buffer.take();
        producer.join();
        System.out.println(sum);
    }
}
