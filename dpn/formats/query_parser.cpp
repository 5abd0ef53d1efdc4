#include "dpn/formats/query_parser.hpp"

#include <algorithm>
#include <array>

#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"
#include "dpn/formats/text_words.hpp"
#include "dpn/model/query_form.hpp"
#include "dpn/model/symbol_names.hpp"

namespace lockwood::dpn {
namespace {

constexpr std::array<std::string_view, 4> query_words{"check", "conflict", "reach", "iterate"};
constexpr std::array<std::string_view, 7> words_after_set{"and",   "avoiding", "requiring", "check",
                                                          "reach", "conflict", "iterate"};
constexpr std::array<std::string_view, 2> words_before_set{"nolocks", "between"};

}  // namespace

bool begins_query(std::string_view word) { return is_one_of(word, query_words); }

std::vector<Query> QueryParser::parse() {
  std::vector<Query> queries;
  while (!scanner_.at_end()) {
    try {
      queries.push_back(query());
    } catch (const SyntaxError&) {
      skip_to_query();
    }
  }
  return queries;
}

template <class Key>
std::vector<Key> QueryParser::set_of(const Vocabulary<Key>& vocabulary, std::string_view what) {
  std::vector<Key> set;
  const Extent begin = scanner_.extent_here();
  if (!scanner_.accept('{'))
    scanner_.fail_expected("a set in '{' and '}'", suggestion_hint(scanner_.peek_word(), words_before_set));
  while (!scanner_.accept('}')) {
    if (scanner_.at_end()) scanner_.fail(begin, "the set is not closed by '}'");
    Extent where = scanner_.extent_here();
    const std::string_view name = scanner_.term(scratch_, what);
    where.width = scanner_.last_end() - where.begin;
    const std::vector<Key> called = symbols_called(vocabulary, name);
    set.insert(set.end(), called.begin(), called.end());
    if (called.empty() && unknown_symbols_ == UnknownSymbols::Report)
      scanner_.error(where, std::string{"unknown "} + kind_of(Key{0}) + " '" + shown_name(name) + "'",
                     symbol_hint(vocabulary, name));
    scanner_.accept(',');
  }
  return set;
}

Query QueryParser::query() {
  scanner_.skip_blanks();
  Query query{.at = scanner_.position()};
  if (scanner_.accept_word("check")) scanner_.accept_word("for");
  query.form = query_form();
  if (scanner_.accept_word("nolocks")) query.semantics = Semantics::LockInsensitive;
  if (query.form == QueryForm::Conflict) {
    scanner_.accept_word("between");
    QueryStep step;
    step.positions.push_back(stack_set());
    scanner_.accept_word("and");
    step.positions.push_back(stack_set());
    restrictions(step);
    query.steps.push_back(std::move(step));
  } else {
    do query.steps.push_back(query_step());
    while (query.form == QueryForm::Iterate && scanner_.accept(','));
  }
  query.form = fitting_form(query);
  query.expected = expectation(scanner_.last_end());
  return query;
}

QueryForm QueryParser::query_form() {
  constexpr std::array<std::string_view, 3> forms{"conflict", "reach", "iterate"};
  std::string word{scanner_.peek_word()};
  if (!is_one_of(word, forms)) {
    const auto meant = nearest(word, forms);
    if (!meant)
      scanner_.fail_expected("a query ('conflict', 'reach' or 'iterate')", suggestion_hint(word, words_after_set));
    scanner_.error(scanner_.extent_here(), "expected a query, found '" + word + "'", "did you mean '" + *meant + "'?");
    word = *meant;
  }
  scanner_.skip_anything();
  return word == "conflict" ? QueryForm::Conflict : word == "reach" ? QueryForm::Reach : QueryForm::Iterate;
}

// A step may be only about what is done, not about where threads stand then.
QueryStep QueryParser::query_step() {
  QueryStep step;
  const std::string_view word = scanner_.peek_word();
  if (word != "avoiding" && word != "requiring") {
    do step.positions.push_back(stack_set());
    while (scanner_.accept_word("and") || scanner_.peek() == '{');
  }
  restrictions(step);
  return step;
}

void QueryParser::restrictions(QueryStep& step) {
  std::vector<std::string_view> given;
  while (true) {
    const std::string_view word = scanner_.peek_word();
    if (word != "avoiding" && word != "requiring") return;
    if (is_one_of(word, given))
      scanner_.fail(scanner_.extent_here(), "a step has '" + std::string{word} + "' only once",
                    "write all actions in one set, as in: " + std::string{word} + " {a, b}");
    given.push_back(word);
    scanner_.accept_word(word);
    const auto set = scanner_.extent_here();
    std::vector<Action> actions = set_of(symbols_.actions, "an action or '}'");
    if (word == "requiring" && actions.empty())
      scanner_.fail(set, "'requiring' needs an action: of none of them, none is done",
                    "write: requiring {a}; or leave it out");
    (word == "avoiding" ? step.avoiding : step.requiring) = std::move(actions);
  }
}

std::vector<StackSymbol> QueryParser::stack_set() {
  const std::size_t begin = (scanner_.skip_blanks(), scanner_.offset());
  std::vector<StackSymbol> set = set_of(symbols_.stacks, "a stack symbol or '}'");
  if (set.empty()) warnings_.add({begin, scanner_.last_end() - begin}, "the set is empty: no thread can be in it");
  return set;
}

// Skips to a word that begins a query: outside of braces, or at the beginning of a line in case a brace is missing.
void QueryParser::skip_to_query() {
  std::size_t depth = 0;
  while (!scanner_.at_end()) {
    const char c = scanner_.peek();
    const std::size_t end = scanner_.last_end();
    const bool new_line = scanner_.text().substr(end, scanner_.offset() - end).find('\n') != std::string_view::npos;
    if ((depth == 0 || new_line) && begins_query(scanner_.peek_word())) return;
    if (c == '{') ++depth;
    if (c == '}' && depth > 0) --depth;
    scanner_.skip_anything();
  }
}

// The verdict in a comment `// expect: reachable` right after a query that ends at `end`, on the same line.
std::optional<Verdict> QueryParser::expectation(std::size_t end) {
  // The end of the line is looked for only behind a comment, where the line is read to its end anyway: there may be
  // many queries on one line.
  const std::string_view text = scanner_.text();
  const std::size_t begin = text.find_first_not_of(" \t", end);
  if (begin == std::string_view::npos || !text.substr(begin).starts_with("//")) return std::nullopt;
  const std::string_view line = text.substr(0, std::min(text.find('\n', begin), text.size()));
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const auto word_from = [&](std::size_t from) {
    const std::size_t first = std::min(line.find_first_not_of(" \t", from), line.size());
    return line.substr(first, std::min(line.find_first_not_of(letters, first), line.size()) - first);
  };
  const std::string_view key = word_from(begin + 2);
  const auto after_key = static_cast<std::size_t>(key.data() - line.data()) + key.size();
  const bool colon = line.substr(after_key).starts_with(':');
  if (key != "expect") {
    constexpr std::array<std::string_view, 3> keys{"expect", "expects", "expected"};
    std::string small{key};
    std::ranges::transform(small, small.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    if (colon && nearest(small, keys))
      warnings_.add({begin, after_key - begin}, "the comment is not read as an expected verdict",
                    "write '// expect: reachable'");
    return std::nullopt;
  }
  expectation_offsets_.push_back(begin);
  if (!colon) {
    warnings_.add({begin, after_key - begin}, "the comment is not read as an expected verdict",
                  "write '// expect: reachable'");
    return std::nullopt;
  }
  const std::string_view word = word_from(after_key + 1);
  for (const Verdict verdict : {Verdict::Reachable, Verdict::Unreachable})
    if (word == to_string(verdict)) return verdict;
  constexpr std::array<std::string_view, 2> verdicts{"reachable", "unreachable"};
  const auto meant = nearest(word, verdicts);
  warnings_.add({static_cast<std::size_t>(word.data() - line.data()), std::max<std::size_t>(1, word.size())},
                "an expected verdict is 'reachable' or 'unreachable'", meant ? "did you mean '" + *meant + "'?" : "");
  return std::nullopt;
}

}  // namespace lockwood::dpn
