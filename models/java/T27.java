// T27 no race
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T27 {
  static int x; static final ReentrantLock l = new ReentrantLock(); static void f() { l.lock(); try { x++; } finally { l.unlock(); } }
  public static void main(String[] a) { new Thread(T27::f).start(); f(); }
}
