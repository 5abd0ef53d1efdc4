// Uncaught exceptions and their handlers.
public class Handlers {
    static int uncaught;
    static class Mine extends RuntimeException { int level = 3; @Override public String getMessage() { uncaught += level; return "mine"; } }
    public static void main(String[] args) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> { uncaught++; System.out.println(e.getMessage()); });
        Thread first = new Thread(() -> { throw new Mine(); });
        Thread second = new Thread(() -> { int[] none = null; none[0] = 1; });
        second.setUncaughtExceptionHandler((t, e) -> uncaught += 100);
        first.start();
        first.join();
        second.start();
        second.join();
        System.out.println(uncaught);
    }
}
