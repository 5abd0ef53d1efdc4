// T28 race x: the else branch; no deadlock
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T28 {
  static int x; static final ReentrantLock l = new ReentrantLock(); static void f() { if (l.tryLock()) try { x++; } finally { l.unlock(); } else x = 0; }
  public static void main(String[] a) { new Thread(T28::f).start(); f(); }
}
