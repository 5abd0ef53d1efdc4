#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/ids/random.hpp"
#include "frontend/lsp/analysis.hpp"
#include "frontend/lsp/reading.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/lw/reparse.hpp"
#include "tests/frontend/lw/dump.hpp"
#include "tests/oracle/program/random_program.hpp"

// Somebody edits programs. What is read and analysed with the help of the text before is what one gets without it.
namespace lockwood::lsp {
namespace {

using dumping::dump;

constexpr std::array<std::string_view, 56> typed{" ",
                                                 "\n",
                                                 "\t",
                                                 "\r\n",
                                                 ";",
                                                 "}",
                                                 "{",
                                                 "(",
                                                 ")",
                                                 "x",
                                                 "1",
                                                 "0",
                                                 "+",
                                                 "-",
                                                 "*",
                                                 "/",
                                                 "//",
                                                 "/*",
                                                 "*/",
                                                 "// c\n",
                                                 "/* c */",
                                                 "/* \n */",
                                                 "&",
                                                 "#",
                                                 "\xC3\xA4",
                                                 "proc ",
                                                 "var ",
                                                 "lock ",
                                                 "skip;",
                                                 "l: ",
                                                 "L7: ",
                                                 "x0 = x0;",
                                                 "{ skip; }",
                                                 "if",
                                                 "else",
                                                 "sync (",
                                                 "return 1;",
                                                 "bool b;",
                                                 "local v0 = 1;",
                                                 "throw;",
                                                 "} proc q() { ",
                                                 "spawn",
                                                 "break;",
                                                 "true",
                                                 "while (*) ",
                                                 "a b",
                                                 "for (",
                                                 "[",
                                                 "?",
                                                 "'",
                                                 ".lock()",
                                                 "\"",
                                                 "do {",
                                                 "new x",
                                                 "volatile ",
                                                 "#"};

// A random change at a random place: something is typed, deleted, or copied from elsewhere.
class Typist {
 public:
  explicit Typist(std::uint64_t seed) : random_{seed} {}

  std::string edited(const std::string& text) {
    std::string result = text;
    const std::size_t begin = below(text.size() + 1);
    const std::size_t removed = below(3) == 0 ? std::min(below(12), text.size() - begin) : 0;
    std::string inserted{typed.at(below(typed.size()))};
    if (below(4) == 0) {  // a statement of the text, or some such piece
      const std::size_t from = below(text.size() + 1);
      const std::size_t end = std::min(text.find(';', from), text.size());
      inserted = text.substr(from, end - from + 1);
    }
    if (removed > 0 && below(2) == 0) inserted.clear();
    return result.replace(begin, removed, inserted);
  }

  // A change that keeps most programs as they are, or nearly so.
  std::string touched_up(const std::string& text) {
    constexpr std::array<std::string_view, 6> harmless{" ", "\n", "/* c */", "// c\n", "\n\n", "/*\n*/ "};
    std::string result = text;
    if (below(2) == 0) return edited(text);
    std::size_t at = below(text.size() + 1);
    if (below(4) == 0) {  // another number
      at = text.find_first_of("0123456789", at);
      if (at != std::string::npos && at > 0 && text[at - 1] == ' ') result[at] = static_cast<char>('0' + below(10));
      return result;
    }
    at = std::min(text.find(' ', at), text.size());
    return result.insert(at, harmless.at(below(harmless.size())));
  }

  std::size_t below(std::size_t bound) { return random_.below(bound); }

 private:
  Random random_;
};

std::vector<std::string> texts() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator{LOCKWOOD_SOURCE_DIR "/models"})
    if (entry.path().extension() == ".lw") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file{path, std::ios::binary};
    texts.emplace_back(std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{});
  }
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    texts.push_back(lw::random_program(seed, {.statements = 9, .arithmetic = seed % 2 == 0}));
  return texts;
}

// All of the program that is read, or else what is wrong with it.
template <class Read>
std::string outcome(Read read) {
  try {
    return dump(read());
  } catch (const InputError& error) {
    return dump(error.diagnostics());
  }
}

TEST_CASE("a program that is read again after an edit is what it is without the text before") {
  std::size_t good = 0;
  std::size_t again = 0;
  std::size_t again_with_errors = 0;
  std::uint64_t seed = 0;
  for (const std::string& first : texts()) {
    Typist typist{++seed};
    lw::ProgramText before = lw::read_program(first, "p.lw");
    REQUIRE(dump(lw::read_program_again(first, before)) == dump(before));
    std::string text = first;
    for (int i = 0; i < 150; ++i) {
      text = typist.edited(text);
      CAPTURE(before.text);
      CAPTURE(text);
      const std::string expected = outcome([&] { return lw::read_program(text, "p.lw"); });
      REQUIRE(outcome([&] { return lw::read_program_again(text, before); }) == expected);
      try {
        if (lw::reparse(before.tree, before.text, text, "p.lw")) ++again;
      } catch (const InputError&) {
        ++again_with_errors;
      }
      try {
        before = lw::read_program(text, "p.lw");
        ++good;
      } catch (const InputError&) {
        if (typist.below(3) > 0) text = before.text;
      }
    }
  }
  CHECK(good > 1000);
  CHECK(again > 1000);
  CHECK(again_with_errors > 1000);
}

