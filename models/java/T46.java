// T46 defuse: 42 does not reach out = o.v, since o.v = 0 cannot throw
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T46 {
  int v; static int out; public static void main(String[] a) { T46 o = new T46(); new Thread(() -> { synchronized (o) { o.v = 42; o.v = 0; } }).start();
    synchronized (o) { out = o.v; } }
}
