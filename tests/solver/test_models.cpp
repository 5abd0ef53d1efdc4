#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "base/process/text_file.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/generate_application.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

TEST_CASE("the engine gives every verdict that models/ expects") {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator{LOCKWOOD_SOURCE_DIR "/models"})
    if (entry.path().extension() == ".dpn") files.insert(entry.path());
  CHECK(files.size() > 10);
  for (const auto& path : files) {
    const ModelFile file = parse_dpn(read_text_file(path), path.filename().string());
    for (const Query& query : file.queries) {
      CAPTURE(path.filename().string());
      CAPTURE(to_text(file.network, query));
      REQUIRE(query.expected.has_value());
      CHECK(to_string(solver::solve(file.network, solver::problem_of(query)).verdict) == to_string(*query.expected));
    }
  }
}

TEST_CASE("the engine gives every verdict that models like applications expect") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    ApplicationShape shape{.locks = seed % 5, .depth = 1 + seed % 3, .threads = seed % 4, .seed = seed};
    shape.rules = least_rules(shape) + 10 * seed;
    const ModelFile file = generate_application(shape);
    for (const Query& query : file.queries) {
      if (!query.expected) continue;
      CAPTURE(seed);
      CAPTURE(to_text(file.network, query));
      CHECK(to_string(solver::solve(file.network, solver::problem_of(query)).verdict) == to_string(*query.expected));
    }
  }
}
