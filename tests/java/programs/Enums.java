// Enums with bodies, switches, sets and maps of them.
import java.util.*;

public class Enums {
    enum Operation {
        ADD { int apply(int a, int b) { return a + b; } },
        SUB { int apply(int a, int b) { return a - b; } };
        int uses;
        abstract int apply(int a, int b);
        int count(int a, int b) { uses++; return apply(a, b); }
    }
    enum Level { LOW, HIGH; Level other() { return this == LOW ? HIGH : LOW; } }
    static String word(Level level) {
        switch (level) { case LOW: return "low"; default: return "high"; }
    }
    public static void main(String[] args) {
        Map<Level, List<Operation>> plan = new EnumMap<>(Level.class);
        for (Operation operation : Operation.values()) plan.computeIfAbsent(Level.LOW, k -> new ArrayList<>()).add(operation);
        int sum = 0;
        for (Operation operation : plan.get(Level.LOW)) sum += operation.count(3, 1);
        System.out.println(sum + word(Level.valueOf("HIGH").other()) + EnumSet.of(Level.LOW).contains(Level.HIGH));
    }
}
