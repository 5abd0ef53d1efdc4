// Records in sets and maps: equals, hashCode and toString of their fields.
import java.util.*;

public class Records {
    record Point(int x, int y) { Point { if (x < 0) throw new IllegalArgumentException("x"); } int sum() { return x + y; } }
    record Line(Point from, Point to) { double length() { return Math.hypot(from.x() - to.x(), from.y() - to.y()); } }
    public static void main(String[] args) {
        Set<Point> points = new HashSet<>();
        points.add(new Point(1, 2));
        points.add(new Point(1, 2));
        Map<Line, String> names = new LinkedHashMap<>();
        names.put(new Line(new Point(0, 0), new Point(3, 4)), "line");
        for (Map.Entry<Line, String> entry : names.entrySet()) System.out.println(entry.getKey().length() + entry.getValue());
        System.out.println(points.size() + " " + points + points.iterator().next().sum());
        try { new Point(-1, 0); } catch (IllegalArgumentException e) { System.out.println(e); }
    }
}
