// T24 deadlock: two objects of one allocation
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T24 {
  int n; synchronized void move(T24 o) { synchronized (o) { o.n++; n--; } } public static void main(String[] a) {
    T24[] t = new T24[2]; for (int i = 0; i < 2; i++) t[i] = new T24(); T24 p = t[0], q = t[1]; new Thread(() -> p.move(q)).start(); q.move(p); }
}
