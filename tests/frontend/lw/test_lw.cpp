#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/ids/random.hpp"
#include "base/process/text_file.hpp"
#include "frontend/lw/parser.hpp"
#include "frontend/lw/printer.hpp"
#include "frontend/lw/program_text.hpp"
#include "tests/oracle/program/random_program.hpp"

namespace lockwood::lw {
namespace {

const std::filesystem::path root{LOCKWOOD_SOURCE_DIR};

// What is wrong with the text; empty if nothing is.
std::string refusal(const std::string& text) {
  try {
    static_cast<void>(read_program(text, "p.lw"));
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

bool refused(const std::string& text, const std::string& part) {
  const std::string why = refusal(text);
  CAPTURE(text);
  CAPTURE(why);
  CHECK(why.find(part) != std::string::npos);
  return why.find(part) != std::string::npos;
}

std::string in_main(const std::string& statements) { return "var x; lock a; proc main() { " + statements + " }"; }

std::vector<std::string> warnings_of(const std::string& text) {
  const ProgramText program = read_program(text, "p.lw");
  std::vector<std::string> names;
  for (const program::Warning& warning : program.warnings)
    names.push_back(std::to_string(warning.range.begin.line) + ' ' + std::string{program::name_of(warning.code)});
  return names;
}

// Places apart, both trees have the same nodes in the same order.
void check_same(const SyntaxTree& a, const SyntaxTree& b) {
  REQUIRE(a.names.size() == b.names.size());
  REQUIRE(a.expressions.size() == b.expressions.size());
  REQUIRE(a.statements.size() == b.statements.size());
  for (NameId name : a.names.keys()) CHECK(a.names[name].text == b.names[name].text);
  for (ExpressionId id : a.expressions.keys()) {
    CHECK(a.expressions[id].form.index() == b.expressions[id].form.index());
    CHECK(to_text(a, id) == to_text(b, id));
  }
  for (StatementId id : a.statements.keys()) CHECK(a.statements[id].form.index() == b.statements[id].form.index());
}

TEST_CASE("reading what was printed gives the same tree") {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = random_program(seed, {.statements = 12, .arithmetic = seed % 2 == 1});
    CAPTURE(seed);
    CAPTURE(text);
    const SyntaxTree tree = parse(text, "random.lw");
    const std::string printed = to_text(tree);
    CAPTURE(printed);
    const SyntaxTree again = parse(printed, "printed.lw");
    check_same(tree, again);
    CHECK(to_text(again) == printed);
  }
}

TEST_CASE("reading what was printed of a model gives the same tree") {
  for (const auto& entry : std::filesystem::directory_iterator{root / "models"}) {
    if (entry.path().extension() != ".lw") continue;
    CAPTURE(entry.path().string());
    const SyntaxTree tree = parse(read_text_file(entry.path().string()), entry.path().string());
    check_same(tree, parse(to_text(tree), "printed.lw"));
  }
}

TEST_CASE("every construct is printed as it is written") {
  const std::string text =
      "var x = -3, y;\n"
      "lock a, b;\n"
      "\n"
      "proc f(n, bool ok): bool {\n"
      "  return ok && n > 0 || !(x == y);\n"
      "}\n"
      "\n"
      "proc main() {\n"
      "  local i = 0, j;\n"
      "  bool p = *, q = f(-(-1), true);\n"
      "  one: two: x = -(-i) - (j - 1) * 2;\n"
      "  x += 1 % (2 / i);\n"
      "  sync (a) {\n"
      "    wait(a);\n"
      "    notify(a);\n"
      "    notifyAll(a);\n"
      "  }\n"
      "  if (p) {\n"
      "    f(1, q);\n"
      "  } else if (x < 3 == true) {\n"
      "    spawn main();\n"
      "  } else {\n"
      "    throw;\n"
      "  }\n"
      "  while (*) {\n"
      "    choose {\n"
      "      break;\n"
      "    } or {\n"
      "      continue;\n"
      "    } or {}\n"
      "  }\n"
      "  try {\n"
      "    assert(x != 1);\n"
      "    {\n"
      "      print(x, i);\n"
      "    }\n"
      "  } catch {\n"
      "    skip;\n"
      "  }\n"
      "  return;\n"
      "}\n";
  CHECK(to_text(parse(text, "p.lw")) == text);
}

TEST_CASE("what users also write is read") {
  const SyntaxTree tree = parse(
      "proc main() { int i = 1; if (i == 1) i++; else i -= 1; while (true) sync (a) i = 2; } lock a; /* c */ // d",
      "p.lw");
  CHECK(to_text(tree).find("i += 1;") != std::string::npos);
  REQUIRE(tree.comments.size() == 2);
  CHECK(tree.comments[0].text == "c");
  CHECK(tree.comments[1].text == "d");
}

TEST_CASE("comments know their lines and whether they stand alone") {
  const ProgramText program =
      read_program("// first\nvar x; // race x\nproc main() { x = 1; }\n  /* two\n lines */\n", "p");
  REQUIRE(program.comments.size() == 3);
  CHECK(program.comments[0].text == "first");
  CHECK(program.comments[0].alone);
  CHECK(program.comments[1].text == "race x");
  CHECK(program.comments[1].line == 2);
  CHECK(!program.comments[1].alone);
  CHECK(program.comments[2].line == 5);
  CHECK(program.comments[2].alone);
  CHECK(!read_program("proc main() {\n  /* in front */ skip;\n}\n", "p").comments[0].alone);
}

TEST_CASE("errors have a place, a caret and a suggestion") {
  CHECK(refusal("var total;\nproc main() {\n  totla = 1;\n}\n") ==
        "p.lw:3:3: error: unknown name 'totla': expected a variable\n"
        "      totla = 1;\n"
        "      ^~~~~\n"
        "    did you mean 'total'?\n");
  CHECK(refusal("var x\nproc main() {}\n") ==
        "p.lw:1:5: error: expected ';' after the declaration, found 'proc'\n"
        "    var x\n"
        "        ^\n");
}

TEST_CASE("one run shows several errors") {
  const std::string why =
      refusal("var x;\nproc main() {\n  x = ;\n  if (x > 1 { skip; }\n  y = 2;\n  spawn 3;\n}\nproc f( { }\nvar 3;\n");
  for (const char* place : {"p.lw:3:7:", "p.lw:4:13:", "p.lw:6:9:", "p.lw:8:9:", "p.lw:9:5:"})
    CHECK_MESSAGE(why.find(place) != std::string::npos, why);
  const std::string names = refusal("proc main() { a = 1; b = c; sync (d) {} f(); }");
  CHECK(std::ranges::count(names, '^') == 5);
}

TEST_CASE("bad programs are refused with the reason") {
  refused("", "there is no procedure 'main'");
  refused("proc mian() {}", "should 'mian' be it?");
  refused("proc main(n) {}", "'main' has no parameters");
  refused("var x, x; proc main() {}", "'x' is declared already, in line 1");
  refused("var x; lock x; proc main() {}", "'x' is declared already");
  refused(in_main("local i; local i;"), "'i' is declared already in this block");
  refused(in_main("a = 1;"), "'a' is a lock, expected a variable");
  refused(in_main("sync (x) {}"), "'x' is a shared variable, expected a lock");
  refused(in_main("x();"), "'x' is a shared variable, expected a procedure");
  refused(in_main("break;"), "'break' outside a loop");
  refused(in_main("continue;"), "'continue' outside a loop");
  refused(in_main("l: skip; l: skip;"), "label 'l' is there already");
  refused(in_main("x = f();") + "proc f() {}", "procedure 'f' returns no value");
  refused(in_main("f(1, 2);") + "proc f(n) {}", "procedure 'f' has 1 parameter, not 2");
  refused(in_main("x = 9223372036854775808;"), "does not fit into 64 bits");
  CHECK(refusal(in_main("x = -9223372036854775808;")).empty());
  refused(in_main("{ local i; } i = 1;"), "unknown name 'i'");
  refused(in_main("x = 1 | 2;"), "expected '||'");
  refused(in_main("x = 12ab;"), "'12ab' is not a number and not a name");
  refused(in_main("x = \"s\";"), "does not belong here");
  refused(in_main("/* x"), "this comment does not end");
  refused("proc main() { if (*) { skip; }\nproc f() {}", "this block is not closed, found 'proc'");
  refused("proc main() {} }", "this '}' closes nothing");
  refused(in_main("whlie (*) { skip; }"), "did you mean 'while'?");
  refused(in_main("wait(a);"), "the lock is never held here");
  refused("vra x;", "did you mean 'var'?");
  refused(in_main("if = 2;"), "expected '(' after 'if'");
  refused(in_main("local while;"), "'while' is a word of the language");
}

TEST_CASE("what other languages have is one error, which tells what to write instead") {
  struct Foreign {
    const char* statement;
    const char* message;
    const char* advice;
  };
  for (const auto& [statement, message, advice] : std::vector<Foreign>{
           {"for (int i = 0; i < 3; i++) { x = 1; }", "there is no 'for'", "'while (x < 3) { …; x++; }'"},
           {"for (i = 0; i < 3; i++) x = 2;", "there is no 'for'", "while"},
           {"for i in range(3): x = 1;", "there is no 'for'", "while"},
           {"do { x = 1; } while (x < 2);", "there is no 'do'", "while (true)"},
           {"switch (x) { case 1: x = 2; break; default: x = 3; }", "there is no 'switch'", "else if"},
           {"goto l;", "there is no 'goto'", "'break;'"},
           {"if (x == 1) then x = 2;", "there is no 'then'", "leave it out"},
           {"if (x == 1) { skip; } elif (x == 2) { skip; }", "there is no 'elif'", "else if"},
           {"if (x = 1) { skip; }", "expected ')'", "'==' compares"},
           {"if x == 1 { skip; }", "expected '('", "in parentheses"},
           {"synchronized (a) { x = 1; }", "there is no 'synchronized'", "sync (a)"},
           {"atomic { x = 1; }", "there is no 'atomic'", "sync (a)"},
           {"sync { x = 1; }", "expected '(' after 'sync'", "name a lock"},
           {"lock(a);", "expected a statement, found 'lock'", "'sync (a) { … }'"},
           {"unlock(a);", "unknown name 'unlock'", "'sync (a) { … }'"},
           {"pthread_mutex_lock(a);", "unknown name", "'sync (a) { … }'"},
           {"a.lock();", "'.' does not belong here", "'sync (a) { … }'"},
           {"wait();", "expected the name of a lock", "wait(a);"},
           {"a.notifyAll();", "'.' does not belong here", "'notifyAll(a);'"},
           {"signal(a);", "unknown name 'signal'", "'notify(a);'"},
           {"x = join t;", "expected an expression, found 'join'", "is a statement"},
           {"join(t);", "expected the name of a thread handle", "'join t;'"},
           {"t.join();", "'.' does not belong here", "'join t;'"},
           {"join a;", "expected a thread handle", "thread t = spawn f();"},
           {"await f();", "there is no 'await'", "join t;"},
           {"fork f();", "there is no 'fork'", "spawn f();"},
           {"spawn { x = 1; }", "expected the name of a procedure", "spawn f();"},
           {"new Thread(f);", "there is no 'new'", "no objects"},
           {"x = new Foo(1, 2);", "there is no 'new'", "no objects"},
           {"Thread t = f;", "there is no 'Thread'", "spawn f();"},
           {"volatile int y = 1;", "there is no 'volatile'", "all threads see at once"},
           {"final int y = 1;", "there is no 'final'", "leave it out"},
           {"unsigned y;", "there is no 'unsigned'", "leave it out"},
           {"boolean b = true;", "there is no 'boolean'", "bool b;"},
           {"Foo f = 1;", "expected '=' or '(' after 'Foo'", "int i;"},
           {"var y = 1;", "expected a statement, found 'var'", "outside of procedures"},
           {"lock b;", "expected a statement, found 'lock'", "outside of procedures"},
           {"x[x[0]] = 1;", "'[' does not belong here", "no arrays"},
           {"int y = x++;", "found '++'", "are statements"},
           {"++x;", "found '++'", "'x++;'"},
           {"x = x = 1;", "found '='", "has no value"},
           {"x := 1;", "expected a statement, found '='", "'x = 1;'"},
           {"x = x & 1;", "expected '&&'", "no operators on bits"},
           {"x = x << 1;", "found '<'", "no operators on bits"},
           {"x = ~x;", "'~' does not belong here", "no operators on bits"},
           {"x = x == 1 and x == 2;", "found 'and'", "'&&'"},
           {"if (not x) { skip; }", "there is no 'not'", "'!'"},
           {"x = True;", "unknown name 'True'", "'true'"},
           {"x = null;", "unknown name 'null'", "no references"},
           {"x = x ? 1 : 2;", "'?' does not belong here", "else"},
           {"x = 1.5;", "'1.5' is no integer", "integers"},
           {"print(\"x is \\\"one\\\"\", x);", "'\"' does not belong here", "no texts"},
           {"printf(1);", "unknown name 'printf'", "print(x);"},
           {"System.out.println(x);", "'.' does not belong here", "print(x);"},
           {"x = a;", "'a' is a lock", "sync (a)"},
           {"throw new Error(1);", "found 'new'", "no objects"},
           {"try { skip; } catch (Exception e) { x = 2; }", "expected '{' after 'catch'", "one kind of exception"},
           {"try { skip; } finally { skip; }", "expected 'catch'", "'try { … } catch { … }'"},
           {"sleep(1);", "unknown name 'sleep'", "no time"},
           {"# a comment", "'#' does not belong here", "'// …'"},
       }) {
    const std::string why = refusal("var x; lock a;\nproc main() {\n" + std::string{statement} + "\n}\n");
    CAPTURE(why);
    CHECK(why.starts_with("p.lw:3:"));
    CHECK(why.find(message) != std::string::npos);
    CHECK(why.find(advice) != std::string::npos);
    CHECK(why.find("error:") == why.rfind("error:"));
  }
  for (const auto& [declaration, message, advice] : std::vector<Foreign>{
           {"int y = 5;", "expected 'var', 'lock' or 'proc'", "'var x;'"},
           {"volatile int y;", "there is no 'volatile'", "all threads see at once"},
           {"class Foo { void f() { lock(a); } var y; }", "there is no 'class'", "'proc f() { … }'"},
           {"void f() { lock(a); x = 1; }", "there is no 'void'", "'proc f() { … }'"},
           {"def f(): x = 1", "there is no 'def'", "'proc f(n, bool b) { … }'"},
           {"proc int f() { return 1; }", "expected the name of a procedure", "'proc f(): int { … }'"},
           {"proc f(): void { skip; }", "expected 'int' or 'bool'", "'proc f() { … }'"},
           {"proc f(lock b) { skip; }", "expected the name of a parameter", "not passed"},
           {"proc f(String s) { skip; }", "expected ')' after the parameters", "truth values"},
           {"#include <pthread.h>", "'#' does not belong here", "one file"},
           {"x = 1;", "expected 'var', 'lock' or 'proc'", ""},
           {"join t;", "expected 'var', 'lock' or 'proc'", "inside of procedures"},
       }) {
    const std::string why = refusal(std::string{declaration} + "\nvar x; lock a;\nproc main() { skip; }\n");
    CAPTURE(why);
    CHECK(why.starts_with("p.lw:1:"));
    CHECK(why.find(message) != std::string::npos);
    CHECK(why.find(advice) != std::string::npos);
    CHECK(why.find("error:") == why.rfind("error:"));
  }
}

TEST_CASE("what is inside of a foreign statement is read, too") {
  const std::string why = refusal(in_main("for (;;) { x = ; do { y } } atomic { while x; } x = ;"));
  CHECK(std::ranges::count(why, '^') >= 6);
}

TEST_CASE("words of other languages may be names") {
  CHECK(
      refusal("var for, new, class, long, unsigned; lock mutex;\n"
              "proc main() {\n"
              "  for = new + class; long++; unsigned -= 1; then: skip;\n"
              "  switch(1); volatile(); sync (mutex) { for = not(long); }\n"
              "  local final = async(true) + null(); print(final);\n"
              "  goto: do();\n"
              "}\n"
              "proc switch(case) {} proc volatile() {} proc not(n) { return n; } proc async(bool await) { return 1; }\n"
              "proc null() { return 0; } proc do() {}\n")
          .empty());
}

TEST_CASE("deep nesting is an error, not a crash") {
  constexpr std::size_t deep = 100'000;
  const auto times = [](const std::string& text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
  };
  refused(in_main("x = " + times("(", deep) + "1" + times(")", deep) + ";"), "nested more than");
  refused(in_main("x = " + times("!", deep) + "1;"), "nested more than");
  refused(in_main(times("{", deep) + times("}", deep)), "nested more than");
  refused(in_main(times("if (*) ", deep) + "skip;"), "nested more than");
  refused(in_main("x = 1" + times(" + 1", deep) + ";"), "levels");
  CHECK(refusal(in_main("if (*) {}" + times(" else if (*) {}", deep / 10))).empty());
  CHECK(refusal(in_main("x = 1" + times(" + x", 300) + ";")).empty());
  CHECK(refusal(in_main("choose {}" + times(" or {}", 1000))).empty());
}

TEST_CASE("no text makes the parser crash") {
  Random random{7};
  const std::string sample = random_program(3, {.statements = 20, .arithmetic = true});
  const char* const foreign[] = {"for (",  " do ",         "volatile ", "new ", "class ",
                                 " long ", "switch (x) {", "then ",     ".f"};
  for (std::size_t round = 0; round < 3000; ++round) {
    std::string text = sample;
    for (std::size_t edit = 0; edit < 1 + random.below(4); ++edit) {
      const std::size_t at = random.below(text.size());
      const std::size_t kind = random.below(4);
      if (kind == 0) text.erase(at, 1 + random.below(20));
      if (kind == 1) text.insert(at, 1, "{}();:=*/+-!&|<>,x\"\n\t\x80 1[]?.'#@~"[random.below(31)]);
      if (kind == 3) text.insert(at, foreign[random.below(std::size(foreign))]);
      if (kind == 2) text.insert(at, sample.substr(random.below(sample.size()), random.below(30)));
      if (text.empty()) text = "x";
    }
    static_cast<void>(refusal(text));
  }
}

TEST_CASE("the programs in the manual are complete and give no warnings") {
  const std::string manual = read_text_file((root / "docs" / "language.md").string());
  std::size_t programs = 0;
  const std::string opening = "\n```lw\n";
  for (std::size_t at = manual.find(opening); at != std::string::npos; at = manual.find(opening, at + 1)) {
    const std::size_t begin = at + opening.size();
    const std::string text = manual.substr(begin, manual.find("```", begin) - begin);
    CAPTURE(text);
    const ProgramText program = read_program(text, "manual");
    for (const program::Warning& warning : program.warnings) CHECK_MESSAGE(false, warning.message);
    if (programs++ == 0) CHECK(text == read_text_file((root / "docs" / "examples" / "counter.lw").string()));
  }
  CHECK(programs >= 2);
}

TEST_CASE("each kind of warning is given where it belongs, and nowhere else") {
  using Names = std::vector<std::string>;
  CHECK(warnings_of("var x;\nproc main() {\n}") == Names{"1 unused-variable"});
  CHECK(warnings_of("lock a;\nproc main() {\n}") == Names{"1 unused-lock"});
  CHECK(warnings_of("proc main() {\n  local i = 1;\n}") == Names{"2 unused-local"});
  CHECK(warnings_of("proc main() {}\nproc f() { f(); }") == Names{"2 unreachable-procedure"});
  CHECK(warnings_of("proc main() {\n  return;\n  skip;\n  skip;\n}") == Names{"3 unreachable-code"});
  CHECK(warnings_of("proc main() {\n  try { skip; }\n  catch { skip; }\n}") == Names{"3 unreachable-code"});
  CHECK(warnings_of("proc main() {\n  try { f(); }\n  catch { skip; }\n} proc f() { if (*) { throw; } }").empty());
  CHECK(warnings_of("lock a; proc main() {\n  sync (a) {\n  sync (a) { skip; } }\n}") == Names{"3 reentrant-sync"});
  CHECK(warnings_of("lock a; proc main() { f();\n sync (a) { f(); } }\nproc f() {\n  notify(a);\n}") ==
        Names{"4 unlocked-wait"});
  CHECK(warnings_of("lock a; proc main() { sync (a) { f(); } }\nproc f() {\n  notify(a);\n}").empty());
  CHECK(warnings_of("var x; proc main() { x = 1;\n  local x = 2; print(x);\n}") == Names{"2 shadowed-name"});
  CHECK(warnings_of("var x; lock a; proc main() { spawn f(1); }\nproc f(n) { sync (a) { x = n; } }").empty());
  for (std::size_t i = 0; i < program::warning_codes; ++i) {
    const auto code = static_cast<program::WarningCode>(i);
    CHECK(program::warning_code(program::name_of(code)) == code);
  }
  CHECK(!program::warning_code("unused"));
}

}  // namespace
}  // namespace lockwood::lw
