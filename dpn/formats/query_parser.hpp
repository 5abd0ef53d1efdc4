#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dpn/formats/text_scanner.hpp"
#include "dpn/formats/text_warnings.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

namespace lockwood::dpn {

[[nodiscard]] bool begins_query(std::string_view word);

// What to make of symbols in a query that the network does not have: if it could not be read as a whole, what mentions
// them may be what could not be read.
enum class UnknownSymbols { Report, Ignore };

// Reads the queries that follow a network in the text format, and the verdicts that comments expect of them. Recursive
// descent over the grammar of docs/dpn-format.md, as for the network; after a SyntaxError it goes on at the next query.
class QueryParser {
 public:
  // Begins where the scanner stands. All must outlive it.
  QueryParser(Scanner& scanner, const Symbols& symbols, TextWarnings& warnings, UnknownSymbols unknown_symbols)
      : scanner_{scanner}, symbols_{symbols}, warnings_{warnings}, unknown_symbols_{unknown_symbols} {}

  // All queries up to the end of the text. Throws TooManyErrors.
  [[nodiscard]] std::vector<Query> parse();

  // Where the comments stand that were read as expectations, ascending.
  [[nodiscard]] const std::vector<std::size_t>& expectation_offsets() const { return expectation_offsets_; }

 private:
  [[nodiscard]] Query query();
  [[nodiscard]] QueryForm query_form();
  [[nodiscard]] QueryStep query_step();
  void restrictions(QueryStep& step);
  [[nodiscard]] std::vector<StackSymbol> stack_set();
  template <class Key>
  [[nodiscard]] std::vector<Key> set_of(const Vocabulary<Key>& vocabulary, std::string_view what);
  void skip_to_query();
  [[nodiscard]] std::optional<Verdict> expectation(std::size_t end);

  Scanner& scanner_;
  const Symbols& symbols_;
  TextWarnings& warnings_;
  UnknownSymbols unknown_symbols_;
  std::string scratch_;  // of the term read last, if it is not a piece of the text
  std::vector<std::size_t> expectation_offsets_;
};

}  // namespace lockwood::dpn
