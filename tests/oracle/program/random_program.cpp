#include "tests/oracle/program/random_program.hpp"

#include <vector>

#include "base/ids/random.hpp"

namespace lockwood::lw {
namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomProgramShape& shape)
      : random_{seed}, shape_{shape}, spawns_{shape.spawns} {}

  std::string run() {
    for (std::size_t i = 0; i < shape_.variables; ++i)
      text_ +=
          "var x" + std::to_string(i) + (random_.percent(50) ? " = " + std::to_string(random_.below(3)) : "") + ";\n";
    if (shape_.locks > 0) {
      text_ += "lock ";
      for (std::size_t i = 0; i < shape_.locks; ++i) text_ += (i == 0 ? "a" : ", a") + std::to_string(i);
      text_ += ";\n";
    }
    for (std::size_t i = 0; i <= shape_.procedures; ++i)
      returns_bool_.push_back(i > 0 && shape_.bools && random_.percent(40));
    for (std::size_t i = 0; i <= shape_.procedures; ++i)
      takes_bool_.push_back(i > 0 && shape_.bools && random_.percent(40));
    for (std::size_t i = 0; i <= shape_.procedures; ++i) procedure(i);
    return text_;
  }

 private:
  void procedure(std::size_t number) {
    current_ = number;
    bools_.clear();
    text_ += number == 0 ? "proc main(" : "proc f" + std::to_string(number) + "(";
    if (takes_bool_[number]) {
      text_ += "bool p";
      bools_.emplace_back("p");
    }
    text_ += returns_bool_[number] ? "): bool " : ") ";
    budget_ = 1 + random_.below(shape_.statements);
    loops_ = 0;
    text_ += "{\n";
    indent_ = 1;
    if (shape_.bools && random_.percent(60)) {
      line("bool b" + (random_.percent(50) ? " = " + boolean(1) : "") + ";");
      bools_.emplace_back("b");
    }
    handles_.clear();
    if (shape_.joins && random_.percent(50)) {
      line(label() + "thread t;");
      handles_.emplace_back("t");
    }
    // A program of one thread is no test of locks.
    if (number == 0 && shape_.procedures > 0 && spawns_ > 0 && random_.percent(80)) spawn();
    statements(shape_.nesting);
    if (returns_bool_[number]) line("return " + boolean(2) + ";");
    text_ += "}\n";
  }

  void line(const std::string& content) { text_ += std::string(2 * indent_, ' ') + content + '\n'; }
  std::string label() { return "l" + std::to_string(++labels_) + ": "; }

  void statements(std::size_t depth) {
    const std::size_t known = bools_.size();
    const std::size_t known_handles = handles_.size();
    const std::size_t count = 1 + random_.below(3);
    for (std::size_t i = 0; i < count && budget_ > 0; ++i) {
      --budget_;
      statement(depth);
    }
    bools_.resize(known);
    handles_.resize(known_handles);
  }

  void spawn() {
    --spawns_;
    const std::string started = "spawn " + call(callee()) + ";";
    if (!shape_.joins || random_.percent(30)) return line(label() + started);
    if (!handles_.empty() && random_.percent(50)) return line(label() + any_handle() + " = " + started);
    const std::string handle = "t" + std::to_string(++labels_);
    line(label() + "thread " + handle + " = " + started);
    handles_.push_back(handle);
  }
  std::string any_handle() { return handles_[random_.below(handles_.size())]; }
  void join(std::size_t depth) {
    if (depth > 0 && random_.percent(30)) return block(label() + "finish", depth);
    if (handles_.empty() || random_.percent(30)) return line(label() + "join;");
    line(label() + "join " + any_handle() + ";");
  }
  void block(const std::string& head, std::size_t depth, const std::string& tail = "}") {
    line(head + " {");
    ++indent_;
    statements(depth - 1);
    --indent_;
    line(tail);
  }

  std::string variable() { return "x" + std::to_string(random_.below(shape_.variables)); }
  std::string lock() { return "a" + std::to_string(random_.below(shape_.locks)); }

  // A procedure further down, so that there is no recursion.
  [[nodiscard]] std::size_t callee() { return current_ + 1 + random_.below(shape_.procedures - current_); }
  std::string call(std::size_t number) {
    return "f" + std::to_string(number) + '(' + (takes_bool_[number] ? boolean(1) : "") + ')';
  }

  std::string boolean(std::size_t depth) {
    if (shape_.arithmetic && random_.percent(30)) return integer(depth) + comparison() + integer(depth);
    if (depth > 0 && random_.percent(40)) {
      if (random_.percent(40)) return "!(" + boolean(depth - 1) + ')';
      return '(' + boolean(depth - 1) + (random_.percent(50) ? " && " : " || ") + boolean(depth - 1) + ')';
    }
    if (!bools_.empty() && random_.percent(60)) return bools_[random_.below(bools_.size())];
    return random_.percent(30) ? "*" : random_.percent(50) ? "true" : "false";
  }
  std::string comparison() {
    constexpr const char* all[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    return all[random_.below(6)];
  }
  std::string integer(std::size_t depth) {
    if (!shape_.arithmetic)
      return random_.percent(50) && shape_.variables > 0 ? variable() : std::to_string(random_.below(3));
    if (depth > 0 && random_.percent(60)) {
      constexpr const char* all[] = {" + ", " - ", " * ", " / ", " % "};
      if (random_.percent(20)) return "-(" + integer(depth - 1) + ')';
      if (random_.percent(20)) return '(' + boolean(depth - 1) + ')';
      const std::string inner = integer(depth - 1) + all[random_.below(5)] + integer(depth - 1);
      return random_.percent(50) ? '(' + inner + ')' : inner;
    }
    if (random_.percent(30)) return "-" + std::to_string(random_.below(10));
    return random_.percent(50) && shape_.variables > 0 ? variable() : std::to_string(random_.below(3));
  }

  void statement(std::size_t depth) {
    if (shape_.joins && random_.percent(25)) return join(depth);
    const std::size_t kind = random_.below(20);
    const bool can_call = current_ < shape_.procedures;
    if (kind < 3 && shape_.variables > 0) return line(label() + variable() + " = " + integer(2) + ";");
    if (kind < 4 && shape_.variables > 0) return line(label() + "print(" + variable() + ", " + integer(1) + ");");
    if (kind < 6 && can_call && loops_ == 0 && spawns_ > 0) return spawn();
    if (kind < 8 && can_call) return called(callee());
    if (kind < 12 && depth > 0 && shape_.locks > 0) return block(label() + "sync (" + lock() + ")", depth);
    if (kind < 14 && depth > 0) return conditional(depth);
    if (kind < 15 && depth > 0 && shape_.loops) {
      ++loops_;
      block(label() + "while (" + boolean(1) + ")", depth);
      --loops_;
      return;
    }
    if (kind < 16 && shape_.bools && !bools_.empty())
      return line(label() + bools_[random_.below(bools_.size())] + " = " + boolean(2) + ";");
    if (kind < 17 && depth > 0 && shape_.jumps) {
      block(label() + "try", depth, "} catch {");
      ++indent_;
      statements(depth - 1);
      --indent_;
      return line("}");
    }
    if (kind < 19 && shape_.jumps) return jump();
    line(label() + (random_.percent(80) ? "skip;" : "assert(" + boolean(1) + ");"));
  }

  void called(std::size_t number) {
    // A call that may spawn is no statement for a loop.
    if (loops_ > 0) return line(label() + "skip;");
    if (!returns_bool_[number] || bools_.empty() || random_.percent(30)) return line(label() + call(number) + ";");
    if (random_.percent(50)) return line(label() + bools_[random_.below(bools_.size())] + " = " + call(number) + ";");
    block(label() + "if (" + call(number) + (random_.percent(50) ? " && " + boolean(1) : "") + ")", 1);
  }

  void conditional(std::size_t depth) {
    if (random_.percent(30)) {
      block(label() + "choose", depth, "} or {");
      ++indent_;
      statements(depth - 1);
      --indent_;
      return line("}");
    }
    const bool otherwise = random_.percent(50);
    block(label() + "if (" + boolean(2) + ")", depth, otherwise ? "} else {" : "}");
    if (!otherwise) return;
    ++indent_;
    statements(depth - 1);
    --indent_;
    line("}");
  }

  void jump() {
    const std::size_t kind = random_.below(loops_ > 0 ? 4 : 2);
    if (kind == 0) return line(label() + "throw;");
    if (kind == 1) return line(label() + (returns_bool_[current_] ? "return " + boolean(1) + ";" : "return;"));
    line(label() + (kind == 2 ? "break;" : "continue;"));
  }

  Random random_;
  RandomProgramShape shape_;
  std::string text_;
  std::vector<bool> returns_bool_;
  std::vector<bool> takes_bool_;
  std::vector<std::string> bools_;
  std::vector<std::string> handles_;
  std::size_t current_ = 0;
  std::size_t budget_ = 0;
  std::size_t loops_ = 0;
  std::size_t spawns_;
  std::size_t labels_ = 0;
  std::size_t indent_ = 0;
};

