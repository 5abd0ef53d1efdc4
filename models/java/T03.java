// T03 no race: joined, and nobody interrupts
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T03 {
  static int x; public static void main(String[] a) throws Exception { Thread t = new Thread(() -> x = 2); t.start(); t.join(); x = 1; }
}
