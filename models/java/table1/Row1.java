// Table 1, program 1: the second thread is started after the value is printed, so 42 is not printed.
public class Row1 {
  static int x;

  public static void main(String[] args) {
    System.out.println(x);  // lockwood: sink printed
    new Thread(() -> {
      x = 42;  // lockwood: source answer
    }).start();
  }
}
