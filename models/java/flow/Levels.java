// Sources and sinks by annotations with levels.
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

public class Levels {
  enum Level { PUBLIC, SECRET }

  @Retention(RetentionPolicy.CLASS)
  @interface Source {
    Level value();
  }

  @Retention(RetentionPolicy.CLASS)
  @interface Sink {
    Level value();
  }

  @Source(Level.SECRET)
  static String password() {
    return "hidden";
  }

  @Source(Level.PUBLIC)
  static String user() {
    return "somebody";
  }

  static void log(@Sink(Level.PUBLIC) String text) {
  }

  static void store(@Sink(Level.SECRET) String text) {
  }

  public static void main(String[] args) {
    log(user());
    log(password());
    store(user());
    store(password());
  }
}
