#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <optional>
#include <utility>

#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"
#include "dpn/formats/query_parser.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/formats/text_scanner.hpp"
#include "dpn/formats/text_warnings.hpp"
#include "dpn/formats/text_words.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/model/rule_positions.hpp"

namespace lockwood::dpn {
namespace {

constexpr std::array<std::string_view, 7> section_words{"controls", "stacks",  "locks", "actions",
                                                        "groups",   "initial", "rules"};
constexpr std::array<std::string_view, 5> group_words{"into", "as", "opening", "joining", "forgetting"};
constexpr std::string_view all_or_none = ": within a rule all control states are written, or none";

// One side of an arrow or of `:>`: as many terms as were there, of which the first two stack symbols matter.
struct Side {
  std::size_t terms = 0;
  Extent extent;
  std::optional<ControlState> control;  // the one written, or the state 0 in a rule without control states
  std::optional<StackSymbol> top;
  std::optional<StackSymbol> below;
};

// A symbol that a naming section lists, and where.
template <class Key>
struct Listed {
  Key key;
  Extent where;
};

// Recursive descent over the grammar of docs/dpn-format.md, one function per rule of it; only terms nest, and those
// are read by the scanner without recursion. A SyntaxError is caught where the grammar repeats: at the next entry,
// rule, section or query.
class Parser {
 public:
  Parser(std::string_view text, std::string_view file, StopToken stop = {})
      : scanner_{text, file}, warnings_{text, file} {
    builder_.listen_to(stop);
  }

  // Reads queries about a network that is there already.
  std::vector<Query> parse_queries(const Network& network) {
    try {
      queries(network.symbols());
    } catch (const TooManyErrors&) {
    }
    if (!scanner_.errors().empty()) throw InputError{std::move(scanner_.errors())};
    return std::move(queries_);
  }

  ModelFile parse() {
    try {
      file();
    } catch (const TooManyErrors&) {
    }
    if (!scanner_.errors().empty()) throw InputError{std::move(scanner_.errors())};
    return finish();
  }

  // Tells of every rule, in the order of the text.
  void list_rules(std::function<void(const Rule&, Position)> listener) {
    on_rule_ = std::move(listener);
    try {
      file();
    } catch (const TooManyErrors&) {
    }
  }

 private:
  // --- file and sections ---

  void file() {
    if (scanner_.at_end()) {
      const bool comments = scanner_.text().find('/') != std::string_view::npos;
      return scanner_.error(
          {0, 1}, std::string{comments ? "the file has only comments" : "the file is empty"} + ": expected 'dpn'");
    }
    try {
      network();
    } catch (const SyntaxError&) {
      return;  // what does not begin like a model is no model: more errors would not help
    }
    queries(builder_.symbols());
  }

  void queries(const Symbols& symbols) {
    const bool all_read = scanner_.errors().size() == name_errors_;
    QueryParser parser{scanner_, symbols, warnings_, all_read ? UnknownSymbols::Report : UnknownSymbols::Ignore};
    queries_ = parser.parse();
    expectation_offsets_ = parser.expectation_offsets();
  }

  void network() {
    const std::string_view word = scanner_.peek_word();
    const Extent begin = scanner_.extent_here();
    constexpr std::array<std::string_view, 1> first_word{"dpn"};
    if (word != "dpn") {
      const auto meant = nearest(word, first_word);
      const std::string hint = meant ? "did you mean 'dpn'?" : "a model begins with 'dpn {'";
      if (!meant) scanner_.fail_expected("'dpn'", hint);
      scanner_.error(begin, "expected 'dpn', found '" + std::string{word} + "'", hint);
    }
    scanner_.skip_anything();
    scanner_.expect('{', " after 'dpn'");
    sections(begin);
    if (!initial_ && !initial_broken_)
      scanner_.error(begin, "no initial configuration", "write a section such as: initial (1)");
    if (!rules_seen_) scanner_.error(begin, "no rules", "write a section such as: rules { (1) -- step --> (2) }");
  }

