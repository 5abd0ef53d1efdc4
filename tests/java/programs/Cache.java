// A cache in a concurrent map, filled on demand.
import java.util.*;
import java.util.concurrent.*;

public class Cache {
    static class Key {
        final String text;
        Key(String text) { this.text = text; }
        @Override public boolean equals(Object other) { return other instanceof Key && ((Key) other).text.equals(text); }
        @Override public int hashCode() { return text.length(); }
    }
    static class Value { int hits; final Key key; Value(Key key) { this.key = key; } }
    final ConcurrentMap<Key, Value> map = new ConcurrentHashMap<>();
    Value get(String text) {
        Value value = map.computeIfAbsent(new Key(text), Value::new);
        synchronized (value) { value.hits++; }
        return value;
    }
    public static void main(String[] args) throws Exception {
        Cache cache = new Cache();
        Thread thread = new Thread(() -> { cache.get("a"); cache.get("b"); });
        thread.start();
        System.out.println(cache.get("a").key.text);
        thread.join();
        int hits = 0;
        for (Map.Entry<Key, Value> entry : cache.map.entrySet()) hits += entry.getValue().hits;
        cache.map.forEach((k, v) -> System.out.println(k.text + v.hits));
        System.out.println(hits);
    }
}
