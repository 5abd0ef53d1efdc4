// T14 race n: the lock is this, the base is not (all objects from one allocation)
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T14 {
  int n; void add(T14 o) { synchronized (this) { o.n++; } } public static void main(String[] a) {
    T14[] t = new T14[9]; for (int i = 0; i < 9; i++) t[i] = new T14(); for (T14 d : t) new Thread(() -> d.add(t[0])).start(); }
}
