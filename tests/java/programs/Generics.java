// A generic list of our own and bounded types.
import java.util.*;

public class Generics {
    static class Node<T> {
        T value;
        Node<T> next;
        Node(T value, Node<T> next) { this.value = value; this.next = next; }
    }
    static class Chain<T extends Comparable<T>> {
        Node<T> head;
        int size;
        void push(T value) { head = new Node<>(value, head); size++; }
        T greatest() {
            T best = head.value;
            for (Node<T> at = head; at != null; at = at.next) if (at.value.compareTo(best) > 0) best = at.value;
            return best;
        }
    }
    static class Version implements Comparable<Version> {
        final int number;
        Version(int number) { this.number = number; }
        public int compareTo(Version other) { return Integer.compare(number, other.number); }
    }
    static <T> List<T> pair(T a, T b) { return new ArrayList<>(List.of(a, b)); }
    public static void main(String[] args) {
        Chain<Version> chain = new Chain<>();
        for (Version version : pair(new Version(3), new Version(5))) chain.push(version);
        System.out.println(chain.greatest().number);
        TreeSet<Version> sorted = new TreeSet<>();
        sorted.add(chain.greatest());
        sorted.add(new Version(1));
        System.out.println(sorted.first().number);
    }
}
