#include "treeauto/formats/transducer_text.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "base/text/suggestion.hpp"

namespace lockwood::treeauto {
namespace {

constexpr std::size_t reported_problems = 20;
constexpr std::array<std::string_view, 6> transducer_sections{"Ops",    "Output Ops",   "Transducer",
                                                              "States", "Final States", "Transitions"};

// A word, one of ( ) , : or ->, or the end of the text, which has no bytes.
struct Lexeme {
  std::string_view text;
  std::size_t offset;
  bool is_word;
  bool begins_line;
};

bool is_blank(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

std::vector<Lexeme> lexemes_of(std::string_view text, StopToken stop) {
  std::vector<Lexeme> lexemes;
  bool begins_line = true;
  for (std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;;) {
    stop.check();
    while (at < text.size() && is_blank(text[at])) begins_line |= text[at++] == '\n';
    if (at == text.size()) break;
    if (begins_line && (text[at] == '%' || text[at] == '#')) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const auto at_mark = [&](std::size_t i) {
      return std::string_view{"(),:"}.find(text[i]) != std::string_view::npos || text.substr(i).starts_with("->");
    };
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end]) && !at_mark(end)) ++end;
    const bool is_word = end > at;
    if (!is_word) end = at + (text[at] == '-' ? 2 : 1);
    lexemes.push_back({text.substr(at, end - at), at, is_word, begins_line});
    begins_line = false;
    at = end;
  }
  lexemes.push_back({{}, text.size(), false, true});
  return lexemes;
}

class TransducerReader {
 public:
  TransducerReader(std::string_view text, std::string_view file, TimbukReading reading, StopToken stop)
      : text_{text},
        file_{file},
        strict_{reading == TimbukReading::Strict},
        stop_{stop},
        lexemes_{lexemes_of(text, stop)} {}

  TransducerText run() {
    try {
      read_sections();
      while (!at_end()) read_rule_or_skip_it();
    } catch (const Hopeless&) {
      assert(!problems_.empty());
    }
    if (!problems_.empty()) throw InputError{std::move(problems_)};
    TransducerText result{std::move(name_), Transducer{std::move(input_).build(), std::move(output_).build()}, {}};
    for (std::string_view state : states_) result.transducer.add_state(final_.contains(state));
    for (Rule& rule : rules_) {
      result.transducer.add(rule.symbol, rule.children, rule.target, Term{std::move(rule.output)});
      result.places.push_back(rule.place);
    }
    return result;
  }

 private:
  struct Rule {
    Symbol symbol;
    std::vector<TransducerState> children;
    TransducerState target;
    std::vector<Term::Node> output;
    std::size_t place;
  };
  // The variables of a left side, by name.
  using Variables = std::map<std::string_view, Variable>;
  struct Hopeless {};   // reported; nothing that follows would mean anything
  struct WrongRule {};  // reported; the next line may be right

  [[nodiscard]] const Lexeme& here() const { return lexemes_[next_]; }
  [[nodiscard]] bool at_end() const { return next_ + 1 == lexemes_.size(); }
  [[nodiscard]] bool at(std::string_view mark) const { return !here().is_word && here().text == mark && !at_end(); }
  [[nodiscard]] bool accept(std::string_view mark) {
    if (!at(mark)) return false;
    ++next_;
    return true;
  }

  void report(const Lexeme& lexeme, std::string message, std::string hint = {}) {
    problems_.push_back(
        diagnostic_at(file_, text_, lexeme.offset, std::max<std::size_t>(1, lexeme.text.size()), std::move(message)));
    problems_.back().hint = std::move(hint);
    if (problems_.size() == reported_problems) throw Hopeless{};
  }
  [[noreturn]] void refuse_rule(std::string message) {
    report(here(), at_end() ? "the file ends within a rule" : std::move(message));
    throw WrongRule{};
  }
  Lexeme word_of_rule(std::string message) {
    if (!here().is_word || is_section(here().text)) refuse_rule(std::move(message));
    return lexemes_[next_++];
  }
  void expect(std::string_view mark, std::string message) {
    if (!accept(mark)) refuse_rule(std::move(message));
  }

