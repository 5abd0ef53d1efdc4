// T48 flow from secret() to the print with --control only
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T48 {
  static int x; static int secret() { return 7; } public static void main(String[] a) { int s = secret(); new Thread(() -> { if (s > 0) x = 1; }).start(); System.out.println(x); }
}
