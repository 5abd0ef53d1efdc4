#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/suggestion.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/operations/epsilon.hpp"

namespace lockwood::treeauto {
namespace {

constexpr std::size_t error_limit = 20;

enum class Section { Ops, Automaton, States, Final, Transitions };

enum class Byte : unsigned char { Name, Space, Mark };  // a mark is one of ( ) , :

constexpr std::array<Byte, 256> byte_kinds = [] {
  std::array<Byte, 256> kinds{};
  for (char space : {' ', '\t', '\r', '\n'}) kinds[static_cast<unsigned char>(space)] = Byte::Space;
  for (char mark : {'(', ')', ',', ':'}) kinds[static_cast<unsigned char>(mark)] = Byte::Mark;
  return kinds;
}();

Byte kind(char byte) { return byte_kinds[static_cast<unsigned char>(byte)]; }
bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

std::string quoted(std::string_view name) { return "'" + std::string{name} + "'"; }

// The errors are more than can be repaired; those found so far are reported.
struct GiveUp {};

// Places in the text, words and marks. Comments are white space.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_{text} {
    if (text_.starts_with("\xEF\xBB\xBF")) begin_ = offset_ = 3;  // a byte order mark
  }

  [[nodiscard]] std::size_t offset() const { return offset_; }
  [[nodiscard]] bool at_end() const { return offset_ == text_.size(); }
  [[nodiscard]] bool at(char byte) const { return offset_ < text_.size() && text_[offset_] == byte; }
  [[nodiscard]] bool at_arrow() const { return at('-') && offset_ + 1 < text_.size() && text_[offset_ + 1] == '>'; }

  // Skips white space and comments. `is_rule(word)` may claim a line that looks like a comment, by its first word.
  template <class IsRule>
  void skip_space(IsRule&& is_rule) {
    while (true) {
      while (offset_ < text_.size() && kind(text_[offset_]) == Byte::Space) ++offset_;
      if (!(at('%') || at('#')) || !first_of_line() || is_rule(word())) return;
      offset_ = std::min(text_.find('\n', offset_), text_.size());
    }
  }
  void skip_space() {
    skip_space([](std::string_view) { return false; });
  }

  // Skips a colon and what is before it, if that is only white space.
  [[nodiscard]] bool skip_colon() {
    std::size_t end = offset_;
    while (end < text_.size() && kind(text_[end]) == Byte::Space) ++end;
    if (end == text_.size() || text_[end] != ':') return false;
    offset_ = end + 1;
    return true;
  }

  // The name that begins here; empty if there is none.
  [[nodiscard]] std::string_view word() const {
    std::size_t end = offset_;
    while (end < text_.size() && kind(text_[end]) == Byte::Name &&
           !(text_[end] == '-' && end + 1 < text_.size() && text_[end + 1] == '>'))
      ++end;
    return text_.substr(offset_, end - offset_);
  }
  // Everything up to the next white space.
  [[nodiscard]] std::string_view blob() const {
    return text_.substr(offset_, text_.find_first_of(" \t\r\n", offset_) - offset_);
  }
  void skip(std::size_t bytes) { offset_ += bytes; }
  void skip_line() { offset_ = std::min(text_.find('\n', offset_), text_.size()); }

 private:
  [[nodiscard]] bool first_of_line() const {
    std::size_t begin = offset_;
    while (begin > begin_ && text_[begin - 1] != '\n' && kind(text_[begin - 1]) == Byte::Space) --begin;
    return begin == begin_ || text_[begin - 1] == '\n';
  }

  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t offset_ = 0;
};

class Reader {
 public:
  Reader(std::string_view text, std::string_view file, TimbukReading reading, StopToken stop)
      : text_{text}, file_{file}, reading_{reading}, stop_{stop}, scanner_{text} {}

  [[nodiscard]] Automaton automaton() {
    try {
      read_sections();
      read_transitions();
    } catch (const GiveUp&) {
      assert(!errors_.empty());
    }
    if (!errors_.empty()) {
      std::ranges::stable_sort(errors_, {}, &Diagnostic::at);  // states of `Final States` are looked at late
      throw InputError{std::move(errors_)};
    }
    return without_epsilon(std::move(builder_).build(), epsilon_, stop_);
  }

 private:
  // A name and where it stands.
  struct Mention {
    std::string_view name;
    std::size_t offset;
  };
  struct DeclaredSymbol {
    std::string_view name;
    std::size_t rank;
  };

  void report(std::size_t offset, std::size_t width, std::string message, std::string hint = {}) {
    errors_.push_back(diagnostic_at(file_, text_, offset, width, std::move(message)));
    errors_.back().hint = std::move(hint);
    if (errors_.size() == error_limit) throw GiveUp{};
  }
  void report_here(std::string message, std::string hint = {}) {
    const std::size_t width = std::max<std::size_t>(1, scanner_.at_arrow() ? 2 : scanner_.word().size());
    report(scanner_.offset(), width, std::move(message), std::move(hint));
  }

