// Default, static and private methods of interfaces, and a diamond.
public class Interfaces {
    interface Named { String name(); default String greet() { return "hello " + name() + extra(); } private String extra() { return "!"; } }
    interface Loud extends Named { @Override default String greet() { return Named.super.greet().toUpperCase(); } }
    interface Polite extends Named { static Polite of(String name) { return () -> name; } }
    static class Both implements Loud, Polite { int asked; public String name() { asked++; return "both"; } }
    public static void main(String[] args) {
        Named[] all = {new Both(), Polite.of("lambda"), new Named() { public String name() { return "anonymous"; } }};
        for (Named named : all) System.out.println(named.greet());
    }
}