  void sections(Extent begin) {
    while (!scanner_.accept('}')) {
      if (scanner_.at_end()) {
        if (!unclosed_) scanner_.error(begin, "the section 'dpn' is not closed by '}'");
        return;
      }
      if (begins_query(scanner_.peek_word())) {
        if (!unclosed_)
          scanner_.error(scanner_.extent_here(), "expected a section or '}', found " + scanner_.found(),
                         "queries follow after the '}' that closes 'dpn'");
        return;
      }
      try {
        section();
      } catch (const SyntaxError&) {
        skip_to_section();
      }
    }
  }

  void section() {
    std::string word{scanner_.peek_word()};
    if (!is_one_of(word, section_words)) {
      const auto meant = nearest(word, section_words);
      if (!meant) scanner_.fail_expected("a section (controls, stacks, locks, actions, groups, initial, rules) or '}'");
      scanner_.error(scanner_.extent_here(), "expected a section or '}', found '" + word + "'",
                     "did you mean '" + *meant + "'?");
      word = *meant;
    }
    const Extent begin = scanner_.extent_here();
    scanner_.skip_anything();
    NetworkBuilder& to = builder_;
    const Symbols& known = builder_.symbols();
    if (word == "controls")
      return naming(begin, known.controls, controls_, [&](std::string_view name) { return to.control(name); });
    if (word == "stacks")
      return naming(begin, known.stacks, stacks_, [&](std::string_view name) { return to.stack(name); });
    if (word == "locks")
      return naming(begin, known.locks, locks_, [&](std::string_view name) { return to.lock(name); });
    if (word == "actions")
      return naming(begin, known.actions, actions_, [&](std::string_view name) { return to.action(name); });
    if (word == "groups")
      return naming(begin, known.groups, groups_, [&](std::string_view name) { return to.group(name); });
    if (word == "initial") return initial(begin);
    rules(begin);
  }

  // Skips to a section or to the '}' that closes the network.
  void skip_to_section() {
    std::size_t depth = 0;
    while (!scanner_.at_end()) {
      const char c = scanner_.peek();
      if (depth == 0 && (c == '}' || is_one_of(scanner_.peek_word(), section_words))) return;
      if (c == '{') ++depth;
      if (c == '}') --depth;
      scanner_.skip_anything();
    }
  }

  template <class Key, class Intern>
  void naming(Extent begin, const Vocabulary<Key>& vocabulary, std::vector<Listed<Key>>& listed, const Intern& intern) {
    scanner_.expect('{', " after the name of a section");
    while (!scanner_.accept('}')) {
      if (scanner_.at_end()) return not_closed(begin);
      try {
        Extent where = scanner_.extent_here();
        const Key key = intern(scanner_.term(scratch_, std::string{"a "} + kind_of(Key{0}) + " or '}'"));
        where.width = scanner_.last_end() - where.begin;
        listed.push_back({key, where});
        if (scanner_.peek() == '"') scanner_.fail_expected("':' between a symbol and its text");
        if (scanner_.accept(':')) label(vocabulary, listed.back(), scanner_.string("a string"));
        scanner_.accept(',');
      } catch (const SyntaxError&) {
        skip_to_entry();
      }
    }
  }

  template <class Key>
  void label(const Vocabulary<Key>& vocabulary, const Listed<Key>& symbol, std::string text) {
    if (!vocabulary.label(symbol.key)) return builder_.label(symbol.key, std::move(text));
    ++name_errors_;
    scanner_.error(symbol.where, std::string{kind_of(symbol.key)} + " '" + shown_name(vocabulary.name(symbol.key)) +
                                     "' is named twice");
  }

