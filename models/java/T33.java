// T33 race v: this escapes by start()
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T33 {
  static class W extends Thread { int v; W() { start(); v = 1; } public void run() { System.out.println(v); } } public static void main(String[] a) { new W(); }
}
