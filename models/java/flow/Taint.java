// Flows within one thread. Sinks whose key begins with "yes" get a value of the source of the same number; those that
// begin with "no" do not.
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

public class Taint {
  static class Box {
    String content;

    String get() {
      return content;
    }

    void set(String value) {
      content = value;
    }
  }

  static class Failure extends RuntimeException {
    Failure(String message) {
      super(message);
    }
  }

  interface Shape {
    String name();
  }

  record Named(String name) implements Shape {
  }

  static String same(String value) {
    return value;
  }

  static String secret(String value) {
    return value;
  }

  static void show(Object value) {
  }

  static void contexts() {
    String hidden = secret("1");  // lockwood: source 1
    String open = "public";
    show(same(hidden));  // lockwood: sink yes1
    show(same(open));  // lockwood: sink no1
  }

  static void objects() {
    String hidden = secret("2");  // lockwood: source 2
    Box first = new Box();
    Box second = new Box();
    first.set(hidden);
    second.set("public");
    show(first.get());  // lockwood: sink yes2
    show(second.get());  // lockwood: sink no2
    first.set("public");
    show(first.get());  // lockwood: sink no2again
  }

  static void texts() {
    String hidden = secret("3");  // lockwood: source 3
    StringBuilder builder = new StringBuilder();
    builder.append("a").append(hidden.trim().toUpperCase());
    show(builder.toString());  // lockwood: sink yes3
    show("b" + hidden.substring(1).length());  // lockwood: sink yes3again
    StringBuilder other = new StringBuilder("public");
    show(other.toString());  // lockwood: sink no3
  }

  static void collections() {
    String hidden = secret("4");  // lockwood: source 4
    List<String> list = new ArrayList<>();
    List<String> others = new ArrayList<>();
    list.add(hidden);
    others.add("public");
    Map<String, List<String>> map = new HashMap<>();
    map.put("list", list);
    for (String each : map.get("list")) show(each);  // lockwood: sink yes4
    show(others.get(0));  // lockwood: sink no4
    ArrayDeque<String> queue = new ArrayDeque<>(list);
    show(queue.poll());  // lockwood: sink yes4again
    show(list);  // lockwood: sink yes4whole
  }

  static void arrays() {
    String hidden = secret("5");  // lockwood: source 5
    String[] some = new String[2];
    some[0] = hidden;
    some[1] = "public";
    show(some[0]);  // lockwood: sink yes5
    show(some[1]);  // lockwood: sink no5
    char[] letters = hidden.toCharArray();
    char[] copied = new char[letters.length];
    System.arraycopy(letters, 0, copied, 0, letters.length);
    show(new String(copied));  // lockwood: sink yes5copied
  }

  static void lambdas() {
    String hidden = secret("6");  // lockwood: source 6
    Supplier<String> supplier = () -> hidden;
    Function<String, String> function = Taint::same;
    show(supplier.get());  // lockwood: sink yes6
    show(function.apply(hidden));  // lockwood: sink yes6again
    show(function.apply("public"));  // lockwood: sink no6
  }

  static void exceptions() {
    String hidden = secret("7");  // lockwood: source 7
    try {
      throw new Failure(hidden);
    } catch (Failure failure) {
      show(failure.getMessage());  // lockwood: sink yes7
    }
  }

  static void numbers() {
    String hidden = secret("8");  // lockwood: source 8
    int number = Integer.parseInt(hidden) * 2;
    Integer boxed = number;
    show(boxed + 1);  // lockwood: sink yes8
    long overwritten = number;
    overwritten = 5;
    show(overwritten);  // lockwood: sink no8
  }

  static void records() {
    String hidden = secret("9");  // lockwood: source 9
    Shape shape = new Named(hidden);
    show(shape.name());  // lockwood: sink yes9
    show(shape.toString());  // lockwood: sink yes9text
  }

  public static void main(String[] args) {
    contexts();
    objects();
    texts();
    collections();
    arrays();
    lambdas();
    exceptions();
    numbers();
    records();
  }
}
