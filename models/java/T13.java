// T13 race n, race m: the lock is exchanged
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T13 {
  Object m = new Object(); int n; void inc() { synchronized (m) { n++; } } void swap() { m = new Object(); } public static void main(String[] a) {
    T13 c = new T13(); new Thread(c::inc).start(); new Thread(c::swap).start(); c.inc(); }
}
