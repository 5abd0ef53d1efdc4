// Streams of objects and numbers, with collectors.
import java.util.*;
import java.util.stream.*;

public class Streams {
    static class Person {
        final String name;
        final int age;
        static int asked;
        Person(String name, int age) { this.name = name; this.age = age; }
        int age() { asked++; return age; }
        String name() { return name; }
    }
    public static void main(String[] args) {
        List<Person> people = List.of(new Person("a", 3), new Person("b", 40), new Person("c", 40));
        System.out.println(people.stream().filter(p -> p.age() > 5).map(Person::name).collect(Collectors.toList()));
        System.out.println(people.stream().mapToInt(Person::age).sum());
        Map<Integer, List<Person>> byAge = people.stream().collect(Collectors.groupingBy(Person::age));
        for (Person person : byAge.get(40)) System.out.println(person.name());
        System.out.println(IntStream.range(0, 3).mapToObj(i -> new Person("p" + i, i)).max(Comparator.comparingInt(Person::age)).get().name());
        System.out.println(people.stream().sorted(Comparator.comparing(Person::name).reversed()).findFirst().get().age());
        System.out.println(Stream.of("x", "y").reduce("", (a, b) -> a + b) + Arrays.stream(new int[] {1, 2}).boxed().count());
        System.out.println(people.stream().anyMatch(p -> p.name().equals("b")) + " " + Person.asked);
    }
}