  // All sections before the rules, `Transitions` included.
  void read_sections() {
    std::array<bool, 5> seen{};
    while (true) {
      scanner_.skip_space();
      if (scanner_.at_end()) {
        report_here("the file ends without a section 'Transitions'");
        throw GiveUp{};
      }
      const std::size_t begin = scanner_.offset();
      const std::string_view word = scanner_.word();
      const auto section = section_of(word);
      if (!section) {
        report_here("expected 'Ops', 'Automaton', 'States', 'Final States' or 'Transitions'",
                    suggestion_hint(word, std::array<std::string_view, 5>{"Ops", "Automaton", "States", "Final States",
                                                                          "Transitions"}));
        throw GiveUp{};
      }
      if (std::exchange(seen[static_cast<std::size_t>(*section)], true))
        report(begin, word.size(), "a second section " + quoted(word));
      scanner_.skip(word.size());
      if (*section == Section::Transitions) return declare_final_states();
      read_section(*section);
    }
  }

  [[nodiscard]] static std::optional<Section> section_of(std::string_view word) {
    if (word == "Ops") return Section::Ops;
    if (word == "Automaton") return Section::Automaton;
    if (word == "States") return Section::States;
    if (word == "Final") return Section::Final;
    if (word == "Transitions") return Section::Transitions;
    return std::nullopt;
  }

  void read_section(Section section) {
    if (section == Section::Automaton) {
      scanner_.skip_space();
      const std::string_view name = scanner_.blob();
      if (is_timbuk_keyword(name)) return;
      builder_.set_name(std::string{name});
      return scanner_.skip(name.size());
    }
    if (section == Section::Final) {
      scanner_.skip_space();
      if (scanner_.word() == "States") {
        scanner_.skip(6);
      } else {
        report_here("expected 'States' after 'Final'");
      }
    }
    read_declarations([&](Mention mention, std::optional<std::size_t> number) {
      if (section == Section::Ops) {
        if (!number) return;
        builder_.symbol(mention.name, *number);
        symbols_.push_back({mention.name, *number});
        return;
      }
      check_state_rank(mention, number);
      if (section == Section::States) {
        builder_.state(mention.name);
        states_.push_back(mention.name);
      } else {
        final_.push_back(mention);
      }
    });
  }

  // A list of `name` or `name:number`, up to the next keyword.
  template <class Declare>
  void read_declarations(Declare&& declare) {
    while (true) {
      stop_.check();
      scanner_.skip_space();
      const Mention mention{scanner_.word(), scanner_.offset()};
      if (scanner_.at_end() || is_timbuk_keyword(mention.name)) return;
      if (mention.name.empty()) {
        report_here(scanner_.at_arrow() || scanner_.at('(') ? "a rule outside of the section 'Transitions'"
                                                            : "expected a name or the next section");
        return skip_to_keyword();
      }
      scanner_.skip(mention.name.size());
      const std::size_t errors_before = errors_.size();
      const auto number = read_number();
      if (errors_.size() == errors_before) declare(mention, number);
    }
  }
  void skip_to_keyword() {
    while (true) {
      scanner_.skip_space();
      if (scanner_.at_end() || is_timbuk_keyword(scanner_.word())) return;
      scanner_.skip(std::max<std::size_t>(1, scanner_.word().size()));
    }
  }

  // What follows a name: nothing, or a colon and a number.
  std::optional<std::size_t> read_number() {
    if (!scanner_.skip_colon()) return std::nullopt;
    scanner_.skip_space();
    const std::string_view digits = scanner_.word();
    if (digits.empty() || !std::ranges::all_of(digits, is_digit)) {
      report_here("expected a number after ':'");
      if (!is_timbuk_keyword(digits)) scanner_.skip(digits.size());
      return std::nullopt;
    }
    std::size_t number = 0;
    for (char digit : digits) number = std::min(10 * number + static_cast<std::size_t>(digit - '0'), rank_limit + 1);
    if (number > rank_limit) report_here("a rank can be at most " + std::to_string(rank_limit));
    scanner_.skip(digits.size());
    return number;
  }

  void check_state_rank(Mention mention, std::optional<std::size_t> number) {
    if (reading_ == TimbukReading::Strict && number && *number != 0)
      report(mention.offset, mention.name.size(), "the state " + quoted(mention.name) + " must have rank 0");
  }

  // Only now, so that the order of `States` decides on the numbers even if `Final States` came first.
  void declare_final_states() {
    declared_states_ = builder_.state_count();
    for (const Mention& mention : final_) builder_.set_final(used_state(mention));
    declared_states_ = builder_.state_count();
  }

