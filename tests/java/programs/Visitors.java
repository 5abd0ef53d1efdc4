// Double dispatch over an expression.
public class Visitors {
    interface Visitor<R> { R number(Number_ n); R sum(Sum s); }
    interface Expression { <R> R accept(Visitor<R> visitor); }
    static class Number_ implements Expression {
        final int value;
        Number_(int value) { this.value = value; }
        public <R> R accept(Visitor<R> visitor) { return visitor.number(this); }
    }
    static class Sum implements Expression {
        final Expression left, right;
        Sum(Expression left, Expression right) { this.left = left; this.right = right; }
        public <R> R accept(Visitor<R> visitor) { return visitor.sum(this); }
    }
    static class Evaluator implements Visitor<Integer> {
        int visits;
        public Integer number(Number_ n) { visits++; return n.value; }
        public Integer sum(Sum s) { visits++; return s.left.accept(this) + s.right.accept(this); }
    }
    static class Printer implements Visitor<StringBuilder> {
        final StringBuilder out = new StringBuilder();
        public StringBuilder number(Number_ n) { return out.append(n.value); }
        public StringBuilder sum(Sum s) { s.left.accept(this); out.append('+'); return s.right.accept(this); }
    }
    public static void main(String[] args) {
        Expression expression = new Sum(new Number_(1), new Sum(new Number_(2), new Number_(3)));
        System.out.println(expression.accept(new Printer()) + "=" + expression.accept(new Evaluator()));
    }
}
