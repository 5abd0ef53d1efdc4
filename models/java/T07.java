// T07 race x: every lock is new
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T07 {
  static int x; static void f() { synchronized (new Object()) { x++; } } public static void main(String[] a) { new Thread(T07::f).start(); f(); }
}
