// T37 no race: get() waits for the task
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T37 {
  static int x; public static void main(String[] a) throws Exception { ExecutorService e = Executors.newCachedThreadPool();
    Future<?> f = e.submit(() -> { x = 1; }); f.get(); x = 2; }
}
