#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "frontend/java/facts/facts.hpp"
#include "frontend/java/facts/program_text.hpp"
#include "frontend/java/library/model_reader.hpp"
#include "frontend/java/pointsto/object_text.hpp"
#include "tests/frontend/java/compiled_program.hpp"

using namespace lockwood;
using namespace lockwood::java;
using namespace lockwood::java::test;

namespace fs = std::filesystem;

namespace {

const library::Library& models() {
  static const library::Library library = library::library_with({});
  return library;
}

struct Analysis {
  Analysis(const CompiledProgram& compiled, const std::string& main, PointsToOptions options = {})
      : program{compiled.open()},
        flow{points_to(program, models(), with_main(std::move(options), main))},
        facts{flow} {}
  static PointsToOptions with_main(PointsToOptions options, const std::string& main) {
    options.main = main;
    return options;
  }

  [[nodiscard]] ProcedureId method(std::string_view owner, std::string_view name) const {
    for (ProcedureId id : facts.calls.reached) {
      const Procedure& procedure = flow.universe().procedure(id);
      if (procedure.code && procedure.name == name && flow.universe().hierarchy().name(procedure.owner) == owner)
        return id;
    }
    FAIL("not reached: " << std::string{name});
    return ProcedureId{0};
  }
  // All lines about the method, one behind the other.
  [[nodiscard]] std::string text(std::string_view owner, std::string_view name) const {
    std::string all;
    for (const std::string& line : fact_lines(facts, method(owner, name))) all += line + "\n";
    return all;
  }
  [[nodiscard]] bool throws(std::string_view owner, std::string_view name, std::string_view type) const {
    for (CopyId copy : facts.calls.copies_of(method(owner, name)))
      for (ObjectId object : facts.exceptions.thrown(copy).list())
        if (flow.universe().hierarchy().name(flow.universe().objects()[object].type) == type) return true;
    return false;
  }
  [[nodiscard]] std::optional<FieldKey> field(std::string_view name) const {
    for (FieldKey key : flow.universe().fields().keys())
      if (flow.universe().fields()[key].name == name && flow.universe().fields()[key].declaration) return key;
    return std::nullopt;
  }
  // Whether the objects that are entered in the method are all unique.
  [[nodiscard]] bool locks_are_unique(std::string_view owner, std::string_view name) const {
    const std::string facts_text = text(owner, name);
    CHECK(facts_text.find(": unique") + 1 + facts_text.find(": not unique") + 1 > 0);
    return facts_text.find(": not unique") == std::string::npos && facts_text.find(": unique") != std::string::npos;
  }

