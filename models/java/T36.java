// T36 race x, no race y: one worker only
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T36 {
  static int x, y; public static void main(String[] a) { ExecutorService one = Executors.newSingleThreadExecutor(), two = Executors.newFixedThreadPool(2);
    one.submit(() -> { y++; }); one.submit(() -> { y--; }); two.submit(() -> { x++; }); two.submit(() -> { x--; }); }
}
