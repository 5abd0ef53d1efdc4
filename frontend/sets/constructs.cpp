#include "frontend/sets/constructs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lockwood::sets {
namespace {

using enum ConstructKind;

constexpr auto table = std::to_array<Construct>({
    {Statement, "load", R"(`load "FILE"`)", "the model that everything below is about"},
    {Statement, "let", "`let A = …`", "names a value; inside a loop, until the round ends"},
    {Statement, "let", "`let f(S, T) = …`", "names a function; it sees its parameters and the names outside of loops"},
    {Statement, "check", "`check …`",
     "what should hold. A check that fails shows a tree, if there is one, with its schedule, and says which of two "
     "sets "
     "has the tree"},
    {Statement, "show", "`show …`, or only `…`", "the value: of a set how large it is, of a tree also its schedule"},
    {Statement, "vars", "`vars`", "all names that are defined, with types and values; of sets, how large they are"},
    {Statement, "for in symbols actions locks", "`for x in {a, b} { … }`",
     "the statements for each member of a list, a range or a list of trees; `symbols`, `actions` and `locks` are the "
     "lists of the model"},
    {Statement, "table", "`table for x in {a, b}, y in {c, d} : …, …`",
     "a table of values, for each choice of the variables"},
    {Statement, "save", R"(`save A "a.tmb"`)", "the automaton, in the Timbuk format that `lockwood ta` reads"},
    {Statement, "dot", R"(`dot(A) "a.dot"`)", "a picture of an automaton, or of a tree, for Graphviz"},
    {Statement, "svg", R"(`svg(A) "a.svg"`)", "the same picture for a browser, drawn by Graphviz"},
    {Statement, "time", "`time …`", "shows the value and how long it took"},
    {Statement, "explain", "`explain …`", "which way the questions in the expression were answered, and why"},
    {Statement, "; //", "`…; …`, `// …`", "`;` separates statements on one line, `//` begins a comment"},

    {Set, "init", "`init`", "the tree of the execution that has done nothing"},
    {Set, "post*", "`post*(S)`",
     "the trees that executions with a tree in `S` have when they go on, as locks allow; `S` itself is among them"},
    {Set, "post* nolocks", "`post*(S, nolocks)`", "the same if locks are ignored"},
    {Set, "post* only avoiding", "`post*(S, only {a, b})`, `post*(S, avoiding {c})`",
     "going on by these actions only, or by all others; any number of these"},
    {Set, "pre*", "`pre*(S)`, `pre*(S, nolocks)`, `pre*(S, only {a, b})`, `pre*(S, avoiding {c})`",
     "the trees of executions that can go on, in the same ways, so that their tree is in `S`"},
    {Set, "stand", "`stand({a, b})`",
     "some thread stands with `a` or `b` on top of its stack; of a program, also at "
     "a label, `\"line 12\"`, `\"FILE:12\"` or `\"main:12\"`"},
    {Set, "stand", "`stand({a}, {b}, …)`", "different threads are in each of the sets"},
    {Set, "holding wanting", "`holding(x)`, `wanting(x)`",
     "some thread holds the lock; some thread is before taking it and does not hold it"},
    {Set, "fired", "`fired({a, b})`", "one of the actions was done, at any time"},
    {Set, "threads", "`threads >= n`, `threads > n`",
     "at least `n` threads were started, or more, the first one included"},
    {Set, "depth", "`depth >= n`, `depth > n`", "some thread has at least `n` symbols on its stack, or more"},
    {Set, "thread", "`thread(/a (b \\| c)* d/)`",
     "the stack of some thread, from its bottom to its top, fits the pattern: `.` is any symbol, `{a, b}` one of "
     "these, `~{a, b}` any other, and `*`, `+`, `?`, `\\|` and parentheses are as usual"},
    {Set, "automaton", R"(`automaton "FILE"`)",
     "the trees that an automaton accepts, in the Timbuk format, over the symbols of the model, which `lockwood show "
     "--alphabet` lists"},
    {Set, "& | - ~", R"(`S & T`, `S \| T`, `S - T`, `~S`)",
     "intersection, union, difference, complement; "
     "`~S` is what is not in `S` of `post*(init, nolocks)`, all that could happen without locks"},
    {Set, "union in", "`union(x in {a, b}, S)`", "the union of the sets that `S` is for each member of the list"},
    {Set, "reduce", "`reduce(S)`", "the same set, by a smaller automaton"},

    {Question, "empty", "`empty(S)`", "whether there is no tree in the set"},
    {Question, "finite", "`finite(S)`", "whether there are finitely many"},
    {Question, "<= >= == != < >", "`S <= T`, `S >= T`, `S == T`, `S != T`, `S < T`, `S > T`",
     "inclusion, equality, and strict inclusion; numbers are compared by size, and texts, lists and trees are equal or "
     "not"},
    {Question, "member", R"(`member("NIL.p1", S)`)",
     "whether a tree, written as a term or found by `witness` or `sample`, is in the set"},
    {Question, "& | ~", R"(`~p`, `p & q`, `p \| q`)", "not, and, or"},
    {Question, "true false", "`true`, `false`", "what holds, and what does not"},

    {OtherValue, "witness", "`witness(S)`",
     "a smallest tree of the set, by its nodes, or nothing; it is told if there may be smaller ones"},
    {OtherValue, "sample nodes seed", "`sample(S, nodes = n, seed = k)`",
     "a tree with `n` nodes, all being equally likely"},
    {OtherValue, "enumerate nodes limit", "`enumerate(S)`, `enumerate(S, nodes = m..n, limit = k)`",
     "a list of the trees, smaller ones first, up to `limit` of them (100); with `nodes`, only those with so many "
     "nodes"},
    {OtherValue, "size", "`size(S)`", "how many trees there are, if they are finitely many"},
    {OtherValue, "count nodes", "`count(S, nodes = n)`",
     "how many trees have `n` nodes, or of `m..n`; without `nodes`, all of them"},
    {OtherValue, "..", "`m..n`", "a range: the numbers from `m` to `n`, for loops and tables and as numbers of nodes"},
    {OtherValue, "states", "`states(S)`", "the number of states of its automaton"},
    {OtherValue, "{ } -", "`{a, b}`, `L - {a}`",
     "a list of names, and one without some. A word in braces is a variable if there is one that holds a text or a "
     "list; in quotes it never is"},
});

std::string_view title(ConstructKind kind) {
  switch (kind) {
    case Statement: return "statements";
    case Set: return "sets";
    case Question: return "questions";
    case OtherValue: return "other values";
  }
  return "";
}

// Without the marks of Markdown.
std::string plain(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '`' && !text.substr(i).starts_with(R"(\|)")) result.push_back(text[i]);
  return result;
}

std::vector<std::string_view> names_of(const Construct& construct) {
  std::vector<std::string_view> names;
  for (std::string_view rest = construct.names; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find(' '));
    names.push_back(name);
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
  }
  return names;
}

}  // namespace

std::span<const Construct> constructs() { return table; }

std::string help_overview() {
  std::string text;
  const Construct* before = nullptr;
  for (const Construct& construct : table) {
    if (before == nullptr || before->kind != construct.kind) text += fmt::format("{}:\n", title(construct.kind));
    text += fmt::format("  {}\n", plain(construct.form));
    before = &construct;
  }
  return text;
}

std::string help_on(std::string_view name) {
  std::string text;
  for (const Construct& construct : table)
    if (std::ranges::count(names_of(construct), name) > 0)
      text += fmt::format("{}\n    {}\n", plain(construct.form), plain(construct.meaning));
  return text;
}

std::vector<std::string_view> help_topics() {
  std::vector<std::string_view> topics;
  for (const Construct& construct : table)
    for (std::string_view name : names_of(construct))
      if (std::ranges::count(topics, name) == 0) topics.push_back(name);
  return topics;
}

}  // namespace lockwood::sets