TEST_CASE("other procedures are read again if the type of a parameter or a result changes") {
  const std::string first =
      "var x; proc main() { local n = 2; bool b = f(n); x = f(n); if (f(3)) { x = 1; } } proc f(int a) { return a; }";
  for (const auto& [from, to] : {std::pair{"int a", "bool a"}, std::pair{") { return", "): bool { return"}}) {
    std::string text = first;
    text.replace(text.find(from), std::string_view{from}.size(), to);
    CAPTURE(text);
    const lw::ProgramText before = lw::read_program(first, "p.lw");
    CHECK(lw::reparse(before.tree, before.text, text, "p.lw"));
    CHECK(dump(lw::read_program_again(text, before)) == dump(lw::read_program(text, "p.lw")));
  }
}

Analysis analysed(const Reading& reading, const Decisions& earlier) {
  Analysis last;
  try {
    analyse(reading, earlier, {}, [&](const Analysis& analysis) { last = analysis; });
  } catch (const InputError&) {  // a model that explodes
  }
  return last;
}

std::string shown(const Analysis& analysis) {
  return dump(analysis.remarks) + dump(analysis.races_of_variables) + dump(analysis.races_in_procedures) +
         dump(analysis.verdicts) + dump(analysis.races_known);
}

// Two threads take two locks in opposite orders, and write a variable.
const std::string crossing =
    "var x = 0; lock a, b;\nproc main() { spawn other(); local n = 2;\n sync (a) { sync (b) { x = n; } } x = 1; }\n"
    "proc other() { sync (b) { sync (a) { skip; } }\n x = x + 3; }\n";

TEST_CASE("findings that are made of earlier decisions are those that are decided anew") {
  std::size_t kept = 0;
  std::size_t kept_races = 0;
  std::size_t kept_deadlocks = 0;
  std::size_t decided = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Typist typist{seed};
    const std::string first = seed % 3 == 0 ? crossing : lw::random_program(seed, {.statements = 7});
    auto reading = read(Text{first}, "p.lw", Language::Program, {});
    REQUIRE(reading->program);
    Decisions earlier = analysed(*reading, {}).decisions;
    for (int i = 0; i < 12; ++i) {
      const std::string text = typist.touched_up(reading->text.content());
      const auto next = read(Text{text}, "p.lw", Language::Program, {}, reading.get());
      if (!next->program) continue;
      CAPTURE(reading->text.content());
      CAPTURE(text);
      const Analysis analysis = analysed(*next, earlier);
      REQUIRE(shown(analysis) == shown(analysed(*next, {})));
      if (analysis.decisions.races && analysis.decisions.races == earlier.races) {
        ++kept;
        if (!analysis.decisions.races->empty()) ++kept_races;
        if (!analysis.decisions.deadlocks->cycles.empty()) ++kept_deadlocks;
      } else {
        ++decided;
      }
      earlier = analysis.decisions;
      reading = next;
    }
  }
  CHECK(kept > 400);
  CHECK(kept_races > 100);
  CHECK(kept_deadlocks > 20);
  CHECK(decided > 20);
}

TEST_CASE("nothing is kept if only where a rule leads changes") {
  const std::string first = "var x; proc main() { t(); u(); spawn t(); t(); } proc t() { x = 1; } proc u() { skip; }";
  std::string text = first;
  text.replace(text.find("spawn t"), 7, "spawn u");
  const auto reading = read(Text{first}, "p.lw", Language::Program, {});
  const Analysis before = analysed(*reading, {});
  CHECK(before.races_of_variables.at("x") == 1);
  const auto next = read(Text{text}, "p.lw", Language::Program, {}, reading.get());
  CHECK(analysed(*next, before.decisions).races_of_variables.empty());
}

TEST_CASE("kept findings follow the text, the remarks in it, and the values") {
  const std::string first = "var x; proc main() { spawn f(); x = 1; }\nproc f() { if (x == 0) { x = 2; } }";
  const auto reading = read(Text{first}, "p.lw", Language::Program, {});
  const Analysis before = analysed(*reading, {});
  REQUIRE(before.races_of_variables.at("x") == 2);
  const auto after = [&](std::string text) {
    const auto next = read(Text{std::move(text)}, "p.lw", Language::Program, {}, reading.get());
    Analysis analysis = analysed(*next, before.decisions);
    CHECK(analysis.decisions.races == before.decisions.races);
    CHECK(analysis.decisions.deadlocks == before.decisions.deadlocks);
    CHECK(shown(analysis) == shown(analysed(*next, {})));
    return analysis;
  };
  std::string text = first;
  CHECK(after(text.insert(0, "// one line more\n")).remarks[0].range.begin == before.remarks[0].range.begin + 17);
  text = first;
  CHECK(after(text.insert(first.find('\n'), "  // lockwood: ignore race(x) -- known")).races_of_variables.empty());
  // The branch is not taken any more: a search with the values excludes the race in it.
  text = first;
  CHECK(after(text.replace(text.find("== 0"), 4, "== 7")).races_of_variables.at("x") == 1);
}

}  // namespace
}  // namespace lockwood::lsp
