// T17 race x: the second return is outside
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T17 {
  static int x; static final Object m = new Object(); static int get() { synchronized (m) { if (x > 0) return x; } return x; }
  public static void main(String[] a) { new Thread(T17::get).start(); synchronized (m) { x = 1; } }
}
