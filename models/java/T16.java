// T16 no race: finally runs inside, whatever is thrown
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T16 {
  static int x; static final Object m = new Object(); static void f(int k) { synchronized (m) { try { x += 9 / k; } finally { x--; } } }
  public static void main(String[] a) { new Thread(() -> f(0)).start(); f(a.length); }
}
