#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "frontend/findings/analyses/same_model.hpp"
#include "frontend/lsp/analysis.hpp"
#include "frontend/lsp/program_names.hpp"
#include "frontend/lsp/reading.hpp"
#include "frontend/lsp/rename.hpp"
#include "frontend/lsp/repairs.hpp"
#include "tests/oracle/program/random_program.hpp"

// What editors change in a text: names, locks around statements, remarks. Each change is made, and the text is analysed
// anew.
namespace lockwood::lsp {
namespace {

using Names = std::map<std::string, std::string>;

std::shared_ptr<const Reading> read_text(const std::string& text) {
  return read(Text{text}, "p.lw", Language::Program, {});
}

Analysis findings_of(const Reading& reading) {
  Analysis last;
  analyse(reading, {}, {}, [&](const Analysis& analysis) { last = analysis; });
  return last;
}

std::string called(const Names& names, const std::string& word) {
  const auto found = names.find(word);
  return found == names.end() ? word : found->second;
}

// What was found, in words that do not depend on columns, with some names replaced by others. The locks of a deadlock
// are in the order of their names, which may change.
std::multiset<std::string> told(const Analysis& analysis, const Names& variables, const Names& locks,
                                const Names& procedures) {
  std::multiset<std::string> all;
  for (const ShownFinding& shown : analysis.findings) {
    const findings::Finding& finding = *shown.finding;
    std::string text = findings::to_string(finding.rule);
    if (finding.rule == findings::Rule::Race) text += " " + called(variables, finding.subject);
    std::multiset<std::string> sites;
    for (const findings::Site& site : finding.sites) {
      std::string where = called(procedures, site.at.procedure) + ":" + std::to_string(site.at.begin.line) + " " +
                          (finding.rule == findings::Rule::Race ? site.role : "");
      std::set<std::string> held;
      for (const std::string& lock : site.holds) held.insert(called(locks, lock));
      for (const std::string& lock : held) where += " " + lock;
      sites.insert(where);
    }
    for (const std::string& site : sites) text += ", " + site;
    if (finding.certainty) text += std::string{" "} + findings::to_string(*finding.certainty);
    all.insert(text);
  }
  return all;
}

// A program with remarks in which variables and locks are named.
std::string program_with_remarks(std::uint64_t seed) {
  std::string text = lw::random_program(seed, {.statements = 8, .joins = seed % 3 == 0, .arithmetic = seed % 4 == 1});
  Random random{seed};
  const std::vector<std::string> remarks{"// lockwood: ignore race(x0) -- known\n",
                                         "// lockwood: ignore race( x1 ) -- x1 is a statistic\n",
                                         "/* lockwood: ignore deadlock(l0,l1) -- l0 (x0) */\n", "// x0 and l0\n"};
  for (const std::string& remark : remarks) {
    std::size_t at = text.find('\n', random.below(text.size()));
    if (at != std::string::npos) text.insert(at + 1, remark);
  }
  return text;
}

TEST_CASE("findings are the same with another name, and the old name gives the old text") {
  const std::vector<std::string> fresh{"renamed", "_", "Z9", "a_very_long_name_that_nobody_has_used_before"};
  const std::vector<std::string> reserved{"sync", "thread", "true", "or"};
  std::size_t renamed = 0;
  std::size_t refused = 0;
  std::size_t other_words = 0;
  std::set<std::size_t> kinds;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const std::string text = program_with_remarks(seed);
    CAPTURE(text);
    const auto reading = read_text(text);
    REQUIRE(reading->program);
    const lw::ProgramText& program = reading->program->source();
    const Analysis before = findings_of(*reading);
    Random random{seed};
    for (int i = 0; i < 6; ++i) {
      const lw::NameId name{random.below(program.tree.names.size())};
      const std::string from = program.tree.names[name].text;
      const bool is_fresh = i < 2;
      const lw::NameId other{random.below(program.tree.names.size())};
      const std::string to = is_fresh               ? fresh.at(random.below(fresh.size()))
                             : random.below(8) == 0 ? reserved.at(random.below(reserved.size()))
                                                    : program.tree.names[other].text;
      CAPTURE(from);
      CAPTURE(to);
      std::vector<Change> changes;
      try {
        changes = renaming(program, name, to);
      } catch (const NotRenamed& why) {
        ++refused;
        const std::string sentence = why.what();
        REQUIRE((!is_fresh || from == "main"));
        REQUIRE(sentence.find("'" + from + "'") != std::string::npos);
        continue;
      }
      REQUIRE(std::ranges::find(reserved, to) == reserved.end());
      ++renamed;
      kinds.insert(program.referents[name].index());
      const std::string after_text = changed(text, changes);
      CAPTURE(after_text);
      const auto after = read_text(after_text);
      REQUIRE(after->program);
      REQUIRE(findings::same_model(reading->program->lowered(), after->program->lowered()));
      // Comments are as they were, but for the lists of names in remarks.
      REQUIRE(program.tree.comments.size() == after->program->source().tree.comments.size());
      for (std::size_t c = 0; c < program.tree.comments.size(); ++c)
        if (program.tree.comments[c].text != after->program->source().tree.comments[c].text) ++other_words;
      const lw::Referent& meant = program.referents[name];
      const auto map_of = [&](bool of_this_kind) { return of_this_kind ? Names{{from, to}} : Names{}; };
      const Names variables = map_of(std::holds_alternative<program::Variable>(meant));
      const Names locks = map_of(std::holds_alternative<program::Lock>(meant));
      const Names procedures = map_of(std::holds_alternative<program::ProcedureId>(meant));
      REQUIRE(told(findings_of(*after), {}, {}, {}) == told(before, variables, locks, procedures));
      // And back, wherever the name is asked for.
      const auto again = mentions(after->program->source(), name);
      REQUIRE(changed(after_text, renaming(after->program->source(), again.at(random.below(again.size())), from)) ==
              text);
    }
  }
  CHECK(renamed > 250);
  CHECK(refused > 100);
  CHECK(other_words > 20);
  CHECK(kinds.size() == 6);  // variables, locks, procedures, locals, labels, handles
}

std::string refusal(const std::string& text, const std::string& at, const std::string& to) {
  const auto reading = read_text(text);
  const lw::ProgramText& program = reading->program->source();
  try {
    return changed(text, renaming(program, name_at(program, text.find(at)).value(), to));
  } catch (const NotRenamed& why) {
    return why.what();
  }
}

TEST_CASE("a name that would change the meaning is refused with a reason") {
  const std::string text =
      "var x, y; lock a;\n"
      "proc main() { spawn f(1); x = 1; }\n"
      "proc f(n) { local i = n; here: sync (a) { y = i; } }  // lockwood: ignore race(z) -- gone\n";
  CHECK(refusal(text, "x,", "y") == "'x' cannot be called 'y': 'y' is declared already, in line 1");
  CHECK(refusal(text, "a;", "f") == "'a' cannot be called 'f': 'f' is declared already, in line 3");
  CHECK(refusal(text, "i =", "y") == "'i' cannot be called 'y': 'y' in line 3 would mean something else");
  CHECK(refusal(text, "y;", "i") == "'y' cannot be called 'i': 'i' in line 3 would mean something else");
  CHECK(refusal(text, "n)", "i").find("proc f(i) { local i = i;") != std::string::npos);  // hides it, as it may
  CHECK(refusal(text, "i =", "while") == "'i' cannot be called 'while': 'while' is a reserved word");
  CHECK(refusal(text, "i =", "2i") ==
        "'i' cannot be called '2i': a name is a letter or '_', and then letters, digits and '_'");
  CHECK(refusal(text, "i =", "") ==
        "'i' cannot be called '': a name is a letter or '_', and then letters, digits and '_'");
  CHECK(refusal(text, "main", "start") == "'main' is where the program begins, and keeps its name");
  CHECK(refusal(text, "f(1)", "main") == "'f' cannot be called 'main': 'main' is declared already, in line 2");
  CHECK(refusal(text, "x =", "z") == "'x' cannot be called 'z': a comment in line 3 ignores findings of 'z' already");
  CHECK(refusal(text, "here", "y").find("y: sync") != std::string::npos);  // labels are names of their own
}

TEST_CASE("models keep their verdicts with another name") {
  std::size_t renamed = 0;
  std::size_t refused = 0;
  for (const char* file : {"fig1.dpn", "philosophers-3.dpn", "peterson.dpn", "table1.dpn"}) {
    const std::filesystem::path path = std::filesystem::path{LOCKWOOD_SOURCE_DIR} / "models" / file;
    std::ifstream stream{path, std::ios::binary};
    if (!stream) continue;
    const std::string text{std::istreambuf_iterator<char>{stream}, {}};
    const auto reading = read(Text{text}, file, Language::Model, {});
    REQUIRE(reading->model);
    const auto names = model_names(text);
    std::set<std::string> done;
    for (const ModelName& name : names) {
      if (!done.insert(std::string{name.text}).second) continue;
      CAPTURE(name.text);
      try {
        const std::string after = changed(text, renaming(text, *reading->model, names, name, "renamed"));
        const auto again = read(Text{after}, file, Language::Model, {});
        REQUIRE(again->model);
        CHECK(again->model->network.rules() == reading->model->network.rules());
        const auto new_names = model_names(after);
        const auto at = std::ranges::find(new_names, "renamed", &ModelName::text);
        CHECK(changed(after, renaming(after, *again->model, new_names, *at, name.text)) == text);
        ++renamed;
      } catch (const NotRenamed&) {
        ++refused;
      }
    }
  }
  CHECK(renamed > 20);
  CHECK(refused > 5);  // words of the language, and names of several things
}

std::set<std::string> races_on(const Analysis& analysis, const std::string& variable) {
  std::set<std::string> ids;
  for (const ShownFinding* shown : chosen(analysis, {.rule = "race", .subject = variable}))
    ids.insert(shown->finding->id);
  return ids;
}

// Threads pass values on in locals, or branch on shared variables.
std::string racy_program(std::uint64_t seed) {
  if (seed % 2 == 0) return lw::random_carriers(seed);
  return lw::random_program(seed,
                            {.statements = 7, .locks = 1, .spawns = 4, .joins = seed % 5 == 0, .arithmetic = true});
}

TEST_CASE("the lock that is advised removes all races of the variable, and makes no deadlock") {
  std::size_t guarded = 0;
  std::size_t split = 0;
  std::size_t parts = 0;
  std::size_t left = 0;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    const std::string text = racy_program(seed);
    CAPTURE(text);
    const auto reading = read_text(text);
    REQUIRE(reading->program);
    const Analysis before = findings_of(*reading);
    if (!before.decisions.advice) continue;
    for (const findings::VariableAdvice& advice : *before.decisions.advice) {
      const std::string variable = reading->program->source().program.variables[advice.variable].name;
      if (races_on(before, variable).empty()) continue;  // the values exclude them
      // Line by line, fewer races are left, and no new ones.
      for (const findings::LockAddition::Around& around : advice.addition->around) {
        const std::uint32_t line = reading->program->lowered().accesses[around.at.index()].range.begin.line;
        const auto part = guarding(*reading->program, advice, line);
        if (!part) continue;
        ++parts;
        const auto after = read_text(changed(text, part->changes));
        REQUIRE(after->program);
        CHECK(std::ranges::includes(races_on(before, variable), races_on(findings_of(*after), variable)));
      }
      const auto repair = guarding(*reading->program, advice);
      if (!repair) {
        ++left;
        continue;
      }
      ++guarded;
      const std::string after_text = changed(text, repair->changes);
      CAPTURE(after_text);
      if (after_text.find("; sync (") != std::string::npos) ++split;
      const auto after = read_text(after_text);
      REQUIRE(after->program);
      const Analysis now = findings_of(*after);
      CHECK(races_on(now, variable).empty());
      const auto deadlocks = [](const Analysis& analysis) { return chosen(analysis, {.rule = "deadlock"}).size(); };
      CHECK(deadlocks(now) <= deadlocks(before));
    }
  }
  CHECK(guarded > 60);
  CHECK(split > 5);
  CHECK(parts > 60);
  CHECK(left > 0);
}