  JavaProgram program;
  PointsTo flow;
  Facts facts;
};

const std::optional<CompiledProgram>& traps() {
  static const auto compiled = CompiledProgram::of_folder(fs::path{LOCKWOOD_SOURCE_DIR} / "models/java");
  return compiled;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("which locks are unique") {
  if (!traps()) return;
  // Two objects, told apart by their contexts: each is unique, and they are different locks.
  const Analysis t07{*traps(), "T07"};
  CHECK(t07.facts.calls.copies_of(t07.method("T07", "f")).size() == 2);
  CHECK(t07.locks_are_unique("T07", "f"));
  PointsToOptions insensitive;
  insensitive.contexts = false;
  CHECK_FALSE(Analysis{*traps(), "T07", insensitive}.locks_are_unique("T07", "f"));
  const Analysis t08{*traps(), "T08"};
  CHECK(t08.locks_are_unique("T08", "f"));
  CHECK(t08.locks_are_unique("T08", "main"));
  CHECK_FALSE(Analysis{*traps(), "T10"}.locks_are_unique("T10", "inc"));
  CHECK(Analysis{*traps(), "T15"}.locks_are_unique("T15", "f"));
  CHECK(Analysis{*traps(), "T19"}.locks_are_unique("T19", "put"));
  CHECK(Analysis{*traps(), "T22"}.locks_are_unique("T22", "main"));
  const Analysis t44{*traps(), "T44"};
  CHECK(t44.locks_are_unique("T44", "f"));
  CHECK(contains(t44.text("T44", "f"), "may run more than once: it is recursive"));
}

TEST_CASE("exclusive branches are still once, two calls in a row are not") {
  const auto compiled = CompiledProgram::of_text(R"(
    public class Main {
      static Object a() { return new Object(); } static Object b() { return new Object(); }
      static Object c() { return new Object(); } static Object d() { return new Object(); }
      static void one(Object o) { synchronized (o) { } } static void two(Object o) { synchronized (o) { } }
      static void three(Object o) { synchronized (o) { } } static void four(Object o) { synchronized (o) { } }
      static void wrap() { four(d()); }
      public static void main(String[] s) {
        one(s.length > 0 ? a() : a());
        two(b()); two(b());
        for (String t : s) three(c());
        if (s.length > 1) wrap(); else if (s.length > 2) wrap();
      } })");
  if (!compiled) return;
  // Without contexts, so that the copies of callers do not tell the calls apart.
  PointsToOptions options;
  options.contexts = false;
  const Analysis analysis{*compiled, "Main", options};
  CHECK(analysis.locks_are_unique("Main", "one"));
  CHECK_FALSE(analysis.locks_are_unique("Main", "two"));
  CHECK_FALSE(analysis.locks_are_unique("Main", "three"));
  CHECK(analysis.locks_are_unique("Main", "four"));
  // With them, each call of b makes an object of its own.
  const Analysis sensitive{*compiled, "Main"};
  CHECK(sensitive.locks_are_unique("Main", "two"));
  CHECK_FALSE(sensitive.locks_are_unique("Main", "three"));
}

TEST_CASE("effectively final fields") {
  if (!traps()) return;
  const Analysis t12{*traps(), "T12"};
  CHECK(t12.facts.final_fields.contains(t12.field("m").value()));
  CHECK_FALSE(t12.facts.final_fields.contains(t12.field("n").value()));
  const Analysis t13{*traps(), "T13"};
  CHECK_FALSE(t13.facts.final_fields.contains(t13.field("m").value()));
  const auto compiled = CompiledProgram::of_text(R"(
    public class Main {
      Object quiet = new Object(), late, twice; static Main seen; static Object once = new Object();
      Main() { seen = this; late = new Object(); }
      Main(int k) { twice = null; twice = new Object(); }
      public static void main(String[] s) { new Main(); new Main(1); System.out.println(once); } })");
  if (!compiled) return;
  const Analysis analysis{*compiled, "Main"};
  const auto is_final = [&](std::string_view name) {
    return analysis.facts.final_fields.contains(analysis.field(name).value());
  };
  CHECK(is_final("quiet"));
  CHECK(is_final("once"));
  CHECK_FALSE(is_final("late"));
  CHECK_FALSE(is_final("twice"));
}

TEST_CASE("owned objects: until the start, until the escape") {
  if (!traps()) return;
  const Analysis t32{*traps(), "T32"};
  CHECK(contains(t32.text("T32$P", "<init>"), "putfield T32$P.v:I r0'this, r1'k, owned"));
  CHECK(contains(t32.text("T32", "main"), ", owned"));
  const Analysis t33{*traps(), "T33"};
  const std::string constructor = t33.text("T33$W", "<init>");
  const std::size_t write = constructor.find("putfield T33$W.v:I");
  REQUIRE(write != std::string::npos);
  CHECK_FALSE(contains(constructor.substr(write, constructor.find('\n', write) - write), ", owned"));
  const auto compiled = CompiledProgram::of_text(R"(
    public class Main {
      int v; Main next; static Main shared;
      static Main fresh() { Main m = new Main(); m.v = 1; return m; }
      static void loop(int n) { for (int i = 0; i < n; i++) { Main m = new Main(); m.v = i; shared = m; } }
      static void leaked() { Main m = new Main(); shared = m; m.v = 2; }
      static void use() { Main m = fresh(); m.v = 3; }
      static void set(Main m) { m.v = 4; } static void keep(Main m) { m.v = 5; shared = m; m.v = 6; }
      public static void main(String[] s) { loop(s.length); leaked(); use(); set(new Main()); keep(new Main()); } })");
  if (!compiled) return;
  const Analysis analysis{*compiled, "Main"};
  const auto owned = [&](std::string_view name) {
    const std::string text = analysis.text("Main", name);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(", owned", at)) != std::string::npos; ++at)
      if (text.rfind("putfield", at) != std::string::npos && text.rfind('\n', at) < text.rfind("putfield", at)) ++count;
    return count;
  };
  CHECK(owned("fresh") == 1);
  CHECK(owned("loop") == 1);
  CHECK(owned("leaked") == 0);
  CHECK(owned("use") == 1);
  CHECK(owned("set") == 1);
  CHECK(owned("keep") == 1);
}

