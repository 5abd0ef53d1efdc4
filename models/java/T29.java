// T29 no race: hand over hand, k is held at x++
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T29 {
  static int x; static final Lock l = new ReentrantLock(), k = new ReentrantLock(); static void f() { l.lock(); k.lock(); l.unlock(); x++; k.unlock(); }
  public static void main(String[] a) { new Thread(T29::f).start(); f(); }
}
