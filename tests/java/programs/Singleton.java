// Lazy singletons, with and without a holder class.
public class Singleton {
    private static Singleton instance;
    int uses;
    static synchronized Singleton get() {
        if (instance == null) instance = new Singleton();
        return instance;
    }
    static class Holder { static final Singleton only = new Singleton(); }
    void use() { synchronized (this) { uses++; } }
    public static void main(String[] args) throws Exception {
        Runnable body = () -> { get().use(); Holder.only.use(); };
        Thread one = new Thread(body), two = new Thread(body);
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println(get().uses + Holder.only.uses);
    }
}
