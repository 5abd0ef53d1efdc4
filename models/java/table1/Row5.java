// Table 1, program 5: x = 42 would have to come between x = 17 and the print. At these points the threads hold no
// common lock, but each has used, inside its own lock, the lock of the other: one of them came too late for that.
public class Row5 {
  static int x;
  static final Object a = new Object();
  static final Object b = new Object();

  public static void main(String[] args) {
    new Thread(() -> {
      synchronized (b) {
        synchronized (a) {
        }
        x = 42;  // lockwood: source answer
      }
    }).start();
    synchronized (a) {
      synchronized (b) {
      }
      x = 17;  // lockwood: source other
      System.out.println(x);  // lockwood: sink printed
    }
  }
}
