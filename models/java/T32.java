// T32 no race: p is owned until the start
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T32 {
  static class P { int v; P(int k) { v = k; } } public static void main(String[] a) {
    for (int i = 0; i < 9; i++) { P p = new P(i); p.v++; new Thread(() -> System.out.println(p.v)).start(); } }
}
