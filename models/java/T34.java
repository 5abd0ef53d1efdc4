// T34 no race: the thread waits for the end of the initialiser
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T34 {
  static class H { static int v; static { new Thread(() -> H.v = 3).start(); v = 5; } } public static void main(String[] a) { new H(); }
}
