// The twin of models/exception.lw.
public class Exceptions {
  static int value = 1, failures;
  static final Object guard = new Object();

  public static void main(String[] args) {
    new Thread(Exceptions::worker).start();
    new Thread(Exceptions::worker).start();
  }

  static void worker() {
    try {
      synchronized (guard) {
        if (value == 0) {
          return;
        }
        value = value - 1;
        risky();
      }
    } catch (IllegalStateException e) {
      failures = failures + 1;
    }
  }

  static void risky() {
    if (Math.random() < 0.5) {
      throw new IllegalStateException();
    }
    synchronized (guard) {
      value = value + 1;
    }
  }
}
