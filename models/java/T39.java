// T39 race on the contents of u, none on s
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T39 {
  public static void main(String[] a) { List<Integer> u = new ArrayList<>(), s = Collections.synchronizedList(new ArrayList<>());
    new Thread(() -> { u.add(1); s.add(1); }).start(); u.add(2); s.add(2); }
}
