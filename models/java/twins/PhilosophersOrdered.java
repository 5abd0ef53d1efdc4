// The twin of models/philosophers-ordered.lw.
public class PhilosophersOrdered {
  static int eaten;
  static final Object fork1 = new Object(), fork2 = new Object(), fork3 = new Object(), table = new Object();

  public static void main(String[] args) {
    new Thread(PhilosophersOrdered::first).start();
    new Thread(PhilosophersOrdered::second).start();
    new Thread(PhilosophersOrdered::third).start();
  }

  static void first() {
    while (true) {
      synchronized (fork1) {
        synchronized (fork2) {
          eat();
        }
      }
    }
  }

  static void second() {
    while (true) {
      synchronized (fork2) {
        synchronized (fork3) {
          eat();
        }
      }
    }
  }

  static void third() {
    while (true) {
      synchronized (fork1) {
        synchronized (fork3) {
          eat();
        }
      }
    }
  }

  static void eat() {
    synchronized (table) {
      eaten = eaten + 1;
    }
  }
}
