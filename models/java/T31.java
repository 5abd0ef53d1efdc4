// T31 no race done; x may: the order hangs on a volatile
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T31 {
  static int x; static volatile boolean done; public static void main(String[] a) {
    new Thread(() -> { x = 1; done = true; }).start(); while (!done) { } System.out.println(x); }
}
