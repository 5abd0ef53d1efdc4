// T47 no flow from y = 42 to the print: each link is feasible, both are not
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T47 {
  static int x, y; static final Object m = new Object(); public static void main(String[] a) {
    new Thread(() -> { synchronized (m) { x = y; } }).start(); synchronized (m) { y = 42; System.out.println(x); } }
}
