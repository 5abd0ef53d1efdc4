// T26 deadlock: initialisers of A and B
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T26 {
  static class A { static int v = B.w; } static class B { static int w = A.v; } public static void main(String[] s) {
    new Thread(() -> System.out.println(A.v)).start(); System.out.println(B.w); }
}
