// Thread locals, and objects that stay in one thread.
import java.util.*;

public class Locals {
    static class Scratch { int uses; final List<String> notes = new ArrayList<>(); }
    static final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);
    static int use(String note) {
        Scratch mine = scratch.get();
        mine.uses++;
        mine.notes.add(note);
        return mine.notes.size();
    }
    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(() -> { use("a"); use("b"); });
        thread.start();
        System.out.println(use("m"));
        thread.join();
    }
}
