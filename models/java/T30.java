// T30 race w (two readers), no race r
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T30 {
  static int r, w; static final ReadWriteLock l = new ReentrantReadWriteLock();
  static int f() { l.readLock().lock(); try { w++; return r; } finally { l.readLock().unlock(); } } static void g() { l.writeLock().lock(); try { r++; } finally { l.writeLock().unlock(); } }
  public static void main(String[] a) { new Thread(T30::f).start(); new Thread(T30::g).start(); f(); }
}
