// T08 no race: one class object
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T08 {
  static int x; static synchronized void f() { x++; } public static void main(String[] a) { new Thread(T08::f).start(); synchronized (T08.class) { x--; } }
}
