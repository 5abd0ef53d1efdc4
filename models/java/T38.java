// T38 no race: run is overridden, and run() is no start()
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T38 {
  static int x; public static void main(String[] a) { Runnable r = () -> x = 1; new Thread(r) { public void run() { } }.start(); new Thread(r).run(); x = 2; }
}
