#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/automaton/shared_tree.hpp"
#include "treeauto/lazy/antichain.hpp"
#include "treeauto/lazy/lazy.hpp"
#include "treeauto/operations/universal.hpp"

namespace lockwood::treeauto {

// What becomes of a settled fact when one that subsumes it is found later, and so with no smaller a tree.
enum class Superseded {
  Kept,     // it may still lead to the smallest tree
  Retired,  // only the answer counts; fewer combinations are looked at
};

// Facts that are settled, each about a state of a lazy automaton, which state_of(fact) yields.
template <LazyAutomaton Lazy, class FactId>
class SettledFacts {
 public:
  // Those not retired, oldest first. If there are many, a few may be among them for a while that are.
  [[nodiscard]] std::span<const FactId> facts() const { return antichain_.items(); }

  // Whether nothing new can be learnt from the state: one of the facts is about it, or about one that subsumes it.
  template <class StateOf>
  [[nodiscard]] bool cover(const Lazy& lazy, const typename Lazy::State& state, StateOf&& state_of) const {
    if constexpr (SubsumingAutomaton<Lazy>) {
      return antichain_.any_below([&](auto&& sink) { each_member(lazy, state, sink); },
                                  [&](FactId id) { return lazy.subsumes(state_of(id), state); });
    } else {
      return states_.contains(state);
    }
  }

  // For those who know themselves which states there are.
  void append(FactId added) { antichain_.add(added); }

  // Requires that its state is not covered. Returns the facts that are retired because of it.
  template <class StateOf>
  std::vector<FactId> settle(const Lazy& lazy, FactId added, Superseded superseded, StateOf&& state_of) {
    std::vector<FactId> retired;
    if constexpr (SubsumingAutomaton<Lazy>) {
      if (superseded == Superseded::Retired)
        retired = antichain_.retire_above([&](auto&& sink) { each_member(lazy, state_of(added), sink); },
                                          [&](FactId id) { return lazy.subsumes(state_of(added), state_of(id)); });
    } else {
      states_.insert(state_of(added));
    }
    if constexpr (MemberAutomaton<Lazy>) {
      antichain_.add(added, [&](FactId id, auto&& sink) { each_member(lazy, state_of(id), sink); });
    } else {
      antichain_.add(added);
    }
    return retired;
  }

 private:
  template <class Sink>
  static void each_member(const Lazy& lazy, const typename Lazy::State& state, Sink&& sink) {
    if constexpr (MemberAutomaton<Lazy>) lazy.each_member(state, sink);
  }

  Antichain<FactId> antichain_;
  std::unordered_set<typename Lazy::State> states_;  // if there is no order
};

// What the explorations below share: the product of an explicit automaton, the driver, with a lazy one. A fact is a
// pair (q, s) of their states together with one way to reach it. The driver's transitions say which combinations of
// facts are worth asking the lazy automaton about, which is then asked only about those.
template <LazyAutomaton Lazy>
class ProductFacts {
 public:
  using FactId = Id<struct ProductFactTag>;
  using LazyState = typename Lazy::State;
  struct Fact {
    State driver;
    LazyState lazy;
    TransitionId transition;     // of the driver
    std::size_t children_begin;  // facts in `children_`
    std::uint64_t size;          // nodes of its tree, saturating
  };

  ProductFacts(const Automaton& driver, const Lazy& lazy)
      : driver_{driver},
        lazy_{lazy},
        match_{matched(driver.alphabet(), lazy.alphabet())},
        settled_(driver.state_count()) {}

  [[nodiscard]] const Automaton& driver() const { return driver_; }
  [[nodiscard]] const Lazy& lazy() const { return lazy_; }
  [[nodiscard]] const Fact& fact(FactId id) const { return facts_[id]; }
  [[nodiscard]] std::size_t size() const { return facts_.size(); }
  [[nodiscard]] std::span<const FactId> children(const Fact& fact) const {
    return std::span{children_}.subspan(fact.children_begin, driver_.children(fact.transition).size());
  }
  [[nodiscard]] bool is_final(FactId id) const {
    return driver_.is_final(facts_[id].driver) && lazy_.is_final(facts_[id].lazy);
  }

  // A new fact. It takes part in combinations once it is settled.
  FactId add(State target, LazyState lazy, TransitionId transition, std::span<const FactId> from, std::uint64_t nodes) {
    assert(target == driver_.target(transition) && from.size() == driver_.children(transition).size());
    const FactId id = facts_.push_back({target, std::move(lazy), transition, children_.size(), nodes});
    children_.insert(children_.end(), from.begin(), from.end());
    return id;
  }
  void settle(FactId id) { settled_[facts_[id].driver].append(id); }

