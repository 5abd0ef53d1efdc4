#include "dpn/generators/shrink.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "dpn/formats/symbol_order.hpp"
#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {
namespace {

// A model in pieces, to be changed.
struct Draft {
  Symbols symbols;
  Head initial;
  std::vector<Rule> rules;
  Query query;
};

Network network_of(const Draft& draft) {
  NetworkBuilder builder{draft.symbols};
  builder.initial(draft.initial);
  for (const Rule& rule : draft.rules) builder.add(rule);
  return std::move(builder).build();
}

// A way of making drafts smaller. There are `count` places where it could be done, numbered from 0; `apply` does it at
// the consecutive ones from `begin` to before `end`, and says whether what remains is a draft at all. Doing it leaves
// fewer places.
struct Reduction {
  std::size_t (*count)(const Draft&);
  bool (*apply)(Draft&, std::size_t begin, std::size_t end);
};

template <class T>
void erase_range(std::vector<T>& items, std::size_t begin, std::size_t end) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(begin), items.begin() + static_cast<std::ptrdiff_t>(end));
}

constexpr Reduction fewer_rules{[](const Draft& draft) { return draft.rules.size(); },
                                [](Draft& draft, std::size_t begin, std::size_t end) {
                                  erase_range(draft.rules, begin, end);
                                  return true;
                                }};

constexpr Reduction fewer_steps{[](const Draft& draft) { return draft.query.steps.size(); },
                                [](Draft& draft, std::size_t begin, std::size_t end) {
                                  erase_range(draft.query.steps, begin, end);
                                  return !draft.query.steps.empty();
                                }};

// Lists in a query whose items, counted through, can be left out.
struct Sets {
  static constexpr bool may_be_empty = true;
  template <class AnyQuery, class Visit>
  static void visit(AnyQuery& query, const Visit& list) {
    for (auto& step : query.steps) list(step.positions);
  }
};
struct Positions {
  static constexpr bool may_be_empty = false;
  template <class AnyQuery, class Visit>
  static void visit(AnyQuery& query, const Visit& list) {
    for (auto& step : query.steps)
      for (auto& set : step.positions) list(set);
  }
};
struct Actions {
  static constexpr bool may_be_empty = true;
  template <class AnyQuery, class Visit>
  static void visit(AnyQuery& query, const Visit& list) {
    for (auto& step : query.steps) {
      list(step.avoiding);
      list(step.requiring);
    }
  }
};

template <class Lists>
constexpr Reduction fewer{[](const Draft& draft) {
                            std::size_t count = 0;
                            Lists::visit(draft.query, [&](const auto& list) { count += list.size(); });
                            return count;
                          },
                          [](Draft& draft, std::size_t begin, std::size_t end) {
                            std::size_t before = 0;  // items in the lists passed
                            bool valid = true;
                            Lists::visit(draft.query, [&](auto& list) {
                              const auto inside = [&](std::size_t place) {
                                return std::clamp(place, before, before + list.size()) - before;
                              };
                              const std::size_t from = inside(begin);
                              const std::size_t to = inside(end);
                              before += list.size();
                              erase_range(list, from, to);
                              if (from < to && list.empty() && !Lists::may_be_empty) valid = false;
                            });
                            return valid;
                          }};

