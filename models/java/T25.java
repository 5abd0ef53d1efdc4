// T25 deadlock: holds a and joins a thread that wants a
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T25 {
  static final Object a = new Object(); public static void main(String[] s) throws Exception {
    Thread t = new Thread(() -> { synchronized (a) { } }); synchronized (a) { t.start(); t.join(); } }
}
