// T44 no race: reentrant recursion
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T44 {
  static int x; static final Object m = new Object(); static void f(int d) { synchronized (m) { if (d > 0) f(d - 1); x++; } }
  public static void main(String[] a) { new Thread(() -> f(3)).start(); f(a.length); }
}
