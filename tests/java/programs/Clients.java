// A server object and clients of several classes, joined by a group.
import java.util.*;

public class Clients {
    static class Server {
        private final Map<Integer, String> store = new HashMap<>();
        private int requests;
        String ask(int key, Client client) {
            synchronized (store) { requests++; return store.computeIfAbsent(key, k -> client.value(k)); }
        }
    }
    static abstract class Client implements Runnable {
        final Server server;
        String answer;
        Client(Server server) { this.server = server; }
        abstract String value(int key);
        public void run() { answer = server.ask(1, this); }
    }
    static class Fast extends Client { Fast(Server server) { super(server); } String value(int key) { return "fast" + key; } }
    static class Slow extends Client { Slow(Server server) { super(server); } String value(int key) { Thread.yield(); return "slow" + key; } }
    public static void main(String[] args) throws Exception {
        Server server = new Server();
        List<Thread> threads = new ArrayList<>();
        for (Client client : new Client[] {new Fast(server), new Slow(server), new Fast(server)}) threads.add(new Thread(client));
        threads.forEach(Thread::start);
        for (Thread thread : threads) thread.join();
        System.out.println(server.requests);
    }
}
