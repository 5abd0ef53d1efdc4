// The twin of models/bank-racy.lw.
public class BankRacy {
  static int balance = 100;

  public static void main(String[] args) {
    new Thread(() -> deposit(50)).start();
    new Thread(() -> deposit(20)).start();
    System.out.println(balance);
  }

  static void deposit(int amount) {
    balance = balance + amount;
  }
}
