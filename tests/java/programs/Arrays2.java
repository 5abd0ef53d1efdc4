// Arrays of arrays, copies and sorting.
import java.util.*;

public class Arrays2 {
    static class Cell implements Cloneable { int value; Cell(int value) { this.value = value; } Cell copy() throws CloneNotSupportedException { return (Cell) clone(); } }
    static int[][] table(int n) { int[][] rows = new int[n][]; for (int i = 0; i < n; i++) rows[i] = new int[i + 1]; return rows; }
    public static void main(String[] args) throws Exception {
        Cell[] cells = {new Cell(3), new Cell(1), new Cell(2)};
        Cell[] sorted = cells.clone();
        Arrays.sort(sorted, (x, y) -> x.value - y.value);
        Cell[] more = Arrays.copyOf(sorted, 5);
        System.arraycopy(cells, 0, more, 3, 2);
        int sum = 0;
        for (Cell cell : more) sum += cell.value;
        int[][] table = table(3);
        table[2][1] = cells[0].copy().value;
        System.out.println(sum + " " + sorted[0].value + Arrays.deepToString(table));
        try {
            Object[] objects = new String[1];
            objects[0] = cells[0];
        } catch (ArrayStoreException e) {
            System.out.println("store");
        }
        try {
            System.out.println(new int[table[0].length - 2].length);
        } catch (NegativeArraySizeException e) {
            System.out.println("size");
        }
    }
}
