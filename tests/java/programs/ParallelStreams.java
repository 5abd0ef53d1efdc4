// A parallel stream whose functions write to shared state.
import java.util.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

public class ParallelStreams {
    static int plain;
    static final LongAdder adder = new LongAdder();
    public static void main(String[] args) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 20; i++) numbers.add(i);
        numbers.parallelStream().forEach(n -> { plain += n; adder.add(n); });
        System.out.println(IntStream.range(0, 20).parallel().map(n -> { plain++; return n; }).sum() + " " + adder.sum());
    }
}
