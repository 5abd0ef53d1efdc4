// Table 1, program 4: 42 could only be printed by two transfers, from y = 42 to x = y and from x = y to the print. Each
// of them is feasible, but no run has both.
public class Row4 {
  static int x;
  static int y;
  static final Object a = new Object();

  public static void main(String[] args) {
    new Thread(() -> {
      synchronized (a) {
        x = y;
      }
    }).start();
    synchronized (a) {
      y = 42;  // lockwood: source answer
      System.out.println(x);  // lockwood: sink printed
    }
  }
}