class CarrierGenerator {
 public:
  explicit CarrierGenerator(std::uint64_t seed) : random_{seed} {}

  std::string run() {
    std::string text = "var x0, x1, x2; lock a, b;\nproc main() { local i, j; " + label() + "spawn t(" + value() +
                       "); " + statements(2) + "}\n";
    text += "proc t(i) { local j; " + statements(2) + "}\n";
    text += "proc get(i) { local j = 1; " + (random_.percent(40) ? "sync (a) { " + returning() + "} " : returning()) +
            "}\n";
    return text + "proc put(i) { local j; " + statements(0) + label() + variable() + " = " + value() + "; }\n";
  }

 private:
  std::string label() { return "l" + std::to_string(++labels_) + ": "; }
  std::string variable() { return "x" + std::to_string(random_.below(3)); }
  std::string local() { return random_.percent(50) ? "i" : "j"; }
  std::string value() { return random_.percent(50) ? variable() : random_.percent(80) ? local() : "0"; }
  std::string returning() {
    return (random_.percent(50) ? label() + local() + " = " + value() + "; " : "") + label() + "return " + value() +
           "; ";
  }

  std::string statements(std::size_t depth) {
    std::string text;
    for (std::size_t count = 1 + random_.below(2 + depth); count > 0; --count) text += statement(depth);
    return text;
  }
  std::string statement(std::size_t depth) {
    const std::size_t kind = random_.below(depth == 0 ? 8 : 14);
    if (kind < 3) return label() + variable() + " = " + value() + "; ";
    if (kind < 5) return label() + local() + " = " + value() + "; ";
    if (kind == 5) return label() + variable() + " = " + value() + " + " + value() + "; ";
    if (kind == 6) return label() + local() + " = " + value() + " && " + variable() + "; ";
    if (kind == 7) return label() + "print(" + value() + "); ";
    if (kind == 8) return label() + "put(" + value() + "); ";
    if (kind == 9) return label() + (random_.percent(50) ? local() : variable()) + " = get(" + value() + "); ";
    if (kind == 10) return "try { " + label() + local() + " = " + value() + " / " + variable() + "; } catch { } ";
    if (kind == 11) return "if (*) { " + statements(depth - 1) + "} ";
    return std::string{random_.percent(50) ? "sync (a) { " : "sync (b) { "} + statements(depth - 1) + "} ";
  }

  Random random_;
  std::size_t labels_ = 0;
};

}  // namespace

std::string random_carriers(std::uint64_t seed) { return CarrierGenerator{seed}.run(); }

std::string random_program(std::uint64_t seed, const RandomProgramShape& shape) { return Generator{seed, shape}.run(); }

}  // namespace lockwood::lw
