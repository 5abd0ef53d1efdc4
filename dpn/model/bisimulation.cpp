#include "dpn/model/bisimulation.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <utility>

#include "base/ids/sequence_table.hpp"

namespace lockwood::dpn {
namespace {

// A rule without its action and its symbols, as a sequence, and the symbols.
class RuleShape {
 public:
  explicit RuleShape(const Rule& rule) : words{static_cast<std::uint32_t>(rule.kind())} {
    add(rule.from.control);
    std::visit([this](const auto& effect) { add(effect); }, rule.effect);
  }

  std::vector<std::uint32_t> words;
  std::vector<StackSymbol> symbols;

 private:
  template <class Key>
  void add(Key key) {
    words.push_back(static_cast<std::uint32_t>(key.index()));
  }
  void add(Head head) {
    add(head.control);
    symbols.push_back(head.top);
  }
  void add(const std::vector<Group>& groups) {
    for (Group group : groups) add(group);
  }
  void add(const Base& base) { add(base.to); }
  void add(const Call& call) {
    add(call.callee);
    symbols.push_back(call.return_point);
    add(call.opening);
  }
  void add(const Return& ret) { add(ret.to); }
  void add(const Spawn& spawn) {
    add(spawn.parent);
    add(spawn.child);
    for (const Membership& membership : spawn.memberships) {
      add(membership.group);
      words.push_back((membership.all ? 1U : 0U) + (membership.replace ? 2U : 0U));
    }
  }
  void add(const Monitor& monitor) {
    add(monitor.callee);
    symbols.push_back(monitor.return_point);
    add(monitor.lock);
    add(monitor.opening);
  }
  void add(const Join& join) {
    add(join.to);
    add(join.groups);
  }
  void add(const Forget& forget) {
    add(forget.to);
    add(forget.groups);
  }
};

}  // namespace

// Numbers of signatures: equal numbers, equal signatures.
struct Bisimulation::Signatures {
  SequenceTable<> table;
  std::vector<std::vector<std::uint32_t>> rules;  // of the symbol that is being looked at
  std::vector<std::uint32_t> words;
};

Bisimulation::Structure Bisimulation::structure_of(const Network& network) {
  Structure structure;
  SequenceTable<> shapes;
  const std::size_t symbols = network.stack_symbols().size();
  std::vector<std::pair<StackSymbol, StackSymbol>> uses;  // symbol, user
  for (const Rule& rule : network.rules()) {
    RuleShape shape{rule};
    for (StackSymbol symbol : shape.symbols) uses.emplace_back(symbol, rule.from.top);
    structure.shapes.push_back({shapes.intern(shape.words).number, std::move(shape.symbols)});
  }
  structure.shape_count = static_cast<std::uint32_t>(shapes.size());
  std::ranges::sort(uses);
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  structure.user_begins.resize(symbols + 1);
  for (const auto& [symbol, user] : uses) {
    ++structure.user_begins[symbol.index() + 1];
    structure.users.push_back(user);
  }
  std::partial_sum(structure.user_begins.begin(), structure.user_begins.end(), structure.user_begins.begin());
  return structure;
}

std::span<const StackSymbol> Bisimulation::users_of(StackSymbol symbol) const {
  const auto& begins = structure_->user_begins;
  return std::span{structure_->users}.subspan(begins[symbol.index()],
                                              begins[symbol.index() + 1] - begins[symbol.index()]);
}

// One class at first, in which all members may be different.
Bisimulation::Bisimulation(const Network& network, StopToken stop)
    : network_{&network},
      structure_{std::make_shared<const Structure>(structure_of(network))},
      told_(network.actions().size(), 0),
      class_of_(network.stack_symbols().size(), SymbolClass{0}) {
  const auto symbols = static_cast<std::uint32_t>(network.stack_symbols().size());
  if (symbols == 0) return;
  for (StackSymbol symbol : network.stack_symbols().keys()) {
    members_.push_back(symbol);
    position_.push_back(static_cast<std::uint32_t>(symbol.index()));
  }
  begins_.push_back(0);
  ends_.push_back(symbols);
  marked_.push_back(symbols);
  worklist_.push_back(SymbolClass{0});
  refine(stop);
}

// A finer partition is a refinement of the coarser one: only symbols with a rule for one of the actions have another
// signature at first.
Bisimulation Bisimulation::telling_apart(std::span<const Action> actions, StopToken stop) const {
  Bisimulation finer = *this;
  const auto told = static_cast<std::uint32_t>(std::ranges::count_if(told_, [](std::uint32_t n) { return n != 0; }));
  std::uint32_t next = told;
  for (Action action : actions)
    if (finer.told_[action] == 0) finer.told_[action] = ++next;
  for (const Rule& rule : network_->rules())
    if (finer.told_[rule.action] > told) finer.mark(rule.from.top);
  finer.refine(stop);
  return finer;
}

// Marked members stand first in their class.
void Bisimulation::mark(StackSymbol symbol) {
  const SymbolClass its = class_of_[symbol];
  const std::uint32_t first_unmarked = begins_[its] + marked_[its];
  const std::uint32_t at = position_[symbol];
  if (at < first_unmarked) return;
  if (marked_[its]++ == 0) worklist_.push_back(its);
  std::swap(members_[at], members_[first_unmarked]);
  position_[members_[at]] = at;
  position_[members_[first_unmarked]] = first_unmarked;
}

void Bisimulation::refine(StopToken stop) {
  constexpr std::size_t classes_between_looks = 1024;
  Signatures signatures;
  for (std::size_t looked_at = 0; !worklist_.empty(); ++looked_at) {
    if (looked_at % classes_between_looks == 0) stop.check();
    const SymbolClass next = worklist_.back();
    worklist_.pop_back();
    split(next, signatures);
  }
  check_invariants();
}

// Members with equal signatures stay together. The largest part keeps the number of the class: so a symbol gets another
// number only when its part is at most half as large as before, and its users are marked at most log n times for it.
void Bisimulation::split(SymbolClass what, Signatures& signatures) {
  const std::uint32_t begin = begins_[what];
  const std::uint32_t end = ends_[what];
  const std::uint32_t marked_end = begin + std::exchange(marked_[what], 0);
  std::vector<std::pair<std::uint32_t, StackSymbol>> marked;  // by signature
  for (std::uint32_t at = begin; at < marked_end; ++at)
    marked.emplace_back(signature(members_[at], signatures), members_[at]);
  std::ranges::sort(marked);
  std::optional<std::uint32_t> unmarked;  // the signature of all that are not marked
  if (marked_end < end) {
    unmarked = signature(members_[marked_end], signatures);
    std::ranges::stable_partition(marked, [&](const auto& each) { return each.first != unmarked; });
  }
  struct Part {
    std::uint32_t begin;
    std::uint32_t end;
  };
  std::vector<Part> parts;
  for (std::uint32_t i = 0; i < marked.size(); ++i) {
    members_[begin + i] = marked[i].second;
    position_[marked[i].second] = begin + i;
    if (i == 0 || marked[i].first != marked[i - 1].first) parts.push_back({begin + i, begin + i});
    parts.back().end = begin + i + 1;
  }
  if (unmarked) {
    if (!marked.empty() && marked.back().first == *unmarked)
      parts.back().end = end;
    else
      parts.push_back({marked_end, end});
  }
  if (parts.size() == 1) return;
  const auto largest = std::ranges::max_element(parts, {}, [](const Part& part) { return part.end - part.begin; });
  begins_[what] = largest->begin;
  ends_[what] = largest->end;
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part == largest) continue;
    const SymbolClass fresh{begins_.size()};
    begins_.push_back(part->begin);
    ends_.push_back(part->end);
    marked_.push_back(0);
    for (std::uint32_t at = part->begin; at < part->end; ++at) class_of_[members_[at]] = fresh;
  }
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part == largest) continue;
    const std::vector<StackSymbol> moved(members_.begin() + part->begin, members_.begin() + part->end);
    for (StackSymbol symbol : moved)
      for (StackSymbol user : users_of(symbol)) mark(user);
  }
}

