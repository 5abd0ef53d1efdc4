// T22 deadlock a b
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T22 {
  static final Object a = new Object(), b = new Object(); public static void main(String[] s) {
    new Thread(() -> { synchronized (a) { synchronized (b) { } } }).start(); synchronized (b) { synchronized (a) { } } }
}
