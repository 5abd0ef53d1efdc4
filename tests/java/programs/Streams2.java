// Output streams of our own under those of the library.
import java.io.*;

public class Streams2 {
    static class Counting extends OutputStream {
        int bytes, flushes;
        @Override public void write(int b) { bytes++; }
        @Override public void flush() { flushes++; }
    }
    static class Upper extends FilterOutputStream {
        Upper(OutputStream out) { super(out); }
        @Override public void write(int b) throws IOException { out.write(Character.toUpperCase(b)); }
    }
    static class Zeros extends InputStream { int left = 3; @Override public int read() { return left-- > 0 ? 0 : -1; } }
    public static void main(String[] args) throws IOException {
        Counting counting = new Counting();
        try (PrintStream out = new PrintStream(new Upper(counting))) { out.print("text"); out.println(12); }
        DataOutputStream data = new DataOutputStream(new BufferedOutputStream(counting));
        data.writeInt(7);
        data.flush();
        System.out.println((counting.bytes > 4) + " " + (counting.flushes > 0) + new Zeros().readAllBytes().length);
    }
}
