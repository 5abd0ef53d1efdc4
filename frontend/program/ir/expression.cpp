#include "frontend/program/ir/expression.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::program {
namespace {

// Arithmetic of C++ on unsigned numbers wraps around as ours does; on signed ones it is undefined.
std::uint64_t bits(Integer value) { return static_cast<std::uint64_t>(value); }
Integer number(std::uint64_t value) { return static_cast<Integer>(value); }

Integer applied(Operator op, Integer operand) {
  switch (op) {
    case Operator::Negate: return number(0 - bits(operand));
    case Operator::Not: return operand == 0 ? 1 : 0;
    default: return operand == 0 ? 0 : 1;
  }
}

// None if it divides by zero. The least number divided by -1 wraps around to itself.
std::optional<Integer> applied(Operator op, Integer left, Integer right) {
  switch (op) {
    case Operator::Add: return number(bits(left) + bits(right));
    case Operator::Subtract: return number(bits(left) - bits(right));
    case Operator::Multiply: return number(bits(left) * bits(right));
    case Operator::Divide:
      if (right == 0) return std::nullopt;
      return right == -1 ? number(0 - bits(left)) : left / right;
    case Operator::Remainder:
      if (right == 0) return std::nullopt;
      return right == -1 ? 0 : left % right;
    case Operator::Equal: return left == right ? 1 : 0;
    case Operator::NotEqual: return left != right ? 1 : 0;
    case Operator::Less: return left < right ? 1 : 0;
    case Operator::LessEqual: return left <= right ? 1 : 0;
    case Operator::Greater: return left > right ? 1 : 0;
    case Operator::GreaterEqual: return left >= right ? 1 : 0;
    case Operator::And: return left != 0 && right != 0 ? 1 : 0;
    case Operator::Or: return left != 0 || right != 0 ? 1 : 0;
    case Operator::Negate:
    case Operator::Not:
    case Operator::Truth: break;
  }
  assert(false);
  return 0;
}

using Known = std::optional<Integer>;

// What one known operand says about the result: nothing, except that 0 decides a conjunction and 1 a disjunction.
Known partly_applied(Operator op, Known left, Known right) {
  const auto is = [](Known operand, bool truth) { return operand && (*operand != 0) == truth; };
  if (op == Operator::And && (is(left, false) || is(right, false))) return 0;
  if (op == Operator::Or && (is(left, true) || is(right, true))) return 1;
  return std::nullopt;
}

bool divides(Operator op) { return op == Operator::Divide || op == Operator::Remainder; }

}  // namespace

Expression constant(Integer value) { return {{value}}; }
Expression value_of(Local local) { return {{local}}; }
Expression apply(Operator op, Expression operand) {
  assert(is_unary(op));
  operand.postfix.emplace_back(op);
  return operand;
}
Expression apply(Operator op, Expression left, const Expression& right) {
  assert(!is_unary(op));
  left.postfix.insert(left.postfix.end(), right.postfix.begin(), right.postfix.end());
  left.postfix.emplace_back(op);
  return left;
}

bool may_divide(const Expression& expression) {
  return std::ranges::any_of(expression.postfix, [](const Expression::Operation& operation) {
    const auto* op = std::get_if<Operator>(&operation);
    return op != nullptr && divides(*op);
  });
}

PartialValue evaluate(const Expression& expression, std::span<const std::optional<Integer>> values) {
  PartialValue result;
  std::vector<Known> stack;
  for (const Expression::Operation& operation : expression.postfix) {
    if (const auto* literal = std::get_if<Integer>(&operation)) {
      stack.emplace_back(*literal);
      continue;
    }
    if (const auto* local = std::get_if<Local>(&operation)) {
      stack.push_back(values[local->index()]);
      continue;
    }
    const Operator op = std::get<Operator>(operation);
    const Known last = stack.back();
    if (is_unary(op)) {
      if (last) stack.back() = applied(op, *last);
      continue;
    }
    stack.pop_back();
    Known& left = stack.back();
    if (divides(op) && (!last || *last == 0)) {
      result.may_fail = true;
      result.must_fail |= last.has_value();
      left.reset();
    } else {
      left = left && last ? applied(op, *left, *last) : partly_applied(op, left, last);
    }
  }
  assert(stack.size() == 1);
  if (!result.must_fail) result.value = stack.back();
  return result;
}

std::optional<Integer> evaluate(const Expression& expression, std::span<const Integer> values) {
  const std::vector<std::optional<Integer>> known(values.begin(), values.end());
  return evaluate(expression, known).value;
}

}  // namespace lockwood::program
