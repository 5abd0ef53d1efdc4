// CompletableFuture: stages, combination, failure.
import java.util.concurrent.*;

public class Futures {
    static int steps;
    static class Quote {
        final int price;
        Quote(int price) { this.price = price; }
        Quote plus(Quote other) { return new Quote(price + other.price); }
    }
    static Quote ask(int n) { steps++; if (n < 0) throw new IllegalStateException("no quote"); return new Quote(n); }
    public static void main(String[] args) throws Exception {
        CompletableFuture<Quote> first = CompletableFuture.supplyAsync(() -> ask(3));
        CompletableFuture<Quote> second = first.thenApply(q -> new Quote(q.price * 2));
        System.out.println(first.thenCombine(second, Quote::plus).get().price);
        System.out.println(CompletableFuture.supplyAsync(() -> ask(-1)).exceptionally(e -> new Quote(0)).join().price);
        CompletableFuture<Void> last = CompletableFuture.runAsync(() -> steps++).thenRun(() -> steps++);
        last.get();
        try {
            CompletableFuture.supplyAsync(() -> ask(-2)).get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause().getMessage());
        }
    }
}
