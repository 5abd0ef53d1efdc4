// T40 race n: the lock is the value that changes
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T40 {
  static Integer n = 0; static void f() { synchronized (n) { n++; } } public static void main(String[] a) { new Thread(T40::f).start(); f(); }
}