  void read_transitions() {
    const auto is_rule = [this](std::string_view word) {
      return std::ranges::find(symbols_, word, &DeclaredSymbol::name) != symbols_.end();
    };
    while (true) {
      stop_.check();
      scanner_.skip_space(is_rule);
      if (scanner_.at_end()) return;
      if (!read_transition()) scanner_.skip_line();
    }
  }
  // False if something was wrong; it is reported then.
  [[nodiscard]] bool read_transition() {
    const auto left = read_name("expected a rule, which begins with a symbol");
    if (!left) return false;
    children_.clear();
    scanner_.skip_space();
    const bool has_parentheses = scanner_.at('(');
    if (has_parentheses && !read_children()) return false;
    scanner_.skip_space();
    if (!scanner_.at_arrow()) {
      report_here(scanner_.at_end() ? "the file ends within a rule"
                  : has_parentheses ? "expected '->'"
                                    : "expected '(' or '->'");
      return false;
    }
    scanner_.skip(2);
    scanner_.skip_space();
    const auto right = read_name("expected a state after '->'");
    if (!right) return false;
    const std::size_t errors_before = errors_.size();
    check_state_rank(*right, read_number());
    if (errors_.size() != errors_before) return true;
    add_transition(*left, has_parentheses, *right);
    return true;
  }

  // `(` [ name { `,` name } ] `)`
  [[nodiscard]] bool read_children() {
    scanner_.skip(1);
    scanner_.skip_space();
    if (scanner_.at(')')) {
      scanner_.skip(1);
      return true;
    }
    while (true) {
      stop_.check();
      scanner_.skip_space();
      const auto child = read_name("expected a state");
      if (!child) return false;
      children_.push_back(used_state(*child));
      scanner_.skip_space();
      const bool closes = scanner_.at(')');
      if (!closes && !scanner_.at(',')) {
        report_here(scanner_.at_end() ? "the file ends within a rule" : "expected ',' or ')'");
        return false;
      }
      scanner_.skip(1);
      if (closes) return true;
    }
  }

  std::optional<Mention> read_name(const char* expected) {
    const Mention mention{scanner_.word(), scanner_.offset()};
    if (mention.name.empty()) {
      report_here(scanner_.at_end() ? "the file ends within a rule" : expected);
      return std::nullopt;
    }
    if (is_timbuk_keyword(mention.name)) {
      report_here(quoted(mention.name) + " is a keyword: it cannot be a name, and sections come before 'Transitions'");
      throw GiveUp{};
    }
    scanner_.skip(mention.name.size());
    return mention;
  }

  void add_transition(Mention left, bool has_parentheses, Mention right) {
    const State target = used_state(right);
    const auto symbol = builder_.find_symbol(left.name, children_.size());
    if (symbol) return builder_.add(*symbol, children_, target);
    if (!has_parentheses)
      if (const auto source = builder_.find_state(left.name); source && source->index() < declared_states_)
        return epsilon_.push_back({*source, target});
    if (children_.size() > rank_limit)
      return report(left.offset, left.name.size(), "a rank can be at most " + std::to_string(rank_limit));
    if (reading_ == TimbukReading::Strict)
      report(left.offset, left.name.size(),
             "the symbol " + quoted(left.name) + " of rank " + std::to_string(children_.size()) + " is not declared",
             symbol_hint(left.name));
    builder_.add(builder_.symbol(left.name, children_.size()), children_, target);
  }

  // The state with that name. If it was not declared and that matters, says so once.
  State used_state(Mention mention) {
    const std::size_t before = builder_.state_count();
    const State state = builder_.state(mention.name);
    if (reading_ == TimbukReading::Strict && builder_.state_count() > before) {
      Suggestion suggestion{mention.name};
      for (std::string_view declared : states_) suggestion.consider(declared);
      report(mention.offset, mention.name.size(), "the state " + quoted(mention.name) + " is not declared",
             suggestion.hint());
    }
    return state;
  }

  // Names the ranks that were declared for the name, or a name like it.
  [[nodiscard]] std::string symbol_hint(std::string_view name) const {
    std::string ranks;
    Suggestion suggestion{name};
    for (const DeclaredSymbol& declared : symbols_) {
      suggestion.consider(declared.name);
      if (declared.name == name) ranks += (ranks.empty() ? "" : " and ") + std::to_string(declared.rank);
    }
    return ranks.empty() ? suggestion.hint() : quoted(name) + " is declared with rank " + ranks;
  }

  std::string_view text_;
  std::string_view file_;
  TimbukReading reading_;
  StopToken stop_;
  Scanner scanner_;
  AutomatonBuilder builder_;
  std::vector<DeclaredSymbol> symbols_;
  std::vector<std::string_view> states_;
  std::vector<Mention> final_;
  std::size_t declared_states_ = 0;
  std::vector<State> children_;
  std::vector<EpsilonTransition> epsilon_;
  std::vector<Diagnostic> errors_;
};

}  // namespace

Automaton read_timbuk(std::string_view text, std::string_view file, TimbukReading reading, StopToken stop) {
  return Reader{text, file, reading, stop}.automaton();
}

Automaton read_timbuk_file(const std::string& path, TimbukReading reading, StopToken stop) {
  return read_timbuk(read_text_file(path, stop), shown_path(path), reading, stop);
}

}  // namespace lockwood::treeauto
