#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/ids/random.hpp"
#include "frontend/java/facts/unique_objects.hpp"
#include "frontend/java/library/model_reader.hpp"
#include "frontend/java/pointsto/object_text.hpp"
#include "frontend/java/pointsto/points_to.hpp"
#include "tests/frontend/java/compiled_program.hpp"
#include "tests/frontend/java/random_java.hpp"
#include "tests/oracle/java/naive_points_to.hpp"

using namespace lockwood;
using namespace lockwood::java;
using namespace lockwood::java::test;

namespace fs = std::filesystem;

namespace {

const library::Library& models() {
  static const library::Library library = library::library_with({});
  return library;
}

// The fast and the slow analysis say the same, without contexts and with them.
PointsTo::Statistics check_twins(const CompiledProgram& compiled, const std::string& main,
                                 std::size_t max_contexts = 200'000) {
  CAPTURE(main);
  PointsTo::Statistics statistics;
  for (const bool contexts : {false, true}) {
    CAPTURE(contexts);
    JavaProgram program = compiled.open();
    PointsToOptions options;
    options.main = main;
    options.contexts = contexts;
    options.max_contexts = max_contexts;
    const PointsTo fast = points_to(program, models(), options);
    const EntryPoint entry = entry_point(fast.universe(), program);
    const auto slow = reference::naive_points_to(fast, entry);
    CHECK(reference::difference(fast, slow) == "");
    CHECK(slow.rounds > 1);
    statistics = fast.statistics();
  }
  return statistics;
}

// Random programs, compiled at once.
void check_random(std::uint64_t seed, std::size_t count) {
  Random random{seed};
  const CompiledProgram sources = CompiledProgram::empty();
  for (std::size_t i = 0; i < count; ++i)
    std::ofstream{fs::path{sources.folder()} / ("R" + std::to_string(i) + ".java")}
        << random_java("R" + std::to_string(i), random);
  const auto compiled = CompiledProgram::of_folder(sources.folder());
  if (!compiled) return;
  std::size_t collapsed = 0;
  std::size_t orderings = 0;
  std::size_t given_up = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto statistics = check_twins(*compiled, "R" + std::to_string(i), random.percent(30) ? 15 : 200'000);
    collapsed += statistics.counts.collapsed;
    orderings += statistics.counts.orderings;
    given_up += statistics.insensitive;
  }
  MESSAGE(orderings << " orderings, " << collapsed << " nodes collapsed, " << given_up << " methods without contexts");
  // The cases that the fast one has and the slow one has not.
  CHECK(orderings > 0);
  CHECK(collapsed > 0);
  CHECK(given_up > 0);
}

}  // namespace

TEST_CASE("the traps: fast and slow points-to analysis agree") {
  const auto compiled = CompiledProgram::of_folder(fs::path{LOCKWOOD_SOURCE_DIR} / "models/java");
  if (!compiled) return;
  for (int i = 1; i <= 50; ++i) check_twins(*compiled, (i < 10 ? "T0" : "T") + std::to_string(i));
}

TEST_CASE("random programs: fast and slow points-to analysis agree") { check_random(1, 25); }

TEST_CASE("many random programs: fast and slow points-to analysis agree [full]") {
  for (std::uint64_t seed = 2; seed < 12; ++seed) check_random(seed, 100);
}

TEST_CASE("defaults, inner classes, generics, exceptions and reflection: both agree, and say what is so") {
  const auto compiled = CompiledProgram::of_text(R"(
    import java.util.function.*;
    public class Main {
      interface Shape { default Object area() { return new Object(); } Object corner(); }
      static abstract class Base implements Shape { public Object corner() { return area(); } }
      static class Square extends Base { public Object area() { return "square"; } }
      class Inner { Object owner() { return Main.this; } }
      static <T> T same(T t) { return t; }
      static class Failure extends Exception { final Object cause; Failure(Object o) { cause = o; } }
      static void fail(Object o) throws Failure { throw new Failure(o); }
      public static class Plugin { public Plugin() { } public Object call(Object o) { return o; } }
      public static void main(String[] a) throws Exception {
        Shape s = a.length > 0 ? new Square() : new Base() { };
        Object o = s.corner();
        Main m = new Main(); Inner i = m.new Inner(); o = i.owner();
        String t = same("text");
        try { fail(t); } catch (Failure f) { o = f.cause; }
        Class<?> c = Class.forName("Main$Plugin");
        Object p = c.getDeclaredConstructor().newInstance();
        o = c.getMethod("call", Object.class).invoke(p, "argument");
        Class.forName(a[0]);
        int[][] grid = new int[3][4]; int[] row = grid[1].clone();
        Supplier<Main> make = Main::new; o = make.get();
        Function<Object, Object> id = Main::same; o = id.apply(row);
      } })");
  if (!compiled) return;
  check_twins(*compiled, "Main");
  JavaProgram program = compiled->open();
  const PointsTo flow = points_to(program, models(), {});
  std::vector<std::string> reached;
  for (const ProcedureCopy& copy : flow.copies())
    reached.push_back(flow.universe().name(flow.universe().procedure(copy.procedure)));
  const auto reaches = [&](const std::string& name) { return std::ranges::find(reached, name) != reached.end(); };
  CHECK(reaches("Main$Plugin.call(java.lang.Object)"));
  CHECK(reaches("Main$Plugin.<init>()"));
  CHECK(reaches("Main$Square.area()"));
  CHECK(reaches("Main$Shape.area()"));
  CHECK(reaches("Main.same(java.lang.Object)"));
  // The name that is not a constant is told, where it is.
  CHECK(std::ranges::any_of(flow.gaps(), [](const Gap& gap) {
    return gap.kind == GapKind::Reflection && gap.text.find("not a constant") != std::string::npos &&
           gap.place.find("Main.java") != std::string::npos;
  }));
}

TEST_CASE("contexts tell apart what one method does for several objects") {
  const auto compiled = CompiledProgram::of_text(R"(
    public class Main {
      Object kept; void set(Object o) { kept = o; } Object get() { return kept; }
      static Main make() { return new Main(); }
      public static void main(String[] a) {
        Main one = make(), two = make(); one.set("1"); two.set("2");
        Object first = one.get(), second = two.get(); System.out.println(first); } })");
  if (!compiled) return;
  JavaProgram program = compiled->open();
  for (const bool contexts : {false, true}) {
    PointsToOptions options;
    options.contexts = contexts;
    const PointsTo flow = points_to(program, models(), options);
    const CopyId main = flow.entries().front();
    const auto& body = flow.procedure(main).code->body;
    for (jvm::Register value : body.registers.keys())
      if (body.registers[value].name == "first" || body.registers[value].name == "second")
        CHECK(flow.objects(main, value).size() == (contexts ? 1 : 2));
  }
}

TEST_CASE("unclear and wrong main classes are refused in words") {
  const auto compiled = CompiledProgram::of_folder(fs::path{LOCKWOOD_SOURCE_DIR} / "models/java");
  if (!compiled) return;
  const auto message = [&](std::optional<std::string> main) -> std::string {
    JavaProgram program = compiled->open();
    PointsToOptions options;
    options.main = std::move(main);
    try {
      static_cast<void>(points_to(program, models(), options));
    } catch (const InputError& error) {
      return error.diagnostics().front().message + " " + error.diagnostics().front().hint;
    }
    return {};
  };
  CHECK(message(std::nullopt).find("--main=CLASS") != std::string::npos);
  CHECK(message("T99").find("there is no class 'T99'") != std::string::npos);
  CHECK(message("T32.P").find("no method 'public static void main") != std::string::npos);
}
