// Synchronized and unmodifiable wrappers.
import java.util.*;

public class Wrappers {
    static class Item { int seen; public String toString() { return "item" + seen++; } }
    public static void main(String[] args) throws Exception {
        List<Item> list = Collections.synchronizedList(new ArrayList<>());
        Map<String, Item> map = Collections.synchronizedMap(new TreeMap<>());
        Runnable body = () -> { Item item = new Item(); list.add(item); map.put(Thread.currentThread().getName(), item); };
        Thread thread = new Thread(body);
        thread.start();
        body.run();
        thread.join();
        List<Item> view = Collections.unmodifiableList(list);
        try {
            view.add(new Item());
        } catch (UnsupportedOperationException e) {
            System.out.println("no");
        }
        synchronized (list) { for (Item item : list) item.seen++; }
        System.out.println(view.get(0).seen + map.values().toString());
    }
}
