// T15 race x: the handler is outside of the region
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T15 {
  static int x; static final Object m = new Object(); static void f() { synchronized (m) { if (x > 5) throw new IllegalStateException(); x++; } }
  static void g() { for (;;) try { f(); } catch (IllegalStateException e) { x = 0; } } public static void main(String[] a) { new Thread(T15::g).start(); g(); }
}