  [[nodiscard]] static bool is_section(std::string_view word) {
    return word == "Output" || word == "Transducer" || is_timbuk_keyword(word);
  }

  // All sections before the rules, `Transitions` included.
  void read_sections() {
    std::set<std::string_view> seen;
    while (true) {
      if (at_end()) {
        report(here(), "the file ends without a section 'Transitions'");
        throw Hopeless{};
      }
      const Lexeme title = lexemes_[next_++];
      std::string_view section = title.text;
      for (const auto& [first, second] : {std::pair{"Output", "Ops"}, std::pair{"Final", "States"}})
        if (section == first) {
          if (here().text == second)
            ++next_;
          else
            report(here(), "expected '" + std::string{second} + "' after '" + first + "'");
          section = section == "Output" ? "Output Ops" : "Final States";
        }
      if (std::ranges::find(transducer_sections, section) == transducer_sections.end()) {
        if (section == "Automaton")
          report(title, "this is an automaton, and a transducer is expected", "a transducer says 'Transducer' here");
        else
          report(title, "expected 'Ops', 'Output Ops', 'Transducer', 'States', 'Final States' or 'Transitions'",
                 suggestion_hint(section, transducer_sections));
        throw Hopeless{};
      }
      if (!seen.insert(section).second) report(title, "a second section '" + std::string{section} + "'");
      if (section == "Transitions") return declare_final_states();
      if (section == "Transducer") {
        if (here().is_word && !is_section(here().text)) name_ = lexemes_[next_++].text;
        continue;
      }
      read_declarations(section);
    }
  }

  // A list of names, those of symbols with a colon and a rank, up to the next section.
  void read_declarations(std::string_view section) {
    while (!at_end() && !(here().is_word && is_section(here().text))) {
      const Lexeme name = lexemes_[next_++];
      if (!name.is_word) {
        report(name, "expected a name or the next section");
        throw Hopeless{};
      }
      const auto rank = read_rank();
      if (section == "Ops" || section == "Output Ops") {
        if (rank) (section == "Ops" ? input_ : output_).add(name.text, *rank);
      } else if (section == "States") {
        static_cast<void>(state(name));
      } else {
        named_final_.push_back(name);
      }
    }
  }
  std::optional<std::size_t> read_rank() {
    if (!accept(":")) return std::nullopt;
    const Lexeme digits = here();
    if (!digits.is_word || !std::ranges::all_of(digits.text, [](char byte) { return byte >= '0' && byte <= '9'; })) {
      report(digits, "expected a number after ':'");
      throw Hopeless{};
    }
    ++next_;
    std::size_t rank = 0;
    for (char digit : digits.text) rank = std::min(10 * rank + static_cast<std::size_t>(digit - '0'), rank_limit + 1);
    if (rank > rank_limit) {
      report(digits, "a rank can be at most " + std::to_string(rank_limit));
      throw Hopeless{};
    }
    return rank;
  }
  // Only now, so that the order of `States` decides on the numbers even if `Final States` came first.
  void declare_final_states() {
    all_declared_ = true;
    for (const Lexeme& name : named_final_) {
      static_cast<void>(state(name));
      final_.insert(name.text);
    }
  }

  TransducerState state(const Lexeme& name) {
    const auto [known, is_new] = numbers_.try_emplace(name.text, TransducerState{states_.size()});
    if (!is_new) return known->second;
    if (strict_ && all_declared_)
      report(name, "the state '" + std::string{name.text} + "' is not declared", suggestion_hint(name.text, states_));
    states_.push_back(name.text);
    return known->second;
  }

