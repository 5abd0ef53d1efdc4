#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/ids/random.hpp"
#include "base/text/diagnostic.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/interpreter/exploration.hpp"
#include "tests/frontend/program/interpreter/random_text.hpp"

namespace lockwood::program {
namespace {

// Procedures as they are written, each on a line of its own: a digest needs no more.
std::map<std::string, std::string> texts_of(const Program& program, const std::string& text) {
  std::vector<std::string> lines{""};
  for (char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  }
  std::map<std::string, std::string> texts;
  for (const Procedure& procedure : program.procedures) {
    std::string& all = texts[procedure.name];
    for (std::uint32_t line = procedure.range.begin.line; line <= procedure.range.end.line; ++line)
      all += lines[line - 1] + '\n';
  }
  return texts;
}

// One character of it, which is a digit, is another one. None if there is no digit.
std::optional<std::string> edited(std::string text, Random& random) {
  std::vector<std::size_t> digits;
  const std::size_t body = text.find("proc ");
  for (std::size_t i = body; i + 1 < text.size(); ++i) {
    const bool alone = text[i - 1] == ' ' && (text[i + 1] == ';' || text[i + 1] == ')' || text[i + 1] == ' ');
    if (text[i] >= '0' && text[i] <= '9' && alone) digits.push_back(i);
  }
  if (digits.empty()) return std::nullopt;
  char& digit = text[digits[random.below(digits.size())]];
  digit = digit == '0' ? '1' : '0';
  return text;
}

std::set<explorer::ObservationKey> keys(const Exploration& found) {
  std::set<explorer::ObservationKey> result;
  for (const ExploredFinding& each : found.findings) result.insert(key_of(each.observation));
  return result;
}

constexpr std::size_t max_states = 5'000;

struct Tally {
  std::size_t edits = 0;
  std::size_t pruning = 0;
  std::size_t findings = 0;
};

void check_edits(std::uint64_t seed, Tally& tally) {
  Random random{seed};
  std::string text = random_text(seed, 3);
  lw::ProgramText source = lw::read_program(text, "random.lw");
  Exploration known = explore(source.program, {.max_states = max_states, .keep_states = true, .shortening_states = 0});
  for (int edit = 0; edit < 4 && known.is_complete(); ++edit) {
    const VersionStore before{
        .common = "", .procedures = texts_of(source.program, text), .states = std::move(known.states)};
    CHECK(read_version_store(to_bytes(before), "x") == before);
    const auto next = edited(text, random);
    if (!next) return;
    CAPTURE(seed);
    CAPTURE(text);
    CAPTURE(*next);
    text = *next;
    source = lw::read_program(text, "random.lw");
    const Exploration fresh = explore(source.program, {.max_states = max_states, .shortening_states = 0});
    known = explore(source.program, {.max_states = max_states,
                                     .before = &before,
                                     .changed = changed_classes(before.procedures, texts_of(source.program, text)),
                                     .keep_states = true,
                                     .shortening_states = 0});
    if (!fresh.is_complete()) return;
    ++tally.edits;
    CHECK(known.is_complete());
    CHECK(keys(known) == keys(fresh));
    CHECK(known.counters.states <= fresh.counters.states);
    tally.pruning += known.counters.pruned > 0 ? 1U : 0U;
    tally.findings += fresh.findings.empty() ? 0U : 1U;
  }
}

}  // namespace

TEST_CASE("after a change, the same is found as by a fresh search") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 150; ++seed) check_edits(seed, tally);
  CHECK(tally.edits > 300);
  CHECK(tally.pruning > 50);
  CHECK(tally.findings > 100);
}

TEST_CASE("after a change, the same is found as by a fresh search, on many programs [full]") {
  Tally tally;
  for (std::uint64_t seed = 1000; seed < 4000; ++seed) check_edits(seed, tally);
  CHECK(tally.edits > 10'000);
}

TEST_CASE("a state has one name in all versions, and different states have different ones") {
  const auto name_after = [](const std::string& text, std::size_t steps) {
    const lw::ProgramText source = lw::read_program(text, "p.lw");
    ProgramMachine machine{source.program};
    for (std::size_t i = 0; i < steps; ++i) CHECK(!machine.step({explorer::ThreadId{0}, 0}));
    return machine.state_name();
  };
  const std::string text = "var x;\nproc main() { x = 1; x = 2; x = 1; g(); }\nproc g() { x = 3; }\n";
  const std::string longer =
      "var x;\nproc a() { skip; }\nproc main() { x = 1; x = 2; x = 1; g(); }\nproc g() { a(); }\n";
  std::set<StateName> names;
  for (std::size_t steps = 0; steps < 3; ++steps) {
    CHECK(name_after(text, steps) == name_after(longer, steps));
    names.insert(name_after(text, steps));
  }
  CHECK(names.size() == 3);
}

TEST_CASE("half a store, and something else, are refused") {
  const VersionStore store{.common = "c", .procedures = {{"main", "d"}}, .states = {{{1, 2}, 3}, {{4, 5}, 6}}};
  const std::string bytes = to_bytes(store);
  CHECK(read_version_store(bytes, "x") == store);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(static_cast<void>(read_version_store(bytes.substr(0, size), "x")), InputError);
  CHECK_THROWS_AS(static_cast<void>(read_version_store("{}\n", "x")), InputError);
}

}  // namespace lockwood::program
