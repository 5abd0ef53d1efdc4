// T41 race inst: read without the lock
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T41 {
  static T41 inst; static T41 get() { if (inst == null) synchronized (T41.class) { if (inst == null) inst = new T41(); } return inst; }
  public static void main(String[] a) { new Thread(T41::get).start(); get(); }
}
