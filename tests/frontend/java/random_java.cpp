#include "tests/frontend/java/random_java.hpp"

#include <fmt/format.h>

#include <array>

namespace lockwood::java::test {
namespace {

class Writer {
 public:
  Writer(std::string name, Random& random) : name_{std::move(name)}, random_{random} {}

  std::string write() {
    text_ = fmt::format("public class {} {{\n", name_);
    text_ +=
        "  interface Op { A apply(A x); }\n  static class E extends RuntimeException { A a; E(A a) { this.a = a; } }\n";
    text_ += "  static A s0, s1; static Op op = x -> x;\n";
    text_ += "  static class A { A f, g; A[] array = new A[2]; Op op = x -> f;\n";
    methods();
    text_ += "  }\n  static class B extends A implements Op {\n    public A apply(A x) { return m0(x); }\n";
    methods();
    text_ += "  }\n  static class C extends B implements Runnable {\n    public void run() { m1(this); }\n";
    methods();
    text_ += "  }\n";
    for (int i = 0; i < 3; ++i) {
      text_ += fmt::format("  static A t{}(A x, A y) {{ A z = x;\n", i);
      body(false);
      text_ += "    return z; }\n";
    }
    text_ += "  public static void main(String[] arguments) { A x = new A(), y = new B(), z = new C();\n";
    for (int i = 0; i < 3; ++i) body(false);
    text_ += "  }\n}\n";
    return std::move(text_);
  }

 private:
  static constexpr std::array<const char*, 3> locals = {"x", "y", "z"};
  static constexpr std::array<const char*, 2> fields = {"f", "g"};
  static constexpr std::array<const char*, 3> classes = {"A", "B", "C"};

  template <std::size_t n>
  std::string any(const std::array<const char*, n>& names) {
    return names[random_.below(n)];
  }

  void methods() {
    for (int i = 0; i < 3; ++i) {
      if (random_.percent(30) && i == 2) continue;
      text_ += fmt::format("    A m{}(A x) {{ A y = this, z = x;\n", i);
      body(true);
      text_ += "    return z; }\n";
    }
  }

  void body(bool has_this) {
    const std::size_t count = 1 + random_.below(5);
    for (std::size_t i = 0; i < count; ++i) text_ += "      " + statement(has_this) + "\n";
  }

  std::string statement(bool has_this) {
    const std::string a = any(locals);
    const std::string b = any(locals);
    switch (random_.below(has_this ? 15 : 14)) {
      case 0: return fmt::format("{} = new {}();", a, any(classes));
      case 1: return fmt::format("{} = {};", a, b);
      case 2: return fmt::format("{} = {}.{};", a, b, any(fields));
      case 3: return fmt::format("{}.{} = {};", a, any(fields), b);
      case 4: return fmt::format("s{} = {};", random_.below(2), a);
      case 5: return fmt::format("{} = s{};", a, random_.below(2));
      case 6: return fmt::format("{} = {}.m{}({});", a, b, random_.below(2), any(locals));
      case 7: return fmt::format("{} = t{}({}, {});", a, random_.below(3), b, any(locals));
      case 8: return fmt::format("if ({0} instanceof B) {1} = (B) {0};", b, a);
      case 9: return fmt::format("{}.array[{}] = {};", a, random_.below(2), b);
      case 10: return fmt::format("{} = {}.array[0];", a, b);
      case 11:
        return fmt::format("try {{ {} = {}.m0({}); if ({} == null) throw new E({}); }} catch (E e) {{ {} = e.a; }}", a,
                           b, any(locals), a, b, any(locals));
      case 12: {
        const std::string captured = fmt::format("c{}", lambdas_++);
        return fmt::format("{{ final A {0} = {1}; op = v -> {0}.m1(v); {2} = op.apply({0}); }}", captured, a, b);
      }
      case 13: return fmt::format("if ({0} instanceof C) new Thread((C) {0}).start();", a);
      default: return fmt::format("{} = this.{};", a, any(fields));
    }
  }

  std::string name_;
  Random& random_;
  std::string text_;
  std::size_t lambdas_ = 0;
};

}  // namespace

std::string random_java(const std::string& name, Random& random) { return Writer{name, random}.write(); }

}  // namespace lockwood::java::test