  // Skips to the next entry of a naming section, which follows after a string or a comma.
  void skip_to_entry() {
    while (!scanner_.at_end() && scanner_.peek() != '}') {
      const char c = scanner_.peek();
      scanner_.skip_anything();
      if (c == '"' || c == ',') {
        scanner_.accept(',');
        return;
      }
    }
  }

  void initial(Extent begin) {
    if (initial_) scanner_.error(begin, "a second initial configuration");
    initial_broken_ = true;
    scanner_.expect('(', " after 'initial'");
    const Side side = left_side();
    initial_broken_ = false;
    if (initial_) return;
    initial_ = Head{*side.control, *side.top};
    initial_extent_ = {begin.begin, scanner_.last_end() - begin.begin};
    builder_.initial(*initial_);
  }

  void not_closed(Extent begin) {
    scanner_.error(begin, "the section is not closed by '}'");
    unclosed_ = true;
  }

  // --- rules ---

  void rules(Extent begin) {
    rules_seen_ = true;
    scanner_.expect('{', " after 'rules'");
    while (!scanner_.accept('}')) {
      if (scanner_.at_end()) return not_closed(begin);
      const std::string_view word = scanner_.peek_word();
      if (begins_query(word) || is_one_of(word, section_words)) {
        scanner_.error(scanner_.extent_here(), "expected a rule or '}', found " + scanner_.found());
        unclosed_ = true;
        return;
      }
      try {
        rule();
      } catch (const SyntaxError&) {
        skip_to_rule();
      }
      scanner_.accept(',');
    }
  }

  // Skips to where a rule may begin: a '(' right after a ')' or '}', or on a line of its own but not after an arrow.
  void skip_to_rule() {
    while (!scanner_.at_end() && scanner_.peek() != '}') {
      if (scanner_.peek() == '{') {
        skip_set();
        continue;
      }
      const std::size_t end = scanner_.last_end();
      const char before = scanner_.text()[end - 1];
      const std::string_view between = scanner_.text().substr(end, scanner_.offset() - end);
      const bool new_line = between.find('\n') != std::string_view::npos;
      if (scanner_.peek() == '(' && (before == ')' || before == '}' || (new_line && before != '>'))) return;
      scanner_.skip_anything();
    }
  }

  // The rest of a set of groups, up to its '}' or to what looks like the next rule or the end of its line.
  void skip_set() {
    const std::size_t end = std::min(scanner_.text().find('\n', scanner_.offset()), scanner_.text().size());
    while (!scanner_.at_end() && scanner_.offset() < end)
      if (scanner_.accept('}'))
        return;
      else
        scanner_.skip_anything();
  }

  void rule() {
    const Position at = (scanner_.skip_blanks(), scanner_.position());
    scanner_.expect('(', " or '}': a rule begins with '('");
    const Side left = left_side();
    scanner_.expect("--", " before the action of the rule");
    const Action action = builder_.action(scanner_.term(scratch_, "an action"));
    std::optional<std::pair<Lock, Extent>> lock;
    if (!scanner_.accept("-->")) {
      const Extent hyphen = scanner_.extent_here();
      if (!scanner_.accept('-')) scanner_.fail_expected("'-->', or '-' and a lock");
      if (scanner_.peek() == '>')
        scanner_.fail({hyphen.begin, scanner_.offset() + 1 - hyphen.begin}, "expected '-->', found '->'",
                      "did you mean '-->'?");
      const Extent where = scanner_.extent_here();
      lock.emplace(builder_.lock(scanner_.term(scratch_, "a lock")), where);
      scanner_.expect("-->", " before the right side of the rule");
    }
    scanner_.expect('(', ": the right side of the rule");
    const bool controls = left.terms == 2;
    const Side right = side(controls);
    const bool spawns = scanner_.accept(":>");
    const std::optional<Side> spawned = spawns ? std::optional{side(controls)} : std::nullopt;
    scanner_.expect(')', spawns ? " at the end of the rule" : ", ',' or ':>'");

    Effect effect = spawned ? spawn_of(controls, right, *spawned) : effect_of(controls, right, lock);
    if (lock && !std::holds_alternative<Monitor>(effect))
      scanner_.fail(lock->second, "a lock can only be taken by a rule that pushes, and this one does not",
                    controls ? "write (control, entered, return point) on the right side"
                             : "write (entered, return point) on the right side");
    if (is_one_of(scanner_.peek_word(), group_words)) {
      while (is_one_of(scanner_.peek_word(), group_words)) groups(effect);
      sort_groups(effect);
    }
    Rule read{{*left.control, *left.top}, action, std::move(effect)};
    if (on_rule_) on_rule_(read, at);
    builder_.add(std::move(read), at);
  }

