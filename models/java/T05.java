// T05 race x: the join may time out
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T05 {
  static int x; public static void main(String[] a) throws Exception { Thread t = new Thread(() -> x = 2); t.start(); t.join(5); x = 1; }
}
