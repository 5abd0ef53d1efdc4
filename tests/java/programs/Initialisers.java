// Class initialisers that call each other, and constants.
public class Initialisers {
    static int order;
    static class Base { static final int first = ++order; static int calls; static void touch() { calls++; } }
    static class Derived extends Base { static final int second = ++order; static { touch(); } static int third = later(); static int later() { return ++order; } }
    static class Other { static final Other self = new Other(); final int seen = Derived.third; }
    public static void main(String[] args) {
        System.out.println(Other.self.seen + " " + Derived.second + Base.first + Base.calls);
    }
}