  // What follows the right side of a rule about groups: `into {h}`, `as all {h}`, `opening {h}`, `joining {h}`,
  // `forgetting {h}`. The last two make a step another kind of rule.
  void groups(Effect& effect) {
    const Extent where = scanner_.extent_here();
    const std::string word{scanner_.peek_word()};
    scanner_.skip_anything();
    if (word == "into" || word == "as") {
      const bool all = scanner_.accept_word("all");
      const std::vector<Group> set = group_set(word);
      auto* spawn = std::get_if<Spawn>(&effect);
      if (spawn == nullptr)
        scanner_.fail(where, "only a spawn makes a thread a member of a group",
                      "write (stack :> stack) " + word + " {…}");
      for (const Group group : set) {
        if (std::ranges::find(spawn->memberships, group, &Membership::group) != spawn->memberships.end())
          scanner_.fail(where, "the new thread becomes a member of group '" +
                                   shown_name(builder_.symbols().groups.name(group)) + "' twice");
        spawn->memberships.push_back({group, all, word == "as"});
      }
      return;
    }
    const std::vector<Group> set = group_set(word);
    if (word == "opening") {
      auto* call = std::get_if<Call>(&effect);
      auto* monitor = std::get_if<Monitor>(&effect);
      if (call == nullptr && monitor == nullptr)
        scanner_.fail(where, "only a rule that pushes opens groups, and this one does not");
      std::vector<Group>& opening = call != nullptr ? call->opening : monitor->opening;
      opening.insert(opening.end(), set.begin(), set.end());
      return;
    }
    const auto* base = std::get_if<Base>(&effect);
    if (base == nullptr)
      scanner_.fail(where, std::string{"only a step is "} + word + " groups: one position on the right side",
                    word == "joining" ? "make the join a separate rule, before or behind this one" : "");
    if (word == "joining")
      effect = Join{base->to, set};
    else
      effect = Forget{base->to, set};
  }

  // `{h, k}`: at least one group, with or without commas.
  std::vector<Group> group_set(std::string_view word) {
    std::vector<Group> set;
    scanner_.expect('{', " after '" + std::string{word} + "': a set of groups");
    try {
      do {
        set.push_back(builder_.group(scanner_.term(scratch_, "a group")));
        scanner_.accept(',');
      } while (scanner_.peek() != '}' && scanner_.peek() != '\0');
      scanner_.expect('}', " at the end of the set");
    } catch (const SyntaxError&) {
      skip_set();
      throw;
    }
    return set;
  }

  // The rest of `([control,] stack)`.
  Side left_side() {
    Side side{.terms = 1, .extent = scanner_.extent_here()};
    const std::string_view first = scanner_.term(first_scratch_, "a control state or a stack symbol");
    if (scanner_.accept(',')) {
      side.control = builder_.control(first);
      side.top = builder_.stack(scanner_.term(scratch_, "a stack symbol"));
      side.terms = 2;
    } else {
      side.control = builder_.control("0");
      side.top = builder_.stack(first);
    }
    scanner_.expect(')', side.terms == 2 ? "" : " or ','");
    return side;
  }