// Simpler effects of rules; nothing for a rule to which this does not apply.
std::optional<Effect> without_lock(const Rule& rule) {
  const auto* monitor = std::get_if<Monitor>(&rule.effect);
  if (monitor == nullptr) return std::nullopt;
  return Call{monitor->callee, monitor->return_point, monitor->opening};
}
std::optional<Effect> without_return(const Rule& rule) {
  const auto* call = std::get_if<Call>(&rule.effect);
  if (call == nullptr) return std::nullopt;
  return Base{call->callee};
}
std::optional<Effect> without_body(const Rule& rule) {
  const auto* call = std::get_if<Call>(&rule.effect);
  if (call == nullptr) return std::nullopt;
  return Base{{call->callee.control, call->return_point}};
}
std::optional<Effect> without_child(const Rule& rule) {
  const auto* spawn = std::get_if<Spawn>(&rule.effect);
  if (spawn == nullptr) return std::nullopt;
  return Base{spawn->parent};
}
std::optional<Effect> without_groups(const Rule& rule) {
  if (!concerns_groups(rule)) return std::nullopt;
  Effect effect = rule.effect;
  if (auto* spawn = std::get_if<Spawn>(&effect)) spawn->memberships.clear();
  if (auto* call = std::get_if<Call>(&effect)) call->opening.clear();
  if (auto* monitor = std::get_if<Monitor>(&effect)) monitor->opening.clear();
  if (const auto to = step_of(rule)) effect = Base{*to};
  return effect;
}
// One group less.
std::optional<Effect> with_fewer_groups(const Rule& rule) {
  Effect effect = rule.effect;
  const auto shorten = [](auto& list) {
    if (list.size() < 2) return false;
    list.pop_back();
    return true;
  };
  bool shorter = false;
  if (auto* spawn = std::get_if<Spawn>(&effect)) shorter = shorten(spawn->memberships);
  if (auto* call = std::get_if<Call>(&effect)) shorter = shorten(call->opening);
  if (auto* monitor = std::get_if<Monitor>(&effect)) shorter = shorten(monitor->opening);
  if (auto* join = std::get_if<Join>(&effect)) shorter = shorten(join->groups);
  if (auto* forget = std::get_if<Forget>(&effect)) shorter = shorten(forget->groups);
  return shorter ? std::optional{effect} : std::nullopt;
}
// A membership without `all`.
std::optional<Effect> without_offspring(const Rule& rule) {
  const auto* spawn = std::get_if<Spawn>(&rule.effect);
  if (spawn == nullptr || std::ranges::none_of(spawn->memberships, &Membership::all)) return std::nullopt;
  Spawn simpler = *spawn;
  for (Membership& membership : simpler.memberships) membership.all = false;
  return simpler;
}

template <std::optional<Effect> (*simpler)(const Rule&)>
constexpr Reduction simpler_rules{[](const Draft& draft) {
                                    return static_cast<std::size_t>(std::ranges::count_if(
                                        draft.rules, [](const Rule& rule) { return simpler(rule).has_value(); }));
                                  },
                                  [](Draft& draft, std::size_t begin, std::size_t end) {
                                    std::size_t place = 0;
                                    for (Rule& rule : draft.rules) {
                                      const auto effect = simpler(rule);
                                      if (!effect) continue;
                                      if (begin <= place && place < end) rule.effect = *effect;
                                      ++place;
                                    }
                                    return true;
                                  }};

// The rule, or query, with every symbol replaced by what `map` says.
template <class Map>
class Mapping {
 public:
  explicit Mapping(const Map& map) : map_{map} {}
  Head operator()(Head head) const { return {map_(head.control), map_(head.top)}; }
  Effect operator()(const Base& base) const { return Base{(*this)(base.to)}; }
  Effect operator()(const Call& call) const {
    return Call{(*this)(call.callee), map_(call.return_point), groups(call.opening)};
  }
  Effect operator()(const Return& ret) const { return Return{map_(ret.to)}; }
  Effect operator()(const Spawn& spawn) const {
    Spawn mapped{(*this)(spawn.parent), (*this)(spawn.child)};
    for (const Membership& membership : spawn.memberships) {
      const Group group = map_(membership.group);  // two groups may have become one
      if (std::ranges::find(mapped.memberships, group, &Membership::group) == mapped.memberships.end())
        mapped.memberships.push_back({group, membership.all, membership.replace});
    }
    return mapped;
  }
  Effect operator()(const Monitor& monitor) const {
    return Monitor{(*this)(monitor.callee), map_(monitor.return_point), map_(monitor.lock), groups(monitor.opening)};
  }
  Effect operator()(const Join& join) const { return Join{(*this)(join.to), groups(join.groups)}; }
  Effect operator()(const Forget& forget) const { return Forget{(*this)(forget.to), groups(forget.groups)}; }
  Rule operator()(const Rule& rule) const {
    Rule mapped{(*this)(rule.from), map_(rule.action), std::visit(*this, rule.effect)};
    sort_groups(mapped.effect);  // so that equal rules are seen to be equal
    return mapped;
  }

 private:
  std::vector<Group> groups(const std::vector<Group>& groups) const {
    std::vector<Group> mapped;
    for (const Group group : groups) mapped.push_back(map_(group));
    return mapped;
  }
  const Map& map_;
};

