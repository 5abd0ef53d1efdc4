#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "frontend/java/facts/unique_objects.hpp"
#include "frontend/java/library/model_reader.hpp"
#include "frontend/java/pointsto/object_text.hpp"
#include "frontend/java/pointsto/points_to.hpp"
#include "tests/frontend/java/compiled_program.hpp"
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
void check_twins(const CompiledProgram& compiled, const std::string& main) {
  CAPTURE(main);
  for (const bool contexts : {false, true}) {
    CAPTURE(contexts);
    JavaProgram program = compiled.open();
    PointsToOptions options;
    options.main = main;
    options.contexts = contexts;
    const PointsTo fast = points_to(program, models(), options);
    const EntryPoint entry = entry_point(fast.universe(), program);
    const auto slow = reference::naive_points_to(fast, entry);
    CHECK(reference::difference(fast, slow) == "");
    CHECK(slow.rounds > 1);
  }
}

}  // namespace

TEST_CASE("the traps: fast and slow points-to analysis agree") {
  const auto compiled = CompiledProgram::of_folder(fs::path{LOCKWOOD_SOURCE_DIR} / "models/java");
  if (!compiled) return;
  for (int i = 1; i <= 50; ++i) check_twins(*compiled, (i < 10 ? "T0" : "T") + std::to_string(i));
}