  // The terms up to ')' or ':>'.
  Side side(bool controls) {
    Side side{.extent = scanner_.extent_here()};
    if (!controls) side.control = builder_.control("0");
    if (scanner_.peek() == ')' || scanner_.peek() == ':') return side;
    do {
      const bool is_control = controls && side.terms == 0;
      const std::string_view name = scanner_.term(scratch_, is_control ? "a control state" : "a stack symbol");
      if (is_control) {
        side.control = builder_.control(name);
      } else if (!side.top) {
        side.top = builder_.stack(name);
      } else if (!side.below) {
        side.below = builder_.stack(name);
      }
      ++side.terms;
    } while (scanner_.accept(','));
    side.extent.width = scanner_.last_end() - side.extent.begin;
    return side;
  }

  Effect effect_of(bool controls, const Side& side, const std::optional<std::pair<Lock, Extent>>& lock) {
    if (controls && side.terms == 0)
      scanner_.fail(side.extent,
                    "the left side has a control state, the right side has none" + std::string{all_or_none});
    const std::size_t symbols = side.terms - (controls ? 1 : 0);
    if (symbols == 0) return Return{*side.control};
    const Head head{*side.control, *side.top};
    if (symbols == 1) return Base{head};
    if (symbols == 2 && lock) return Monitor{head, *side.below, lock->first};
    if (symbols == 2) return Call{head, *side.below};
    if (!controls && symbols == 3)
      scanner_.fail(side.extent,
                    "the left side has no control state, the right side has one" + std::string{all_or_none});
    scanner_.fail(side.extent, "a right side has at most a control state and two stack symbols");
  }

  Effect spawn_of(bool controls, const Side& parent, const Side& child) {
    const std::size_t expected = controls ? 2 : 1;
    if (parent.terms == expected && child.terms == expected)
      return Spawn{{*parent.control, *parent.top}, {*child.control, *child.top}};
    const Extent both{parent.extent.begin, scanner_.last_end() - 1 - parent.extent.begin};
    const auto fits = [](const Side& side) { return side.terms == 1 || side.terms == 2; };
    if (!fits(parent) || !fits(child))
      scanner_.fail(both, controls ? "a spawn has the form (control, stack :> control, stack)"
                                   : "a spawn has the form (stack :> stack)");
    scanner_.fail(both, "some sides of the spawn have a control state and some have none" + std::string{all_or_none});
  }

  // --- remarks and the result ---

  ModelFile finish() {
    const NetworkBuilder::Review review = builder_.review();
    assert(review.errors.empty() && "the text has an initial configuration, and names each symbol once");
    warn_of_rules(review.warnings);
    Network network = std::move(builder_).build();
    warn_of_names(network);
    if (!network.rules().empty() && network.rules_from(network.initial()).empty())
      warnings_.add(initial_extent_, "no rule begins at the initial configuration");
    for (const std::size_t offset : scanner_.expectations())
      if (!std::ranges::binary_search(expectation_offsets_, offset) && has_colon(offset))
        warnings_.add({offset, 2}, "the expected verdict does not follow a query on the same line");
    return ModelFile{std::move(network), std::move(queries_), std::move(warnings_).take()};
  }

  [[nodiscard]] bool has_colon(std::size_t offset) const {
    const std::string_view comment = scanner_.text().substr(offset, scanner_.text().find('\n', offset) - offset);
    return comment.substr(std::min(comment.find("expect") + 6, comment.size())).starts_with(':');
  }

  // The offsets of ascending positions, in one pass over the text.
  class Offsets {
   public:
    explicit Offsets(std::string_view text) : text_{text} {}
    std::size_t of(Position at) {
      while (line_ < at.line) {
        begin_ = text_.find('\n', begin_) + 1;
        ++line_;
      }
      return begin_ + at.column - 1;
    }

   private:
    std::string_view text_;
    std::size_t begin_ = 0;
    std::uint32_t line_ = 1;
  };

