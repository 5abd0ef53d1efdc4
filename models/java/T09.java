// T09 race x: class object and instance
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T09 {
  static int x; static synchronized void f() { x++; } synchronized void g() { x--; } public static void main(String[] a) { new Thread(T09::f).start(); new T09().g(); }
}
