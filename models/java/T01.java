// T01 no race: x = 1 is over before the thread exists
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T01 {
  static int x; public static void main(String[] a) { x = 1; new Thread(() -> x = 2).start(); }
}
