// T43 race n: the lock is the inner object
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T43 {
  int n; class In { synchronized void inc() { n++; } } public static void main(String[] a) {
    T43 o = new T43(); In p = o.new In(), q = o.new In(); new Thread(p::inc).start(); q.inc(); }
}