  // Either all facts are settled as above, or all as follows: only facts that are not covered by those settled before.
  [[nodiscard]] bool is_covered(State driver, const LazyState& state) const {
    return settled_[driver].cover(lazy_, state, [&](FactId id) -> const LazyState& { return facts_[id].lazy; });
  }
  void settle(FactId id, Superseded superseded) {
    assert(!is_covered(facts_[id].driver, facts_[id].lazy));
    settled_[facts_[id].driver].settle(lazy_, id, superseded,
                                       [&](FactId each) -> const LazyState& { return facts_[each].lazy; });
  }

  // Calls sink(transition, facts of the children, lazy target) for the transitions without children.
  template <class Sink>
  void each_leaf(Sink&& sink) const {
    for (TransitionId id : driver_.transitions())
      if (const auto symbol = match_[driver_.symbol(id)]; symbol && driver_.children(id).empty())
        lazy_.each_target(*symbol, {}, [&](const LazyState& target) { sink(id, std::span<const FactId>{}, target); });
  }

  // The same for all combinations of settled facts that contain the newest one. Called once after each fact was
  // settled, this yields every combination exactly once: where the newest fact could be at several positions, the
  // first position at which it does stand is fixed, and before it only older facts are taken. The sink may add facts,
  // but not settle or retire any.
  template <class Sink>
  void each_combination(FactId newest, StopToken stop, Sink&& sink) const {
    const State driver = facts_[newest].driver;
    for (const Occurrence& occurrence : driver_.occurrences(driver))
      if (const auto symbol = match_[driver_.symbol(occurrence.transition)])
        combine(newest, driver, occurrence, *symbol, stop, sink);
  }

 private:
  template <class Sink>
  void combine(FactId newest, State driver, Occurrence occurrence, Symbol symbol, StopToken stop, Sink&& sink) const {
    const std::span<const State> places = driver_.children(occurrence.transition);
    const auto choices_at = [&](std::size_t place) {
      const std::span<const FactId> all = settled_[places[place]].facts();
      if (place == occurrence.position) return all.last(1);  // the newest
      return place < occurrence.position && places[place] == driver ? all.first(all.size() - 1) : all;
    };
    stop.check();
    for (std::size_t place = 0; place < places.size(); ++place)
      if (choices_at(place).empty()) return;  // before anything is allocated: ranks may be high
    std::vector<std::span<const FactId>> choices;
    for (std::size_t place = 0; place < places.size(); ++place) choices.push_back(choices_at(place));
    std::vector<FactId> from(places.size(), newest);
    std::vector<LazyState> states(places.size(), facts_[newest].lazy);
    std::vector<std::size_t> chosen(places.size(), 0);
    const auto choose = [&](std::size_t place, std::size_t choice) {
      chosen[place] = choice;
      from[place] = choices[place][choice];
      states[place] = facts_[from[place]].lazy;
    };
    for (std::size_t place = 0; place < places.size(); ++place) choose(place, 0);
    while (true) {
      stop.check();
      lazy_.each_target(symbol, std::span<const LazyState>{states}, [&](const LazyState& target) {
        sink(occurrence.transition, std::span<const FactId>{from}, target);
      });
      // The next combination, as a number with one digit per place is counted up.
      std::size_t place = 0;
      while (place < places.size() && chosen[place] + 1 == choices[place].size()) choose(place++, 0);
      if (place == places.size()) return;
      choose(place, chosen[place] + 1);
    }
  }

