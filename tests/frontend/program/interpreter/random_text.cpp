#include "tests/frontend/program/interpreter/random_text.hpp"

#include <vector>

#include "base/ids/random.hpp"

namespace lockwood::program {
namespace {

class TextWriter {
 public:
  TextWriter(std::uint64_t seed, std::size_t statements, bool joins)
      : random_{seed}, statements_{statements}, joins_{joins} {}

  std::string run() && {
    text_ = "var x, y, z = 1;\nlock a, b;\n";
    // Called procedures come before those that call them, so that there is no recursion.
    const std::size_t procedures = 1 + random_.below(3);
    for (std::size_t i = 0; i < procedures; ++i) {
      text_ += "proc p" + std::to_string(i) + "(n) {\n  local k = n;\n";
      callable_ = i;
      handles_ = 0;
      body();
      text_ += "}\n";
    }
    text_ += "proc main() {\n  local n = 0;\n  local k = 0;\n";
    callable_ = procedures;
    handles_ = 0;
    if (joins_ && random_.percent(60)) {
      ++handles_;
      line(1, "thread t0 = spawn p" + std::to_string(random_.below(procedures)) + "(" + constant() + ");");
    }
    for (std::size_t i = 1 + random_.below(2); i-- > 0;)
      text_ += "  spawn p" + std::to_string(random_.below(procedures)) + "(" + constant() + ");\n";
    body();
    text_ += "}\n";
    return std::move(text_);
  }

 private:
  void body() {
    for (std::size_t i = 1 + random_.below(statements_); i-- > 0;) statement(1);
  }
  std::string constant() { return std::to_string(random_.below(3)); }
  std::string variable() { return std::string(1, "xyz"[random_.below(3)]); }
  std::string local() { return random_.percent(50) ? "n" : "k"; }
  std::string value() {
    switch (random_.below(5)) {
      case 0: return variable();
      case 1: return local();
      case 2: return "1 - " + variable();
      default: return constant();
    }
  }
  std::string condition() {
    switch (random_.below(4)) {
      case 0: return "*";
      case 1: return local() + " == " + constant();
      case 2: return variable() + " == " + constant() + " && " + variable() + " != " + constant();
      default: return variable() + " == " + constant();
    }
  }
  // Mostly another one than the innermost: then there are deadlocks.
  std::string lock() {
    if (!held_.empty() && random_.percent(80)) return held_.back() == 'a' ? "b" : "a";
    return std::string(1, "ab"[random_.below(2)]);
  }
  void line(std::size_t depth, const std::string& text) { text_ += std::string(2 * depth, ' ') + text + "\n"; }
  void block(std::size_t depth) {
    for (std::size_t i = random_.below(3) + 1; i-- > 0;) statement(depth + 1);
  }

  // Handles are declared at the beginning of their procedures, where nobody can come twice.
  bool waited(std::size_t depth) {
    if (!joins_ || !random_.percent(30)) return false;
    const std::size_t kind = random_.below(10);
    if (kind < 4 && handles_ > 0) {
      line(depth, "join t" + std::to_string(random_.below(handles_)) + ";");
    } else if (kind < 6) {
      line(depth, "join;");
    } else if (kind < 8 && depth == 1 && callable_ > 0 && spawns_ < 3) {
      ++spawns_;
      line(depth, "thread t" + std::to_string(handles_) + " = spawn p" + std::to_string(random_.below(callable_)) +
                      "(" + local() + ");");
      ++handles_;
    } else if (depth < 3) {
      line(depth, "finish {");
      if (callable_ > 0 && loops_ == 0 && spawns_ < 3) {
        ++spawns_;
        line(depth + 1, "spawn p" + std::to_string(random_.below(callable_)) + "(" + local() + ");");
      }
      block(depth);
      line(depth, "}");
    } else {
      return false;
    }
    return true;
  }

  void statement(std::size_t depth) {
    if (waited(depth)) return;
    const std::size_t kind = random_.below(100);
    if (kind < 22) return line(depth, variable() + " = " + value() + ";");
    if (kind < 32) return line(depth, local() + " = " + value() + ";");
    if (kind < 35) return line(depth, local() + " = 6 / " + variable() + ";");
    if (kind < 40) return line(depth, "assert(" + condition() + ");");
    if (kind < 41) return line(depth, "throw;");
    if (kind < 42) return line(depth, "return;");
    if (kind < 50 && callable_ > 0)
      return line(depth, "p" + std::to_string(random_.below(callable_)) + "(" + local() + ");");
    if (kind < 53 && callable_ > 0 && loops_ == 0 && spawns_ < 2) {
      ++spawns_;
      return line(depth, "spawn p" + std::to_string(random_.below(callable_)) + "(" + local() + ");");
    }
    if (kind < 60 && !held_.empty()) return line(depth, "wait(" + std::string(1, held_.back()) + ");");
    if (kind < 70 && !held_.empty())
      return line(depth, (random_.percent(50) ? "notify(" : "notifyAll(") + std::string(1, held_.back()) + ");");
    if (depth > 3) return line(depth, "skip;");
    if (kind < 85) return region(depth);
    if (kind < 90) {
      line(depth, "if (" + condition() + ") {");
      block(depth);
      line(depth, "} else {");
      block(depth);
      return line(depth, "}");
    }
    if (kind < 95) {
      line(depth, "try {");
      block(depth);
      line(depth, "} catch {");
      block(depth);
      return line(depth, "}");
    }
    line(depth, "while (" + condition() + ") {");
    ++loops_;
    block(depth);
    --loops_;
    line(depth, "}");
  }

  void region(std::size_t depth) {
    const std::string taken = lock();
    line(depth, "sync (" + taken + ") {");
    held_.push_back(taken.front());
    block(depth);
    held_.pop_back();
    line(depth, "}");
  }

  Random random_;
  std::size_t statements_;
  bool joins_;
  std::size_t handles_ = 0;  // of the procedure, so far
  std::string text_;
  std::vector<char> held_;
  std::size_t callable_ = 0;
  std::size_t loops_ = 0;
  std::size_t spawns_ = 0;
};

}  // namespace

std::string random_text(std::uint64_t seed, std::size_t statements) {
  return TextWriter{seed, statements, false}.run();
}

std::string random_text_with_joins(std::uint64_t seed, std::size_t statements) {
  return TextWriter{seed, statements, true}.run();
}

}  // namespace lockwood::program
