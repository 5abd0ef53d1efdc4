// T35 race on elements of c, none on e
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T35 {
  static int[] e = new int[4], c = new int[4]; public static void main(String[] a) {
    new Thread(() -> { e[0] = 1; c[0] = 1; }).start(); e[1] = 2; c[a.length] = 2; }
}
