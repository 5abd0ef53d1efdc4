// The twin of models/bank-fixed.lw.
public class BankFixed {
  static int savings = 100, current = 0;
  static final Object savings_lock = new Object(), current_lock = new Object();

  public static void main(String[] args) {
    new Thread(() -> deposit(50)).start();
    new Thread(() -> transfer(20)).start();
    new Thread(() -> transfer(30)).start();
    synchronized (savings_lock) {
      synchronized (current_lock) {
        System.out.println(savings + current);
      }
    }
  }

  static void deposit(int amount) {
    synchronized (savings_lock) {
      savings = savings + amount;
    }
  }

  static void transfer(int amount) {
    synchronized (savings_lock) {
      if (savings < amount) {
        return;
      }
      savings = savings - amount;
      synchronized (current_lock) {
        current = current + amount;
      }
    }
  }
}
