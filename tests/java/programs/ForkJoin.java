// A sum by recursive tasks.
import java.util.concurrent.*;

public class ForkJoin {
    static class Sum extends RecursiveTask<Long> {
        final int[] numbers;
        final int from, to;
        Sum(int[] numbers, int from, int to) { this.numbers = numbers; this.from = from; this.to = to; }
        @Override protected Long compute() {
            if (to - from < 3) {
                long sum = 0;
                for (int i = from; i < to; i++) sum += numbers[i];
                return sum;
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(numbers, from, middle), right = new Sum(numbers, middle, to);
            left.fork();
            return right.compute() + left.join();
        }
    }
    static class Fill extends RecursiveAction {
        final int[] numbers;
        Fill(int[] numbers) { this.numbers = numbers; }
        @Override protected void compute() { for (int i = 0; i < numbers.length; i++) numbers[i] = i; }
    }
    public static void main(String[] args) {
        int[] numbers = new int[10];
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.invoke(new Fill(numbers));
        System.out.println(pool.invoke(new Sum(numbers, 0, numbers.length)));
        pool.shutdown();
    }
}
