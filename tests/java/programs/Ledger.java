// Lists and maps under one lock, written by two threads.
import java.util.*;

public class Ledger {
    static class Entry {
        final String who;
        int amount;
        Entry(String who, int amount) { this.who = who; this.amount = amount; }
    }
    final List<Entry> entries = new ArrayList<>();
    final Map<String, Integer> totals = new HashMap<>();
    synchronized void add(String who, int amount) {
        entries.add(new Entry(who, amount));
        totals.merge(who, amount, Integer::sum);
    }
    synchronized int total() {
        int sum = 0;
        for (Entry entry : entries) sum += entry.amount;
        return sum;
    }
    public static void main(String[] args) throws Exception {
        Ledger ledger = new Ledger();
        Thread writer = new Thread(() -> { for (int i = 0; i < 3; i++) ledger.add("a", i); });
        writer.start();
        ledger.add("b", 7);
        writer.join();
        System.out.println(ledger.total() + " " + ledger.totals.get("a"));
    }
}
