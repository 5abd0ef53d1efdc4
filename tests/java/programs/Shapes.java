// Inheritance, abstract methods, and a list of different classes.
import java.util.*;

public class Shapes {
    static abstract class Shape {
        static int made;
        Shape() { made++; }
        abstract double area();
        public String toString() { return name() + " " + area(); }
        String name() { return "shape"; }
    }
    static class Square extends Shape {
        double side;
        Square(double side) { this.side = side; }
        double area() { return side * side; }
        String name() { return "square"; }
    }
    static class Circle extends Shape {
        double radius = 1;
        double area() { return Math.PI * radius * radius; }
    }
    static class Cube extends Square {
        Cube(double side) { super(side); }
        double area() { return 6 * super.area(); }
    }
    public static void main(String[] args) {
        List<Shape> all = new LinkedList<>(Arrays.asList(new Square(2), new Circle(), new Cube(1)));
        all.sort(Comparator.comparingDouble(Shape::area));
        for (Shape shape : all) System.out.println(shape);
    }
}