TEST_CASE("what can be thrown") {
  if (!traps()) return;
  const Analysis t18{*traps(), "T18"};
  CHECK(contains(t18.text("T18", "gate"), "throws nothing"));
  const Analysis t15{*traps(), "T15"};
  CHECK(t15.throws("T15", "f", "java/lang/IllegalStateException"));
  CHECK_FALSE(t15.throws("T15", "f", "java/lang/NullPointerException"));
  CHECK_FALSE(t15.throws("T15", "g", "java/lang/IllegalStateException"));
  const Analysis t16{*traps(), "T16"};
  CHECK(t16.throws("T16", "f", "java/lang/ArithmeticException"));
  const Analysis t46{*traps(), "T46"};
  CHECK_FALSE(t46.throws("T46", "lambda$main$0", "java/lang/NullPointerException"));
  // Nobody interrupts anybody in T03; in T04 main may be interrupted.
  CHECK_FALSE(Analysis{*traps(), "T03"}.throws("T03", "main", "java/lang/InterruptedException"));
  const Analysis t04{*traps(), "T04"};
  CHECK(contains(t04.text("T04", "main"), "InterruptedException"));
}

TEST_CASE("threads and joins") {
  if (!traps()) return;
  const Analysis t03{*traps(), "T03"};
  REQUIRE(t03.facts.threads.threads.size() == 1);
  CHECK(t03.facts.threads.threads[0].once);
  REQUIRE(t03.facts.threads.joins.size() == 1);
  CHECK(t03.facts.threads.joins[0].kind == JoinMatch::Kind::SameValue);
  CHECK(t03.facts.threads.unmatched_joins.empty());
  const Analysis t10{*traps(), "T10"};
  REQUIRE(t10.facts.threads.threads.size() == 2);
  CHECK_FALSE(t10.facts.threads.threads[0].once);
}

TEST_CASE("booleans that branches depend on") {
  if (!traps()) return;
  const Analysis t45{*traps(), "T45"};
  CHECK(t45.facts.booleans.parameters[t45.method("T45", "f").index()][0]);
  const Analysis t16{*traps(), "T16"};
  CHECK_FALSE(t16.facts.booleans.parameters[t16.method("T16", "f").index()][0]);
}

TEST_CASE("most exceptions of the machine are excluded") {
  if (!traps()) return;
  ImplicitFacts::Count sum;
  for (int i = 1; i <= 50; ++i) {
    const Analysis analysis{*traps(), (i < 10 ? "T0" : "T") + std::to_string(i)};
    const auto total = analysis.facts.implicit.total();
    sum.all += total.all;
    sum.excluded += total.excluded;
  }
  MESSAGE(sum.excluded << " of " << sum.all << " excluded");
  CHECK(10 * sum.excluded >= 8 * sum.all);
}
