// T06 no race: joined one by one
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T06 {
  static int x; public static void main(String[] a) throws Exception { Thread[] t = new Thread[4]; Object m = new Object();
    for (int i = 0; i < 4; i++) { t[i] = new Thread(() -> { synchronized (m) { x++; } }); t[i].start(); }
    for (int i = 0; i < 4; i++) t[i].join(); x = 9; }
}