// The set of the symbol's rules, with the classes of the symbols in them.
std::uint32_t Bisimulation::signature(StackSymbol symbol, Signatures& signatures) const {
  auto& [table, rules, words] = signatures;
  const auto ids = network_->rules_at(symbol);
  if (rules.size() < ids.size()) rules.resize(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Shape& shape = structure_->shapes[ids[i]];
    rules[i] = {shape.number, told_[network_->rule(ids[i]).action]};
    for (StackSymbol each : shape.symbols) rules[i].push_back(static_cast<std::uint32_t>(class_of_[each].index()));
  }
  const auto end = rules.begin() + static_cast<std::ptrdiff_t>(ids.size());
  std::sort(rules.begin(), end);
  const auto last = std::unique(rules.begin(), end);
  words.clear();
  for (auto rule = rules.begin(); rule != last; ++rule)  // its shape tells how many words it has
    words.insert(words.end(), rule->begin(), rule->end());
  return table.intern(words).number;
}

void Bisimulation::check_invariants() const {
#ifndef NDEBUG
  assert(worklist_.empty() && begins_.size() == ends_.size() && begins_.size() == marked_.size());
  std::size_t members = 0;
  for (SymbolClass each : begins_.keys()) {
    assert(begins_[each] < ends_[each] && marked_[each] == 0);
    members += ends_[each] - begins_[each];
    for (std::uint32_t at = begins_[each]; at < ends_[each]; ++at)
      assert(class_of_[members_[at]] == each && position_[members_[at]] == at);
  }
  assert(members == members_.size());
#endif
}

}  // namespace lockwood::dpn
