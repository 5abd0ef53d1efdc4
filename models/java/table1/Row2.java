// Table 1, program 2: main holds the lock a from before the start until after the print, and the second thread must
// take a before it writes, so 42 is not printed.
public class Row2 {
  static int x;
  static final Object a = new Object();

  public static void main(String[] args) {
    synchronized (a) {
      new Thread(() -> {
        synchronized (a) {
        }
        x = 42;  // lockwood: source answer
      }).start();
      System.out.println(x);  // lockwood: sink printed
    }
  }
}
