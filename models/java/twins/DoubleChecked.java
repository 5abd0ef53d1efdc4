// The twin of models/double-checked.lw.
public class DoubleChecked {
  static int ready, instance;
  static final Object init = new Object();

  public static void main(String[] args) {
    new Thread(DoubleChecked::user).start();
    new Thread(DoubleChecked::user).start();
  }

  static void user() {
    if (ready == 0) {
      synchronized (init) {
        if (ready == 0) {
          instance = 42;
          ready = 1;
        }
      }
    }
    System.out.println(instance);
  }
}
