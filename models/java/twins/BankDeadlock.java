// The twin of models/bank-deadlock.lw.
public class BankDeadlock {
  static int savings = 100, current = 100;
  static final Object savings_lock = new Object(), current_lock = new Object();

  public static void main(String[] args) {
    new Thread(() -> to_current(10)).start();
    new Thread(() -> to_savings(20)).start();
  }

  static void to_current(int amount) {
    synchronized (savings_lock) {
      synchronized (current_lock) {
        savings = savings - amount;
        current = current + amount;
      }
    }
  }

  static void to_savings(int amount) {
    synchronized (current_lock) {
      synchronized (savings_lock) {
        current = current - amount;
        savings = savings + amount;
      }
    }
  }
}