TEST_CASE("a lock goes around whole lines, and locals stay known behind it") {
  const std::string text =
      "var x; lock a;\n"
      "proc main() { spawn f(); sync (a) { x = 1; } sync (a) { x = 2; } }\n"
      "proc f() {\n"
      "  local i = x, j = 2;\n"
      "  if (x > j) {\n"
      "    // why\n"
      "    i = 1;\n"
      "  }\n"
      "  L: x = i;\n"
      "}\n";
  const auto reading = read_text(text);
  const Analysis analysis = findings_of(*reading);
  REQUIRE(analysis.decisions.advice);
  const auto repair = guarding(*reading->program, analysis.decisions.advice->front());
  REQUIRE(repair);
  CHECK(repair->lock == "a");
  CHECK(repair->statements == 3);
  CHECK(changed(text, repair->changes) ==
        "var x; lock a;\n"
        "proc main() { spawn f(); sync (a) { x = 1; } sync (a) { x = 2; } }\n"
        "proc f() {\n"
        "  local i, j; sync (a) { i = x; j = 2; }\n"
        "  sync (a) {\n"
        "    if (x > j) {\n"
        "      // why\n"
        "      i = 1;\n"
        "    }\n"
        "  }\n"
        "  L: sync (a) { x = i; }\n"
        "}\n");
  const auto offered = [](const std::string& racy) {
    const auto racy_reading = read_text(racy);
    const Analysis racy_analysis = findings_of(*racy_reading);
    const findings::VariableAdvice& advice = racy_analysis.decisions.advice->front();
    REQUIRE(advice.addition);
    return guarding(*racy_reading->program, advice).has_value();
  };
  CHECK(offered("var x; lock a; proc main() { spawn f(); sync (a) { x = 1; } }\nproc f() { x = 2; }"));
  // A loop that waits for x would keep others from setting it.
  CHECK(!offered("var x; lock a; proc main() { spawn f(); sync (a) { x = 1; } }\nproc f() { while (x == 0) { } }"));
  // Only the first of two statements would be the body; the other one would set another i.
  CHECK(
      offered("var x; lock a; proc main() { spawn f(); sync (a) { x = 1; } }\nproc f() { local i; { local i = x; } }"));
  CHECK(!offered(
      "var x; lock a; proc main() { spawn f(); sync (a) { x = 1; } }\nproc f() { local i; if (*) local i = x; }"));
  CHECK(!offered(
      "var x; lock a; proc main() { spawn f(); sync (a) { x = 1; } }\nproc f() { local i = 1; { local i = x + i; } }"));
  // Either lock around a call that takes both makes a deadlock with some other thread.
  CHECK(
      !offered("var x; lock a, b;\nproc main() { spawn f(); spawn h(); sync (a) { sync (b) { x = 1; } } }\n"
               "proc f() { x = g(); }\nproc g() { sync (a) { skip; } sync (b) { skip; } return 1; }\n"
               "proc h() { sync (b) { sync (a) { skip; } } }\n"));
}