  const Automaton& driver_;
  const Lazy& lazy_;
  IdVector<Symbol, std::optional<Symbol>> match_;
  IdVector<FactId, Fact> facts_;
  std::vector<FactId> children_;
  IdVector<State, SettledFacts<Lazy, FactId>> settled_;  // by the driver's state
};

// Searches for a tree that both automata accept. Facts are settled in the order of their trees' sizes
// [knuth.77.generalization], so that a fact's first tree is a smallest one. A candidate that is subsumed by a settled
// fact is dropped: that fact has no larger a tree and can be in its place.
template <LazyAutomaton Lazy>
[[nodiscard]] std::optional<SharedTree> searched_tree(const Automaton& driver, const Lazy& lazy, Superseded superseded,
                                                      StopToken stop) {
  using Facts = ProductFacts<Lazy>;
  using FactId = typename Facts::FactId;
  using LazyState = typename Lazy::State;
  struct Candidate {
    LazyState lazy;
    TransitionId transition;
    std::size_t children_begin;
  };
  Facts facts{driver, lazy};
  std::vector<Candidate> candidates;
  std::vector<FactId> candidate_children;
  using Entry = std::pair<std::uint64_t, std::size_t>;  // size of the tree, number of the candidate
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;

  const auto propose = [&](TransitionId transition, std::span<const FactId> from, const LazyState& target) {
    if (facts.is_covered(driver.target(transition), target)) return;
    std::uint64_t nodes = 1;
    for (FactId child : from) nodes = saturating_sum(nodes, facts.fact(child).size);
    queue.push({nodes, candidates.size()});
    candidates.push_back({target, transition, candidate_children.size()});
    candidate_children.insert(candidate_children.end(), from.begin(), from.end());
  };
  // Numbers of facts grow upwards.
  const auto tree_of = [&](FactId root) {
    return tree_below(
        driver.alphabet(), root.index(),
        [&](std::size_t fact) { return driver.symbol(facts.fact(FactId{fact}).transition); },
        [&](std::size_t fact, auto&& sink) {
          for (FactId child : facts.children(facts.fact(FactId{fact}))) sink(child.index());
        });
  };

  facts.each_leaf(propose);
  while (!queue.empty()) {
    stop.check();
    const auto [nodes, number] = queue.top();
    queue.pop();
    const Candidate candidate = candidates[number];
    const State target = driver.target(candidate.transition);
    if (facts.is_covered(target, candidate.lazy)) continue;
    const std::vector<FactId> from(
        candidate_children.begin() + static_cast<std::ptrdiff_t>(candidate.children_begin),
        candidate_children.begin() +
            static_cast<std::ptrdiff_t>(candidate.children_begin + driver.children(candidate.transition).size()));
    const FactId added = facts.add(target, candidate.lazy, candidate.transition, from, nodes);
    if (facts.is_final(added)) return tree_of(added);
    facts.settle(added, superseded);
    facts.each_combination(added, stop, propose);
  }
  return std::nullopt;
}

// A smallest tree (by number of nodes) that both automata accept; nothing if there is none.
template <LazyAutomaton Lazy>
[[nodiscard]] std::optional<SharedTree> smallest_tree(const Automaton& driver, const Lazy& lazy, StopToken stop = {}) {
  return searched_tree(driver, lazy, Superseded::Kept, stop);
}
template <LazyAutomaton Lazy>
[[nodiscard]] std::optional<SharedTree> smallest_tree(const Lazy& lazy, StopToken stop = {}) {
  return smallest_tree(universal_automaton(lazy.alphabet()), lazy, stop);
}

// Some tree that both automata accept, not always a smallest one; nothing if there is none. Keeps only antichains of
// the lazy automaton's states, if it has an order.
template <LazyAutomaton Lazy>
[[nodiscard]] std::optional<SharedTree> some_tree(const Automaton& driver, const Lazy& lazy, StopToken stop = {}) {
  return searched_tree(driver, lazy, Superseded::Retired, stop);
}
template <LazyAutomaton Lazy>
[[nodiscard]] std::optional<SharedTree> some_tree(const Lazy& lazy, StopToken stop = {}) {
  return some_tree(universal_automaton(lazy.alphabet()), lazy, stop);
}

// The accessible part of the product as an explicit automaton, over the driver's alphabet. States are numbered in the
// order in which they are found. Subsumption is not used: the language is exact. Does not end if that part is
// infinite.
template <LazyAutomaton Lazy>
[[nodiscard]] Automaton materialised(const Automaton& driver, const Lazy& lazy, StopToken stop = {}) {
  using Facts = ProductFacts<Lazy>;
  using FactId = typename Facts::FactId;
  using LazyState = typename Lazy::State;
  Facts facts{driver, lazy};
  AutomatonBuilder builder{driver.alphabet()};
  IdVector<State, std::unordered_map<LazyState, FactId>> found(driver.state_count());
  std::vector<State> children;
  // A fact and the state built for it have the same number.
  const auto take = [&](TransitionId transition, std::span<const FactId> from, const LazyState& lazy_target) {
    const State target = driver.target(transition);
    auto place = found[target].find(lazy_target);
    if (place == found[target].end()) {
      const FactId added = facts.add(target, lazy_target, transition, from, 0);
      place = found[target].emplace(lazy_target, added).first;
      builder.set_final(builder.add_state(), facts.is_final(added));
      stop.check_states(facts.size());
    }
    children.clear();
    for (FactId child : from) children.push_back(State{child.index()});
    builder.add(driver.symbol(transition), children, State{place->second.index()});
  };
  facts.each_leaf(take);
  for (std::size_t next = 0; next < facts.size(); ++next) {
    facts.settle(FactId{next});
    facts.each_combination(FactId{next}, stop, take);
  }
  return std::move(builder).build();
}

template <LazyAutomaton Lazy>
[[nodiscard]] Automaton materialised(const Lazy& lazy, StopToken stop = {}) {
  return materialised(universal_automaton(lazy.alphabet()), lazy, stop);
}

}  // namespace lockwood::treeauto
