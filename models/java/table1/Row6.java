// Table 1, program 6: after x = 42, either x is written again before it is printed, or the threads deadlock.
public class Row6 {
  static int x;
  static final Object a = new Object();
  static final Object b = new Object();

  public static void main(String[] args) {
    new Thread(() -> {
      synchronized (b) {
        if (args.length > 0) {
          synchronized (a) {
          }
        } else {
          x = 17;  // lockwood: source third
        }
        System.out.println(x);  // lockwood: sink printed
      }
    }).start();
    synchronized (a) {
      synchronized (b) {
        x = 42;  // lockwood: source answer
      }
      x = 23;  // lockwood: source second
    }
  }
}
