// A thread that is interrupted while it sleeps.
public class Interrupts {
    static int interrupted;
    public static void main(String[] args) throws Exception {
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(60000);
            } catch (InterruptedException e) {
                interrupted++;
            }
        });
        sleeper.start();
        sleeper.interrupt();
        sleeper.join();
        System.out.println(interrupted);
    }
}
