// Trees, mutual recursion and memory of results.
import java.util.*;

public class Recursion {
    static class Tree {
        Tree left, right;
        int key;
        Tree(int key) { this.key = key; }
        void insert(int other) {
            if (other < key) { if (left == null) left = new Tree(other); else left.insert(other); }
            else { if (right == null) right = new Tree(other); else right.insert(other); }
        }
        int depth() { return 1 + Math.max(left == null ? 0 : left.depth(), right == null ? 0 : right.depth()); }
    }
    static final Map<Integer, Long> known = new HashMap<>();
    static long fibonacci(int n) {
        if (n < 2) return n;
        Long result = known.get(n);
        if (result == null) { result = fibonacci(n - 1) + fibonacci(n - 2); known.put(n, result); }
        return result;
    }
    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }
    public static void main(String[] args) {
        Tree tree = new Tree(5);
        for (int key : new int[] {3, 8, 1, 4}) tree.insert(key);
        System.out.println(tree.depth() + " " + fibonacci(8) + " " + even(4));
    }
}
