// Optional values, and null where there is none.
import java.util.*;

public class Optionals {
    static class User { final String name; final User friend; User(String name, User friend) { this.name = name; this.friend = friend; } Optional<User> friend() { return Optional.ofNullable(friend); } }
    static class Missing extends RuntimeException { }
    public static void main(String[] args) {
        User alone = new User("a", null), user = new User("b", alone);
        System.out.println(user.friend().map(u -> u.name).orElse("none") + alone.friend().map(u -> u.name).orElseGet(() -> "nobody"));
        user.friend().flatMap(User::friend).ifPresentOrElse(u -> System.out.println(u.name), () -> System.out.println("no friend"));
        try {
            alone.friend().orElseThrow(Missing::new);
        } catch (Missing e) {
            System.out.println("missing");
        }
        System.out.println(Objects.requireNonNullElse(alone.friend, user).name);
        try {
            Objects.requireNonNull(alone.friend, "friend");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
