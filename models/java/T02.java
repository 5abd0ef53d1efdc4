// T02 race x
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T02 {
  static int x; public static void main(String[] a) { new Thread(() -> x = 2).start(); x = 1; }
}