TEST_CASE("a remark does not come between another one and its line") {
  const auto with_remark = [](const std::string& text, const std::string& at) {
    const auto change = ignore_remark(*read_text(text), text.find(at), "race", "x");
    return change ? changed(text, {*change}) : "";
  };
  const std::string line = "  x = y;";
  const std::string text = "var x, y; proc main() { spawn f();\n  // lockwood: ignore race(y) -- known\n" + line +
                           "\n}\nproc f() { x = 2; }\n";
  std::string expected = text;
  expected.insert(text.find(line) + line.size(), "  // lockwood: ignore race(x) -- say why");
  CHECK(with_remark(text, "x = y") == expected);
  CHECK(with_remark(expected, "x = y").empty());  // there is a comment behind it now
  CHECK(with_remark(text, "x = 2") ==
        text.substr(0, text.find("proc f")) + "// lockwood: ignore race(x) -- say why\nproc f() { x = 2; }\n");
}

TEST_CASE("a remark that is put at a finding hides the findings of its subject there, and nothing else") {
  std::size_t ignored = 0;
  std::size_t behind = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::string text = racy_program(seed);
    if (seed % 3 == 0) {  // several statements in a line, and a comment before some of them
      Random random{seed};
      for (std::size_t at = text.find(";\n"); at != std::string::npos; at = text.find(";\n", at + 1))
        if (random.below(3) == 0) text.replace(at, 2, random.below(2) == 0 ? "; " : ";/* one\n two */ ");
    }
    CAPTURE(text);
    const auto reading = read_text(text);
    if (!reading->program) continue;
    const Analysis before = findings_of(*reading);
    for (std::size_t i = 0; i < before.findings.size() && i < 3; ++i) {
      const ShownFinding& shown = before.findings[i];
      const findings::Finding& finding = *shown.finding;
      const auto change =
          ignore_remark(*reading, shown.sites.front().begin, findings::to_string(finding.rule), finding.subject);
      if (!change) continue;
      ++ignored;
      if (change->text.front() == ' ' && change->text.back() != '\n') ++behind;
      const std::string after_text = changed(text, {*change});
      CAPTURE(after_text);
      const auto after = read_text(after_text);
      REQUIRE(after->program);
      std::multiset<std::string> expected;
      const std::uint32_t line = reading->lines.position(shown.sites.front().begin).line;
      for (const ShownFinding& other : before.findings) {
        const bool hidden = other.finding->rule == finding.rule && other.finding->subject == finding.subject &&
                            std::ranges::any_of(other.finding->sites, [&](const findings::Site& site) {
                              return site.at.begin.line <= line && line <= site.at.end.line;
                            });
        if (!hidden) expected.insert(other.finding->id);
      }
      std::multiset<std::string> found;
      const Analysis now = findings_of(*after);
      for (const ShownFinding& other : now.findings) found.insert(other.finding->id);
      CHECK(found == expected);
      CHECK(std::ranges::none_of(now.remarks, [](const Remark& remark) {
        return remark.message.find("to ignore here") != std::string::npos;
      }));
    }
  }
  CHECK(ignored > 100);
  CHECK(behind > 5);
}

}  // namespace
}  // namespace lockwood::lsp
