// T20 no race: a is held at all three, though the wait breaks the nesting
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T20 {
  static int x; static final Object a = new Object(), b = new Object();
  static void f() throws InterruptedException { synchronized (a) { synchronized (b) { x++; a.wait(9); x--; } } }
  public static void main(String[] s) throws Exception { new Thread(() -> { synchronized (a) { x = 7; } }).start(); f(); }
}
