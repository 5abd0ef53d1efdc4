// T11 race n: get takes no lock
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T11 {
  int n; synchronized void inc() { n++; } int get() { return n; } public static void main(String[] a) {
    for (int i = 0; i < 9; i++) { T11 c = new T11(); new Thread(c::inc).start(); new Thread(c::get).start(); } }
}
