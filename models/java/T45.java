// T45 race x++ with x--; x++ not with itself, x-- is done by main only
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T45 {
  static int x; static void f(boolean lock) { if (lock) synchronized (T45.class) { x++; } else x--; } public static void main(String[] a) {
    new Thread(() -> f(true)).start(); new Thread(() -> f(true)).start(); f(false); }
}
