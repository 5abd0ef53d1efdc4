// Static factories that make different objects for different callers.
import java.util.*;
import java.util.function.*;

public class Factories {
    interface Product { int cost(); }
    static class Plain implements Product { int price = 2; public int cost() { return price; } }
    static class Wrapped implements Product {
        final Product inner;
        Wrapped(Product inner) { this.inner = inner; }
        public int cost() { return inner.cost() + 1; }
    }
    static Product wrap(Product product) { return new Wrapped(product); }
    static final Map<String, Supplier<Product>> registry = new TreeMap<>();
    static Product make(String name) {
        Supplier<Product> supplier = registry.get(name);
        if (supplier == null) throw new IllegalArgumentException(name);
        return supplier.get();
    }
    public static void main(String[] args) {
        registry.put("plain", Plain::new);
        registry.put("gift", () -> wrap(wrap(make("plain"))));
        System.out.println(make("gift").cost());
        try {
            make("none");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
