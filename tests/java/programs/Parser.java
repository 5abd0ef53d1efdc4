// A recursive descent parser with errors.
public class Parser {
    static class Syntax extends RuntimeException { final int at; Syntax(int at) { super("at " + at); this.at = at; } }
    final String text;
    int at;
    Parser(String text) { this.text = text; }
    char peek() { return at < text.length() ? text.charAt(at) : '$'; }
    int expression() {
        int value = term();
        while (peek() == '+' || peek() == '-') { char sign = text.charAt(at++); value = sign == '+' ? value + term() : value - term(); }
        return value;
    }
    int term() {
        int value = factor();
        while (peek() == '*' || peek() == '/') { char sign = text.charAt(at++); value = sign == '*' ? value * factor() : value / factor(); }
        return value;
    }
    int factor() {
        if (peek() == '(') {
            at++;
            int value = expression();
            if (peek() != ')') throw new Syntax(at);
            at++;
            return value;
        }
        int begin = at;
        while (Character.isDigit(peek())) at++;
        return Integer.parseInt(text.substring(begin, at));
    }
    public static void main(String[] args) {
        for (String text : new String[] {"1+2*(3-4)", "(1", "x", "4/0"})
            try {
                System.out.println(new Parser(text).expression());
            } catch (Syntax e) {
                System.out.println(e.at);
            } catch (NumberFormatException e) {
                System.out.println("number");
            } catch (ArithmeticException e) {
                System.out.println("zero");
            }
    }
}
