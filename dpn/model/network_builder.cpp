#include "dpn/model/network_builder.hpp"

#include <algorithm>

#include "dpn/model/rules_by_top.hpp"

namespace lockwood::dpn {
namespace {

constexpr Position unknown{0, 0};

std::optional<Position> known(Position at) { return at == unknown ? std::nullopt : std::optional{at}; }

std::string summary(const std::vector<Mistake>& mistakes) {
  std::string text = "invalid network";
  for (const Mistake& mistake : mistakes) text += "; " + mistake.message;
  return text;
}

// Names the ids of a rule that are not in the tables.
class UnknownIds {
 public:
  explicit UnknownIds(const Symbols& symbols) : symbols_{symbols} {}

  [[nodiscard]] std::vector<std::string> of(Head head) {
    look(head);
    return std::move(found_);
  }
  [[nodiscard]] std::vector<std::string> of(const Rule& rule) {
    look(rule.from);
    look(rule.action, symbols_.actions, "action");
    std::visit([this](const auto& effect) { look(effect); }, rule.effect);
    return std::move(found_);
  }

 private:
  template <class Key>
  void look(Key key, const Vocabulary<Key>& vocabulary, const char* kind) {
    if (key.index() >= vocabulary.size())
      found_.push_back(std::string{"unknown "} + kind + " number " + std::to_string(key.index()));
  }
  void look(Head head) {
    look(head.control, symbols_.controls, "control state");
    look(head.top, symbols_.stacks, "stack symbol");
  }
  void look(const Base& base) { look(base.to); }
  void look(const Call& call) {
    look(call.callee);
    look(call.return_point, symbols_.stacks, "stack symbol");
  }
  void look(const Return& ret) { look(ret.to, symbols_.controls, "control state"); }
  void look(const Spawn& spawn) {
    look(spawn.parent);
    look(spawn.child);
  }
  void look(const Monitor& monitor) {
    look(monitor.callee);
    look(monitor.return_point, symbols_.stacks, "stack symbol");
    look(monitor.lock, symbols_.locks, "lock");
  }

  const Symbols& symbols_;
  std::vector<std::string> found_;
};

// Rules that are equal to one before them, ascending. Equal rules start from the same top, and hardly any top has many.
std::vector<RuleId> repeated_rules(const IdVector<RuleId, Rule>& rules, std::size_t tops) {
  RulesByTop sorted = rules_by_top(rules, tops);
  std::vector<RuleId> repeated;
  for (std::size_t top = 0; top < tops; ++top) {
    const auto begin = sorted.rules.begin() + sorted.begins[top];
    const auto end = sorted.rules.begin() + sorted.begins[top + 1];
    const auto size = end - begin;
    if (size < 2 || (size == 2 && rules[*begin] != rules[*(begin + 1)])) continue;
    std::ranges::stable_sort(begin, end, [&](RuleId a, RuleId b) { return rules[a] < rules[b]; });
    for (auto id = begin + 1; id != end; ++id)
      if (rules[*id] == rules[*(id - 1)]) repeated.push_back(*id);
  }
  std::ranges::sort(repeated);
  return repeated;
}

}  // namespace

InvalidNetwork::InvalidNetwork(std::vector<Mistake> mistakes)
    : std::runtime_error{summary(mistakes)}, mistakes_{std::move(mistakes)} {}

template <class Key>
void NetworkBuilder::label_in(Vocabulary<Key>& vocabulary, const char* kind, Key key, std::string text,
                              std::optional<Position> at) {
  if (key.index() >= vocabulary.size()) {
    label_errors_.push_back({std::string{"label of an unknown "} + kind, at});
  } else if (vocabulary.label(key)) {
    label_errors_.push_back({std::string{kind} + " '" + std::string{vocabulary.name(key)} + "' is named twice", at});
  } else {
    vocabulary.set_label(key, std::move(text));
  }
}

void NetworkBuilder::label(ControlState control, std::string text, std::optional<Position> at) {
  label_in(symbols_.controls, "control state", control, std::move(text), at);
}
void NetworkBuilder::label(StackSymbol stack, std::string text, std::optional<Position> at) {
  label_in(symbols_.stacks, "stack symbol", stack, std::move(text), at);
}
void NetworkBuilder::label(Action action, std::string text, std::optional<Position> at) {
  label_in(symbols_.actions, "action", action, std::move(text), at);
}
void NetworkBuilder::label(Lock lock, std::string text, std::optional<Position> at) {
  label_in(symbols_.locks, "lock", lock, std::move(text), at);
}

void NetworkBuilder::initial(Head head, std::optional<Position> at) {
  if (initial_) return second_initials_.push_back({"a second initial configuration", at});
  initial_ = head;
  initial_at_ = at;
}

void NetworkBuilder::add(const Rule& rule, std::optional<Position> at) {
  stop_.check();
  rules_.push_back(rule);
  positions_.push_back(at.value_or(unknown));
}

std::vector<Mistake> NetworkBuilder::errors() const {
  std::vector<Mistake> errors = label_errors_;
  if (!initial_) {
    errors.push_back({"no initial configuration", std::nullopt});
  } else {
    for (std::string& message : UnknownIds{symbols_}.of(*initial_)) errors.push_back({std::move(message), initial_at_});
  }
  errors.insert(errors.end(), second_initials_.begin(), second_initials_.end());
  for (RuleId id : rules_.keys()) {
    stop_.check();
    for (std::string& message : UnknownIds{symbols_}.of(rules_[id]))
      errors.push_back({std::move(message), known(positions_[id])});
  }
  return errors;
}

NetworkBuilder::Review NetworkBuilder::review() const {
  Review review{.errors = errors(), .warnings = {}};
  if (!review.errors.empty()) return review;  // ids may be unknown
  for (RuleId id : repeated_rules(rules_, symbols_.stacks.size()))
    review.warnings.push_back({"the rule is there already", known(positions_[id])});
  return review;
}

Network NetworkBuilder::build() && {
  if (std::vector<Mistake> found = errors(); !found.empty()) throw InvalidNetwork{std::move(found)};
  positions_ = {};
  const std::vector<RuleId> repeated = repeated_rules(rules_, symbols_.stacks.size());
  IdVector<RuleId, Rule> rules;
  if (repeated.empty()) {
    rules = std::move(rules_);
  } else {
    for (RuleId id : rules_.keys())
      if (!std::ranges::binary_search(repeated, id)) rules.push_back(rules_[id]);
  }
  rules.shrink_to_fit();
  return Network{std::make_shared<const Symbols>(std::move(symbols_)), *initial_, std::move(rules)};
}

}  // namespace lockwood::dpn
