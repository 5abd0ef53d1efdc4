// T21 no race, and no lock ignored: the wait of the helper is inlined
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T21 {
  int n; void rest() throws InterruptedException { wait(9); } synchronized void f() throws InterruptedException { n++; rest(); n--; } synchronized void g() { n = 3; }
  public static void main(String[] a) throws Exception { T21 o = new T21(); new Thread(o::g).start(); o.f(); }
}