  Symbol symbol(AlphabetBuilder& alphabet, const Lexeme& name, std::size_t rank, std::string_view what) {
    if (rank > rank_limit) {
      report(name, "a rank can be at most " + std::to_string(rank_limit));
      throw WrongRule{};
    }
    if (strict_ && !alphabet.find(name.text, rank)) {
      Suggestion suggestion{name.text};
      for (std::size_t i = 0; i < alphabet.size(); ++i) suggestion.consider(alphabet.name(Symbol{i}));
      report(name,
             "the " + std::string{what} + " '" + std::string{name.text} + "' of rank " + std::to_string(rank) +
                 " is not declared",
             suggestion.hint());
    }
    return alphabet.add(name.text, rank);
  }

  void read_rule_or_skip_it() {
    stop_.check();
    const std::size_t first = next_;
    try {
      rules_.push_back(read_rule());
    } catch (const WrongRule&) {
      if (next_ == first) ++next_;
      while (!at_end() && !here().begins_line) ++next_;
    }
  }

  Rule read_rule() {
    const Lexeme left = word_of_rule("expected a rule, which begins with a symbol");
    std::vector<TransducerState> children;
    Variables variables;
    if (accept("(") && !accept(")")) {
      do {
        const Lexeme child = word_of_rule("expected a state with a variable, such as q(x)");
        expect("(", "expected '(' and a variable after the state '" + std::string{child.text} + "'");
        const Lexeme variable = word_of_rule("expected a variable");
        if (!variables.emplace(variable.text, Variable{variables.size()}).second) {
          report(variable, "the variable '" + std::string{variable.text} + "' stands on the left side already");
          throw WrongRule{};
        }
        expect(")", "expected ')' after the variable '" + std::string{variable.text} + "'");
        children.push_back(state(child));
      } while (accept(","));
      expect(")", "expected ',' or ')'");
    }
    expect("->", "expected '->'");
    const Lexeme target = word_of_rule("expected a state after '->'");
    expect("(", "expected '(' and what is put out after the state '" + std::string{target.text} + "'");
    std::vector<Term::Node> output = read_output(variables);
    expect(")", "expected ')' after what is put out");
    const Symbol read = symbol(input_, left, children.size(), "symbol");
    return {read, std::move(children), state(target), std::move(output), left.offset};
  }

  // In preorder. A symbol is known when its closing parenthesis is: the number of its children is its rank.
  std::vector<Term::Node> read_output(const Variables& variables) {
    struct Written {
      Lexeme name;
      std::size_t children = 0;
      bool has_parentheses = false;
    };
    std::vector<Written> nodes;
    std::vector<std::size_t> open;
    while (true) {
      stop_.check();
      nodes.push_back({word_of_rule("expected a symbol or a variable")});
      if (accept("(")) {
        nodes.back().has_parentheses = true;
        if (!accept(")")) {
          nodes.back().children = 1;
          open.push_back(nodes.size() - 1);
          continue;
        }
      }
      while (!open.empty() && accept(")")) open.pop_back();
      if (open.empty()) break;
      expect(",", "expected ',' or ')'");
      ++nodes[open.back()].children;
    }
    std::vector<Term::Node> output;
    for (const Written& node : nodes) {
      const auto variable = variables.find(node.name.text);
      if (variable != variables.end() && !node.has_parentheses)
        output.emplace_back(variable->second);
      else
        output.emplace_back(symbol(output_, node.name, node.children, "symbol of the output"));
    }
    return output;
  }

  std::string_view text_;
  std::string_view file_;
  bool strict_;
  StopToken stop_;
  std::vector<Lexeme> lexemes_;
  std::size_t next_ = 0;
  std::vector<Diagnostic> problems_;
  std::string name_;
  AlphabetBuilder input_;
  AlphabetBuilder output_;
  std::vector<std::string_view> states_;  // by number
  std::map<std::string_view, TransducerState> numbers_;
  std::set<std::string_view> final_;
  std::vector<Lexeme> named_final_;
  bool all_declared_ = false;
  std::vector<Rule> rules_;
};

}  // namespace

TransducerText read_transducer(std::string_view text, std::string_view file, TimbukReading reading, StopToken stop) {
  return TransducerReader{text, file, reading, stop}.run();
}

}  // namespace lockwood::treeauto
