// T04 race x: the interrupt ends the join
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T04 {
  static int x; public static void main(String[] a) { Thread m = Thread.currentThread(); Thread t = new Thread(() -> { m.interrupt(); x = 2; });
    t.start(); try { t.join(); } catch (InterruptedException e) { } x = 1; }
}
