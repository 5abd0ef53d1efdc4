// T23 no deadlock: the gate g
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T23 {
  static final Object g = new Object(), a = new Object(), b = new Object(); public static void main(String[] s) {
    new Thread(() -> { synchronized (g) { synchronized (a) { synchronized (b) { } } } }).start();
    synchronized (g) { synchronized (b) { synchronized (a) { } } } }
}
