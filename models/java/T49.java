// T49 flow from getenv to the print
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T49 {
  static class Box { Object o; } public static void main(String[] a) { Box b = new Box(); String s = System.getenv("KEY"); new Thread(() -> b.o = "k" + s).start();
    System.out.println(b.o); }
}
