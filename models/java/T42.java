// T42 race n: synchronized is not inherited
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T42 {
  static class A { int n; synchronized void m() { n++; } } static class B extends A { void m() { n--; } } public static void main(String[] a) {
    A o = new B(); new Thread(o::m).start(); o.m(); }
}