  void warn_of_rules(const std::vector<Mistake>& mistakes) {
    Offsets offsets{scanner_.text()};
    for (const Mistake& mistake : mistakes) {
      const std::size_t offset = warnings_.full() ? 0 : offsets.of(mistake.at.value());
      warnings_.add({offset, 1}, mistake.message);
    }
  }

  // Names that nothing uses: often a misspelling in the rules.
  void warn_of_names(const Network& network) {
    IdVector<ControlState, bool> controls(network.control_states().size());
    IdVector<StackSymbol, bool> stacks(network.stack_symbols().size());
    IdVector<Action, bool> actions(network.actions().size());
    IdVector<Lock, bool> locks(network.locks().size());
    IdVector<Group, bool> groups(network.groups().size());
    const auto use = [&](Head head) { controls[head.control] = stacks[head.top] = true; };
    use(network.initial());
    for (const Rule& rule : network.rules()) {
      use(rule.from);
      actions[rule.action] = true;
      if (const auto to = step_of(rule)) use(*to);
      if (const auto* ret = std::get_if<Return>(&rule.effect)) controls[ret->to] = true;
      if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) use(spawn->parent), use(spawn->child);
      for_each_group(rule, [&](Group group) { groups[group] = true; });
      if (const auto entry = entry_of(rule)) {
        use(entry->callee);
        stacks[entry->return_point] = true;
        if (entry->lock) locks[*entry->lock] = true;
      }
    }
    const auto look = [&](const auto& listed, const auto& vocabulary, const auto& used) {
      for (const auto& [key, where] : listed)
        if (!used[key] && vocabulary.label(key))
          warnings_.add(
              where, std::string{"no rule uses the "} + kind_of(key) + " '" + shown_name(vocabulary.name(key)) + "'");
    };
    look(controls_, network.control_states(), controls);
    look(stacks_, network.stack_symbols(), stacks);
    look(actions_, network.actions(), actions);
    look(locks_, network.locks(), locks);
    look(groups_, network.groups(), groups);
  }

  Scanner scanner_;
  std::string scratch_;        // of the term read last, if it is not a piece of the text
  std::string first_scratch_;  // of the first term of a left side, which outlives the second
  NetworkBuilder builder_;
  std::function<void(const Rule&, Position)> on_rule_;  // none if nobody listens
  std::vector<Listed<ControlState>> controls_;
  std::vector<Listed<StackSymbol>> stacks_;
  std::vector<Listed<Action>> actions_;
  std::vector<Listed<Lock>> locks_;
  std::vector<Listed<Group>> groups_;
  std::optional<Head> initial_;
  Extent initial_extent_;
  bool initial_broken_ = false;  // there is one, but it could not be read
  bool rules_seen_ = false;
  bool unclosed_ = false;        // a missing '}' was reported
  std::size_t name_errors_ = 0;  // errors about texts of symbols, which do not keep anything from being read
  std::vector<Query> queries_;
  std::vector<std::size_t> expectation_offsets_;  // of the comments that were read as expectations
  TextWarnings warnings_;
};

}  // namespace

ModelFile parse_dpn(std::string_view text, std::string_view file, StopToken stop) {
  return Parser{text, file, stop}.parse();
}

std::vector<Query> parse_queries(const Network& network, std::string_view text, std::string_view file) {
  return Parser{text, file}.parse_queries(network);
}

// Symbols get the same numbers again. A rule that is there already was left out of the network, so the rules of the
// network are those of the text that are its next one.
IdVector<RuleId, Position> rule_positions(const Network& network, std::string_view text) {
  IdVector<RuleId, Position> positions;
  Parser{text, {}}.list_rules([&](const Rule& rule, Position at) {
    const RuleId next{positions.size()};
    if (next.index() < network.rules().size() && network.rule(next) == rule) positions.push_back(at);
  });
  positions.resize(network.rules().size(), {0, 0});
  return positions;
}

}  // namespace lockwood::dpn
