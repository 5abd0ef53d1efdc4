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

void sort_unique(std::vector<Group>& groups) {
  if (groups.size() < 2) return;
  std::ranges::sort(groups);
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
}

// Names what is wrong with a rule: ids that are not in the tables, groups that are missing or there twice.
class RuleErrors {
 public:
  explicit RuleErrors(const Symbols& symbols) : symbols_{symbols} {}

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
    look(call.opening);
  }
  void look(const Return& ret) { look(ret.to, symbols_.controls, "control state"); }
  void look(const Spawn& spawn) {
    look(spawn.parent);
    look(spawn.child);
    for (const Membership& membership : spawn.memberships) look(membership.group, symbols_.groups, "group");
    const auto again = std::ranges::adjacent_find(spawn.memberships, {}, &Membership::group);
    if (again == spawn.memberships.end() || again->group.index() >= symbols_.groups.size()) return;
    found_.push_back("the new thread becomes a member of group '" + std::string{symbols_.groups.name(again->group)} +
                     "' twice");
  }
  void look(const Monitor& monitor) {
    look(monitor.callee);
    look(monitor.return_point, symbols_.stacks, "stack symbol");
    look(monitor.lock, symbols_.locks, "lock");
    look(monitor.opening);
  }
  void look(const Join& join) {
    look(join.to);
    look(join.groups);
    if (join.groups.empty()) found_.emplace_back("a join of no group");
  }
  void look(const Forget& forget) {
    look(forget.to);
    look(forget.groups);
    if (forget.groups.empty()) found_.emplace_back("a forgetting of no group");
  }
  void look(const std::vector<Group>& groups) {
    for (const Group group : groups) look(group, symbols_.groups, "group");
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

void sort_groups(Effect& effect) {
  if (auto* spawn = std::get_if<Spawn>(&effect)) std::ranges::sort(spawn->memberships);
  if (auto* call = std::get_if<Call>(&effect)) sort_unique(call->opening);
  if (auto* monitor = std::get_if<Monitor>(&effect)) sort_unique(monitor->opening);
  if (auto* join = std::get_if<Join>(&effect)) sort_unique(join->groups);
  if (auto* forget = std::get_if<Forget>(&effect)) sort_unique(forget->groups);
}

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
void NetworkBuilder::label(Group group, std::string text, std::optional<Position> at) {
  label_in(symbols_.groups, "group", group, std::move(text), at);
}

void NetworkBuilder::initial(Head head, std::optional<Position> at) {
  if (initial_) return second_initials_.push_back({"a second initial configuration", at});
  initial_ = head;
  initial_at_ = at;
}

void NetworkBuilder::add(Rule rule, std::optional<Position> at) {
  stop_.check();
  if (symbols_.groups.size() > 0) sort_groups(rule.effect);
  rules_.push_back(std::move(rule));
  positions_.push_back(at.value_or(unknown));
}

std::vector<Mistake> NetworkBuilder::errors() const {
  std::vector<Mistake> errors = label_errors_;
  if (!initial_) {
    errors.push_back({"no initial configuration", std::nullopt});
  } else {
    for (std::string& message : RuleErrors{symbols_}.of(*initial_)) errors.push_back({std::move(message), initial_at_});
  }
  errors.insert(errors.end(), second_initials_.begin(), second_initials_.end());
  for (RuleId id : rules_.keys()) {
    stop_.check();
    for (std::string& message : RuleErrors{symbols_}.of(rules_[id]))
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
