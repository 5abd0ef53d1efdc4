#include <doctest/doctest.h>

#include "base/ids/random.hpp"
#include "base/text/diagnostic.hpp"
#include "explorer/trace/trace_file.hpp"

namespace lockwood::explorer {

TEST_CASE("a trace is read as it was written") {
  Random random{1};
  for (std::size_t round = 0; round < 500; ++round) {
    TraceFile file{
        .source = "a b.lw", .program = "digest " + std::to_string(round), .finding = "a \"quoted\" id", .trace = {}};
    for (std::size_t i = random.below(20); i-- > 0;) {
      TraceStep step{.thread = "main." + std::to_string(random.below(5)), .outcome = 0, .woken = {}};
      if (random.percent(30))
        step.woken = "main";
      else
        step.outcome = static_cast<std::uint32_t>(random.below(4));
      file.trace.push_back(step);
    }
    CHECK(read_trace(to_text(file), "x.trace") == file);
  }
}

TEST_CASE("half a trace, a changed one and something else are refused") {
  const TraceFile file{.source = "s", .program = "p", .finding = "f", .trace = {{"main", 0, {}}, {"main.1", 2, {}}}};
  const std::string text = to_text(file);
  for (std::size_t size = 0; size < text.size(); ++size)
    CHECK_THROWS_AS((void)read_trace(text.substr(0, size), "x"), InputError);
  CHECK_THROWS_AS((void)read_trace(text + "{}\n", "x"), InputError);
  for (const char* other : {"", "\n", "[]\n", "proc main() {}\n", "{\"format\":\"lockwood/trace/2\"}\n",
                            "{\"format\":\"lockwood/trace/1\",\"program\":1}\n"})
    CHECK_THROWS_AS((void)read_trace(other, "x"), InputError);
  std::string without = text;
  without.erase(without.find("{\"thread\""),
                without.find("\n{\"thread\":\"main.1\"") + 1 - without.find("{\"thread\""));
  CHECK_THROWS_AS((void)read_trace(without, "x"), InputError);
}

}  // namespace lockwood::explorer
