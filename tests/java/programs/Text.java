// Builders, joiners, scanners and formats that call toString.
import java.io.*;
import java.util.*;

public class Text {
    static class Word implements CharSequence {
        final String text;
        int reads;
        Word(String text) { this.text = text; }
        public int length() { return text.length(); }
        public char charAt(int index) { reads++; return text.charAt(index); }
        public CharSequence subSequence(int from, int to) { return text.subSequence(from, to); }
        @Override public String toString() { reads++; return text; }
    }
    public static void main(String[] args) throws Exception {
        Word word = new Word("word");
        StringBuilder builder = new StringBuilder().append(word).append((Object) word).append(word, 0, 2);
        StringWriter writer = new StringWriter();
        try (PrintWriter out = new PrintWriter(writer)) { out.print(word); out.printf("%s-%d", word, 3); }
        StringJoiner joiner = new StringJoiner(",", "<", ">");
        joiner.add(word).add("x");
        BufferedReader reader = new BufferedReader(new StringReader("one\ntwo"));
        System.out.println(builder + writer.toString() + joiner + reader.readLine() + String.join("/", word, "y"));
        Scanner scanner = new Scanner("4 five");
        System.out.println(scanner.nextInt() + scanner.next() + String.valueOf(word) + Objects.hash(word, 1));
    }
}
