// The twin of models/reentrant-callback.lw.
public class ReentrantCallback {
  static int state, seen;
  static final Object subject = new Object(), listener = new Object();

  public static void main(String[] args) {
    new Thread(ReentrantCallback::poller).start();
    change();
  }

  static void change() {
    synchronized (subject) {
      state = state + 1;
      callback();
    }
  }

  static void callback() {
    synchronized (listener) {
      seen = get();
    }
  }

  static int get() {
    int value;
    synchronized (subject) {
      value = state;
    }
    return value;
  }

  static void poller() {
    synchronized (listener) {
      seen = get();
    }
  }
}