template <class Map>
void map_symbols(Draft& draft, const Map& map) {
  const Mapping mapping{map};
  draft.initial = mapping(draft.initial);
  for (Rule& rule : draft.rules) rule = mapping(rule);
  const auto map_list = [&](auto& list) {
    for (auto& symbol : list) symbol = map(symbol);
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  Positions::visit(draft.query, map_list);
  Actions::visit(draft.query, map_list);
}

template <class Visitor>
void visit_used_symbols(const Draft& draft, const Visitor& visit) {
  visit(draft.initial.control);
  visit(draft.initial.top);
  for (const Rule& rule : draft.rules) visit_symbols(rule, visit);
  const auto visit_list = [&](const auto& list) { std::ranges::for_each(list, visit); };
  Positions::visit(draft.query, visit_list);
  Actions::visit(draft.query, visit_list);
}

template <class Key>
void replace(Draft& draft, Key from, Key to) {
  map_symbols(draft, [&](auto key) {
    if constexpr (std::is_same_v<decltype(key), Key>)
      return key == from ? to : key;
    else
      return key;
  });
}

template <class Key>
std::set<Key> used(const Draft& draft) {
  std::set<Key> keys;
  visit_used_symbols(draft, [&](auto key) {
    if constexpr (std::is_same_v<decltype(key), Key>) keys.insert(key);
  });
  return keys;
}

// All but the first symbol of a kind can become the first one.
template <class Key>
constexpr Reduction merged_symbols{[](const Draft& draft) {
                                     const std::size_t count = used<Key>(draft).size();
                                     return count == 0 ? 0 : count - 1;
                                   },
                                   [](Draft& draft, std::size_t begin, std::size_t end) {
                                     const std::set<Key> keys = used<Key>(draft);
                                     const std::vector<Key> list(keys.begin(), keys.end());
                                     for (std::size_t i = begin; i < end; ++i) replace(draft, list[i + 1], list[0]);
                                     return true;
                                   }};

// The base step of a rule that leads to another program point, in the same control state.
const Base* step_onward(const Rule& rule) {
  const auto* base = std::get_if<Base>(&rule.effect);
  return base != nullptr && base->to.control == rule.from.control && base->to.top != rule.from.top ? base : nullptr;
}

// A base step goes, and the two program points that it connects become one.
constexpr Reduction contracted_steps{[](const Draft& draft) {
                                       return static_cast<std::size_t>(std::ranges::count_if(
                                           draft.rules, [](const Rule& rule) { return step_onward(rule) != nullptr; }));
                                     },
                                     [](Draft& draft, std::size_t begin, std::size_t end) {
                                       std::vector<std::size_t> chosen;
                                       std::size_t place = 0;
                                       for (std::size_t i = 0; i < draft.rules.size(); ++i) {
                                         if (step_onward(draft.rules[i]) == nullptr) continue;
                                         if (begin <= place && place < end) chosen.push_back(i);
                                         ++place;
                                       }
                                       for (std::size_t i : chosen)
                                         if (const Base* step = step_onward(draft.rules[i]))
                                           replace(draft, step->to.top, draft.rules[i].from.top);
                                       std::ranges::reverse(chosen);  // from the last, since what follows moves up
                                       for (std::size_t i : chosen) erase_range(draft.rules, i, i + 1);
                                       return true;
                                     }};

template <class Key>
void take_over(Vocabulary<Key>& to, const Vocabulary<Key>& from, Key key) {
  const Key taken = to.intern(from.name(key));
  if (const auto label = from.label(key)) to.set_label(taken, std::string{*label});
}

// The vocabulary of the symbol's kind; `AnySymbols` is Symbols, const or not.
template <class AnySymbols, class Key>
auto& vocabulary(AnySymbols& symbols, Key) {
  if constexpr (std::is_same_v<Key, ControlState>)
    return symbols.controls;
  else if constexpr (std::is_same_v<Key, StackSymbol>)
    return symbols.stacks;
  else if constexpr (std::is_same_v<Key, Action>)
    return symbols.actions;
  else if constexpr (std::is_same_v<Key, Lock>)
    return symbols.locks;
  else
    return symbols.groups;
}

// Only the symbols that are used, in the order of their first appearance: the model then prints without lists of them.
Symbols used_symbols(const Draft& draft) {
  Symbols kept;
  visit_used_symbols(draft, [&](auto key) { take_over(vocabulary(kept, key), vocabulary(draft.symbols, key), key); });
  return kept;
}

constexpr Reduction only_used_symbols{
    [](const Draft& draft) -> std::size_t { return used_symbols(draft) == draft.symbols ? 0 : 1; },
    [](Draft& draft, std::size_t, std::size_t) {
      const Symbols kept = used_symbols(draft);
      map_symbols(draft, [&](auto key) {
        const auto name = vocabulary(draft.symbols, key).name(key);
        return *vocabulary(kept, key).find(name);
      });
      draft.symbols = kept;
      return true;
    }};

QueryForm plainest_form(const Query& query) {
  const QueryStep& first = query.steps.front();
  if (query.steps.size() > 1 || !first.avoiding.empty() || !first.requiring.empty()) return QueryForm::Iterate;
  switch (first.positions.size()) {
    case 1: return QueryForm::Reach;
    case 2: return QueryForm::Conflict;
    default: return QueryForm::Iterate;
  }
}

constexpr Reduction plain_form{
    [](const Draft& draft) -> std::size_t { return draft.query.form == plainest_form(draft.query) ? 0 : 1; },
    [](Draft& draft, std::size_t, std::size_t) {
      draft.query.form = plainest_form(draft.query);
      return true;
    }};

// What removes most comes first.
constexpr std::array reductions{fewer_rules,
                                fewer_steps,
                                fewer<Sets>,
                                fewer<Positions>,
                                fewer<Actions>,
                                simpler_rules<without_lock>,
                                simpler_rules<without_groups>,
                                simpler_rules<with_fewer_groups>,
                                simpler_rules<without_offspring>,
                                simpler_rules<without_child>,
                                simpler_rules<without_body>,
                                simpler_rules<without_return>,
                                contracted_steps,
                                merged_symbols<Lock>,
                                merged_symbols<Group>,
                                merged_symbols<ControlState>,
                                merged_symbols<Action>,
                                only_used_symbols,
                                plain_form};

class Shrinker {
 public:
  Shrinker(Draft draft, const std::function<bool(const Network&, const Query&)>& interesting,
           const ShrinkOptions& options)
      : draft_{std::move(draft)}, interesting_{interesting}, options_{options} {}

  Shrunk run() {
    bool progress = true;
    while (progress && !exhausted()) {
      progress = false;
      for (const Reduction& reduction : reductions)
        if (exhaust(reduction)) progress = true;
    }
    return {network_of(draft_), draft_.query, tests_, !progress && !exhausted()};
  }

 private:
  [[nodiscard]] bool exhausted() const { return tests_ >= options_.tests || options_.stop.stop_requested(); }

  // Reduces wherever possible: at all places at once, else at half of them, and so on. True if anywhere.
  bool exhaust(const Reduction& reduction) {
    bool progress = false;
    for (std::size_t chunk = reduction.count(draft_); chunk > 0; chunk /= 2) {
      for (std::size_t begin = 0; begin < reduction.count(draft_) && !exhausted();) {
        if (attempt(reduction, begin, std::min(begin + chunk, reduction.count(draft_)))) {
          progress = true;
        } else {
          begin += chunk;
        }
      }
    }
    return progress;
  }

  bool attempt(const Reduction& reduction, std::size_t begin, std::size_t end) {
    Draft candidate = draft_;
    if (!reduction.apply(candidate, begin, end)) return false;
    std::set<Rule> seen;
    std::erase_if(candidate.rules, [&](const Rule& rule) { return !seen.insert(rule).second; });
    ++tests_;
    if (!interesting_(network_of(candidate), candidate.query)) return false;
    draft_ = std::move(candidate);
    return true;
  }

  Draft draft_;
  const std::function<bool(const Network&, const Query&)>& interesting_;
  const ShrinkOptions& options_;
  std::size_t tests_ = 0;
};

}  // namespace

Shrunk shrunk(const Network& network, const Query& query,
              const std::function<bool(const Network&, const Query&)>& interesting, const ShrinkOptions& options) {
  Draft draft{network.symbols(), network.initial(), network.rules().rows(), query};
  draft.query.expected.reset();
  draft.query.at.reset();
  return Shrinker{std::move(draft), interesting, options}.run();
}

}  // namespace lockwood::dpn
