// What is done because of a secret, in ways that no value takes. Sinks are named after the ways.
public class Implicit {
  static int secret() {
    return 7;
  }

  static void show(int value) {
  }

  static int sign(int value) {
    if (value > 0) return 1;
    return 0;
  }

  static void check(int value) {
    if (value > 5) throw new IllegalStateException();
  }

  static int global;

  static void set() {
    global = 1;
  }

  public static void main(String[] args) {
    int hidden = secret();  // lockwood: source secret
    int public1 = 0;
    if (hidden > 3) public1 = 1;
    show(public1);  // lockwood: sink branch
    int public2 = 0;
    for (int i = 0; i < hidden; i++) public2++;
    show(public2);  // lockwood: sink loop
    int public3 = 0;
    try {
      public3 = 10 / hidden > 0 ? 3 : 3;
      check(hidden);
    } catch (ArithmeticException none) {
      public3 = 1;
    } catch (IllegalStateException large) {
      public3 = 2;
    }
    show(public3);  // lockwood: sink exception
    if (hidden > 4) set();
    show(global);  // lockwood: sink called
    int public5 = sign(hidden);
    show(public5);  // lockwood: sink chosen
    int public4 = 0;
    try {
      check(hidden);
      public4 = 1;
    } catch (IllegalStateException large) {
      // Nothing.
    }
    show(public4);  // lockwood: sink thrown
    show(args.length);  // lockwood: sink nothing
  }
}
