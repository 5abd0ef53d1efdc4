// ReentrantLock with a condition, tryLock, and a read-write lock.
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Locks {
    final Lock lock = new ReentrantLock();
    final Condition full = lock.newCondition();
    final ReadWriteLock both = new ReentrantReadWriteLock();
    int value, reads;
    void put(int v) {
        lock.lock();
        try { value = v; full.signalAll(); } finally { lock.unlock(); }
    }
    int take() throws InterruptedException {
        lock.lock();
        try { while (value == 0) full.await(); return value; } finally { lock.unlock(); }
    }
    boolean attempt() throws InterruptedException {
        if (!lock.tryLock(1, TimeUnit.SECONDS)) return false;
        try { value++; return true; } finally { lock.unlock(); }
    }
    int read() { both.readLock().lock(); try { return reads; } finally { both.readLock().unlock(); } }
    void write() { both.writeLock().lock(); try { reads++; } finally { both.writeLock().unlock(); } }
    public static void main(String[] args) throws Exception {
        Locks locks = new Locks();
        Thread thread = new Thread(() -> { locks.put(3); locks.write(); });
        thread.start();
        System.out.println(locks.take() + " " + locks.read() + locks.attempt());
        thread.join();
    }
}
