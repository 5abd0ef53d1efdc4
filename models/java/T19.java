// T19 no race: waits in their own region, exact
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T19 {
  int n; synchronized void put() throws InterruptedException { while (n == 1) wait(); n = 1; notifyAll(); }
  synchronized void get() throws InterruptedException { while (n == 0) wait(); n = 0; notifyAll(); }
  public static void main(String[] a) throws Exception { T19 b = new T19(); new Thread(() -> { try { b.put(); } catch (InterruptedException e) { } }).start(); b.get(); }
}
