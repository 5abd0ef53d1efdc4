// T18 no race: gate() cannot throw, so it cannot be skipped
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T18 {
  static int x; static final Object a = new Object(); static void gate() { synchronized (a) { } } public static void main(String[] s) {
    synchronized (a) { new Thread(() -> { try { gate(); } catch (RuntimeException e) { } x = 2; }).start(); x = 1; } }
}
