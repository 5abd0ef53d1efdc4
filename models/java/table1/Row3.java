// Table 1, program 3: x = 42 would have to come between x = 17 and the print, which the lock a prevents.
public class Row3 {
  static int x;
  static final Object a = new Object();

  public static void main(String[] args) {
    new Thread(() -> {
      synchronized (a) {
        x = 42;  // lockwood: source answer
      }
    }).start();
    synchronized (a) {
      x = 17;  // lockwood: source other
      System.out.println(x);  // lockwood: sink printed
    }
  }
}
