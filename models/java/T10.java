// T10 no race: each n under its own object (isolation)
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T10 {
  int n; synchronized void inc() { n++; } public static void main(String[] a) {
    for (int i = 0; i < 9; i++) { T10 c = new T10(); new Thread(c::inc).start(); new Thread(c::inc).start(); } }
}
