// The twin of models/divide-and-conquer.lw.
public class DivideAndConquer {
  static int sum, deepest;
  static final Object total = new Object();

  public static void main(String[] args) {
    solve(1000, 0);
  }

  static void solve(int size, int depth) {
    if (depth > deepest) {
      synchronized (total) {
        deepest = depth;
      }
    }
    if (size <= 1) {
      synchronized (total) {
        sum = sum + size;
      }
      return;
    }
    new Thread(() -> solve(size / 2, depth + 1)).start();
    solve(size - size / 2, depth + 1);
  }
}
