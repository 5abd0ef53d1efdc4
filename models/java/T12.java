// T12 no race: each n under its own final lock
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class T12 {
  final Object m = new Object(); int n; void inc() { synchronized (m) { n++; } } public static void main(String[] a) {
    for (int i = 0; i < 9; i++) { T12 c = new T12(); new Thread(c::inc).start(); new Thread(c::inc).start(); } }
}
