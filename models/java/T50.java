// T50 race q: concatenation calls toString
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T50 {
  static class Q { int q; public String toString() { return "" + q++; } } public static void main(String[] a) { Q o = new Q();
    new Thread(() -> System.out.println("a" + o)).start(); String s = "b" + o; }
}
