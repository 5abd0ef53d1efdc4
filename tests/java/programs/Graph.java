// Search in a graph with queues and sets.
import java.util.*;

public class Graph {
    static class Vertex {
        final String name;
        final Set<Vertex> next = new LinkedHashSet<>();
        int distance = -1;
        Vertex(String name) { this.name = name; }
    }
    final Map<String, Vertex> vertices = new TreeMap<>();
    Vertex vertex(String name) { return vertices.computeIfAbsent(name, Vertex::new); }
    void edge(String from, String to) { vertex(from).next.add(vertex(to)); }
    void search(String start) {
        Deque<Vertex> open = new ArrayDeque<>();
        vertex(start).distance = 0;
        open.add(vertex(start));
        while (!open.isEmpty()) {
            Vertex at = open.poll();
            for (Vertex other : at.next)
                if (other.distance < 0) { other.distance = at.distance + 1; open.add(other); }
        }
    }
    public static void main(String[] args) {
        Graph graph = new Graph();
        graph.edge("a", "b");
        graph.edge("b", "c");
        graph.edge("a", "d");
        graph.search("a");
        for (Vertex vertex : graph.vertices.values()) System.out.println(vertex.name + vertex.distance);
    }
}
