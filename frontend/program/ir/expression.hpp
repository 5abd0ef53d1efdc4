#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/ids/id.hpp"

namespace lockwood::program {

// A local variable of a procedure: a row of the procedure's table of locals.
using Local = Id<struct LocalTag>;

// All values are 64-bit integers in two's complement, and arithmetic wraps around. A truth value is 0 or 1.
using Integer = std::int64_t;

enum class Operator {
  Negate,
  Not,    // 1 for 0, else 0
  Truth,  // 0 for 0, else 1
  Add,
  Subtract,
  Multiply,
  Divide,     // towards zero; not possible by zero
  Remainder,  // with the sign of the dividend; not possible by zero
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  And,
  Or
};

[[nodiscard]] constexpr bool is_unary(Operator op) { return op <= Operator::Truth; }

// An expression over the locals of a thread: reading shared state is an instruction of its own. In postfix order, so
// that an expression of any size is evaluated without recursion. Invariant: well-formed, it leaves exactly one value.
struct Expression {
  using Operation = std::variant<Integer, Local, Operator>;
  std::vector<Operation> postfix;
  friend bool operator==(const Expression&, const Expression&) = default;
};

[[nodiscard]] Expression constant(Integer value);
[[nodiscard]] Expression value_of(Local local);
[[nodiscard]] Expression apply(Operator op, Expression operand);
[[nodiscard]] Expression apply(Operator op, Expression left, const Expression& right);

// Whether it has a division or remainder: only these can go wrong.
[[nodiscard]] bool may_divide(const Expression& expression);

// The value; none if it divides by zero. `values` is indexed by the locals.
[[nodiscard]] std::optional<Integer> evaluate(const Expression& expression, std::span<const Integer> values);

// What is known of the value if only some locals are known.
struct PartialValue {
  std::optional<Integer> value;  // none: may be anything
  bool may_fail = false;         // may divide by zero
  bool must_fail = false;        // divides by zero for certain
};
[[nodiscard]] PartialValue evaluate(const Expression& expression, std::span<const std::optional<Integer>> values);

}  // namespace lockwood::program
