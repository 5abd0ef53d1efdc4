// Listeners that are called by another thread than the one that registered them.
import java.util.*;
import java.util.concurrent.*;

public class Listeners {
    interface Listener { void changed(Model model, int value); }
    static class Model {
        private final List<Listener> listeners = new CopyOnWriteArrayList<>();
        private int value;
        void add(Listener listener) { listeners.add(listener); }
        void set(int value) {
            this.value = value;
            for (Listener listener : listeners) listener.changed(this, value);
            listeners.forEach(listener -> listener.changed(this, -value));
        }
    }
    static class Log implements Listener {
        final StringBuffer text = new StringBuffer();
        int calls;
        public void changed(Model model, int value) { calls++; text.append(value).append(model.value); }
    }
    public static void main(String[] args) throws Exception {
        Model model = new Model();
        Log log = new Log();
        model.add(log);
        model.add((m, v) -> log.calls += m.value);
        Thread thread = new Thread(() -> model.set(1));
        thread.start();
        model.set(2);
        thread.join();
        System.out.println(log.text.length() > 0);
    }
}
