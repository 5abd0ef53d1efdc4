// Keys whose equals and hashCode count their calls.
import java.util.*;

public class Hashing {
    static int hashes, equalities, comparisons;
    static class Key implements Comparable<Key> {
        final int number;
        Key(int number) { this.number = number; }
        @Override public int hashCode() { hashes++; return number % 2; }
        @Override public boolean equals(Object other) { equalities++; return other instanceof Key && ((Key) other).number == number; }
        @Override public int compareTo(Key other) { comparisons++; return number - other.number; }
        @Override public String toString() { return "k" + number; }
    }
    public static void main(String[] args) {
        Map<Key, String> map = new HashMap<>();
        Set<Key> set = new LinkedHashSet<>();
        TreeMap<Key, Integer> tree = new TreeMap<>();
        for (int i = 0; i < 4; i++) { map.put(new Key(i), "v" + i); set.add(new Key(i / 2)); tree.put(new Key(i), i); }
        System.out.println(map.get(new Key(3)) + set + tree.firstKey() + tree.containsKey(new Key(9)));
        List<Key> keys = new ArrayList<>(map.keySet());
        Collections.sort(keys);
        keys.remove(new Key(2));
        PriorityQueue<Key> queue = new PriorityQueue<>(Comparator.reverseOrder());
        queue.addAll(keys);
        System.out.println(keys.indexOf(new Key(3)) + " " + queue.poll() + (hashes > 0 && equalities > 0 && comparisons > 0));
    }
}
