// A shutdown hook and daemon threads.
public class Hooks {
    static int state;
    static final Object lock = new Object();
    public static void main(String[] args) throws Exception {
        Thread daemon = new Thread(() -> {
            synchronized (lock) {
                state++;
                try {
                    lock.wait(50);
                } catch (InterruptedException e) {
                    state = -1;
                }
            }
        });
        daemon.setDaemon(true);
        daemon.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> state += 10));
        synchronized (lock) { state++; lock.notifyAll(); }
        System.out.println(state > 0);
    }
}
