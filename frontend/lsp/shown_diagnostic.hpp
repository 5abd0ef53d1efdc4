#pragma once

#include <optional>
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
  std::string group = {};  // what it is about, if others may be about the same: "race x"
  // The findings that it tells of, as reports have them.
  struct Told {
    std::string id;
    std::string certainty;  // may be empty
  };
  std::vector<Told> findings = {};
};

// A piece of a document, and what it is to become.
struct Change {
  TextRange range;
  std::string text;
  friend bool operator==(const Change& a, const Change& b) {
    return a.range.begin == b.range.begin && a.range.end == b.range.end && a.text == b.text;
  }
};

// Some of the findings of a text: those of a rule about a subject, or in a procedure. Of a model, the rule is "query"
// and the subject is its number, from 1.
struct FindingChoice {
  std::string rule;
  std::string subject = {};    // empty: any
  std::string procedure = {};  // likewise: that one of the sites is in
};

// A text above a line, and the findings that it speaks of, if there are any.
struct Lens {
  TextRange range;
  std::string title;
  std::optional<FindingChoice> findings = {};
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
