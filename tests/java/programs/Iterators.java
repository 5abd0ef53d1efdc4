// Iterators and collections of our own that extend those of the library.
import java.util.*;

public class Iterators {
    static class Range extends AbstractList<Integer> {
        final int size;
        int gets;
        Range(int size) { this.size = size; }
        @Override public Integer get(int index) { gets++; return index; }
        @Override public int size() { return size; }
    }
    static class Bag extends AbstractCollection<String> {
        final List<String> items = new ArrayList<>();
        int additions;
        @Override public boolean add(String item) { additions++; return items.add(item); }
        @Override public Iterator<String> iterator() { return items.iterator(); }
        @Override public int size() { return items.size(); }
    }
    public static void main(String[] args) {
        Range range = new Range(3);
        int sum = 0;
        for (int n : range) sum += n;
        System.out.println(sum + " " + range.contains(2) + range.indexOf(1) + range.gets);
        Bag bag = new Bag();
        bag.addAll(Arrays.asList("x", "y"));
        System.out.println(bag + " " + bag.additions + bag.contains("y") + new ArrayList<>(range).size());
        System.out.println(Collections.max(range) + new HashSet<>(bag).size());
    }
}
