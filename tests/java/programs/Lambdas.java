// Functions that capture, compose and are passed on.
import java.util.function.*;

public class Lambdas {
    static int calls;
    static int twice(IntUnaryOperator f, int x) { return f.applyAsInt(f.applyAsInt(x)); }
    static Supplier<int[]> maker(int size) { return () -> { calls++; return new int[size]; }; }
    int base = 3;
    Function<Integer, Integer> adder() { return x -> x + base; }
    public static void main(String[] args) {
        Lambdas lambdas = new Lambdas();
        Function<Integer, Integer> both = lambdas.adder().andThen(x -> { calls++; return x * 2; }).compose(x -> x - 1);
        System.out.println(both.apply(5) + twice(x -> x + calls, 1) + maker(3).get().length);
        Predicate<String> empty = String::isEmpty;
        Predicate<String> neither = empty.negate().and(s -> { calls++; return s.length() < 3; });
        System.out.println(neither.test("ab") + " " + calls);
        BiFunction<Integer, Integer, Integer> product = (a, b) -> a * b;
        System.out.println(product.andThen(x -> x + lambdas.base).apply(2, 3));
    }
}
