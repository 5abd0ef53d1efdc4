// The twin of models/lock-through-calls.lw.
public class LockThroughCalls {
  static int log;
  static final Object log_lock = new Object();

  public static void main(String[] args) {
    new Thread(LockThroughCalls::careful).start();
    new Thread(LockThroughCalls::careful).start();
    new Thread(LockThroughCalls::careless).start();
  }

  static void careful() {
    synchronized (log_lock) {
      report(1);
    }
  }

  static void careless() {
    report(2);
  }

  static void report(int level) {
    if (level > 0) {
      append(level);
    }
  }

  static void append(int entry) {
    log = log * 10 + entry;
  }
}
