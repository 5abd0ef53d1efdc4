// Exceptions of our own, finally, suppressed ones, and resources.
public class Exceptions {
    static class Broken extends Exception {
        final int code;
        Broken(int code) { super("code " + code); this.code = code; }
    }
    static class Worse extends Broken {
        Worse(Throwable cause) { super(9); initCause(cause); }
    }
    static int closed;
    static class Resource implements AutoCloseable {
        void use(int n) throws Broken { if (n > 1) throw new Broken(n); }
        public void close() throws Broken { closed++; if (closed > 1) throw new Broken(closed); }
    }
    static void level(int n) throws Broken {
        try (Resource resource = new Resource()) {
            resource.use(n);
        } catch (Broken e) {
            throw new Worse(e);
        } finally {
            closed += 10;
        }
    }
    public static void main(String[] args) {
        for (int i = 0; i < 3; i++)
            try {
                level(i);
            } catch (Worse e) {
                System.out.println(e.getCause().getMessage() + e.getCause().getSuppressed().length);
            } catch (Broken e) {
                System.out.println(e.code);
            }
        int[] small = new int[2];
        try {
            small[closed] = 1;
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("bounds");
        }
        try {
            System.out.println(1 / (small[0]));
        } catch (ArithmeticException e) {
            System.out.println("zero");
        }
        Object text = "text";
        try {
            System.out.println((Integer) text);
        } catch (ClassCastException e) {
            System.out.println("cast");
        }
        try {
            text = null;
            text.hashCode();
        } catch (NullPointerException e) {
            System.out.println("null");
        }
    }
}
