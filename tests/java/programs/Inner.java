// Inner, local and anonymous classes that use what is around them.
import java.util.*;

public class Inner {
    int count;
    class Cursor implements Iterator<Integer> {
        int at;
        public boolean hasNext() { return at < count; }
        public Integer next() { return at++; }
    }
    Iterable<Integer> numbers() {
        return new Iterable<Integer>() { public Iterator<Integer> iterator() { return new Cursor(); } };
    }
    int sum() {
        class Adder { int sum; void add(int number) { sum += number; } }
        Adder adder = new Adder();
        for (int number : numbers()) adder.add(number);
        numbers().forEach(adder::add);
        return adder.sum;
    }
    public static void main(String[] args) {
        Inner inner = new Inner();
        inner.count = 4;
        System.out.println(inner.sum());
    }
}
