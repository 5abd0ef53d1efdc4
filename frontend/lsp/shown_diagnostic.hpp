#pragma once

#include <string>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "frontend/lw/syntax.hpp"

namespace lockwood::lsp {

using lw::TextRange;

// Something to say about a piece of a document: an error, a warning, a finding.
struct Remark {
  struct Related {
    TextRange range;
    std::string message;
  };
  TextRange range;
  Severity severity = Severity::Error;
  std::string code;  // "race", "deadlock", "unused-lock", …; may be empty
  std::string message;
  std::vector<Related> related;
};

// A text above a line.
struct Lens {
  TextRange range;
  std::string title;
};

// An entry of a document's outline.
enum class SymbolKind { Variable, Lock, Procedure, Label, Local, Query };
struct Symbol {
  std::string name;
  std::string detail;
  SymbolKind kind = SymbolKind::Variable;
  TextRange range;
  TextRange name_range;
  std::vector<Symbol> children;
};

// A word that could be typed.
struct Proposal {
  enum class Kind { Keyword, Variable, Lock, Procedure, Local, StackSymbol, Action };
  std::string word;
  Kind kind = Kind::Keyword;
};

}  // namespace lockwood::lsp
