#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "treeauto/automaton/alphabet.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Accepts any state, for checking that something can be called with a sink.
struct AnySink {
  template <class T>
  void operator()(const T&) const {}
};

// An automaton that computes its transitions when asked. States are small regular values (heavy ones are interned by
// the automaton, which may keep mutable tables for that; so one lazy automaton belongs to one thread).
//   alphabet()                            its symbols
//   each_target(symbol, children, sink)   calls sink(q) for every transition symbol(children) → q; the same q may come
//                                         twice; requires as many children as the rank says
//   is_final(state)
template <class L>
concept LazyAutomaton = std::copyable<typename L::State> && std::equality_comparable<typename L::State> &&
    requires(const L& lazy, Symbol symbol, std::span<const typename L::State> children,
             const typename L::State& state) {
  { lazy.alphabet() } -> std::convertible_to<const Alphabet&>;
  { lazy.is_final(state) } -> std::convertible_to<bool>;
  { std::hash<typename L::State>{}(state) } -> std::convertible_to<std::size_t>;
  lazy.each_target(symbol, children, AnySink{});
};

// A lazy automaton with a partial order on states: subsumes(p, q) promises that wherever a tree is accepted with q at
// some node, it is accepted with p there too. So q need not be looked at once p is known. The relation is reflexive
// and transitive; it need not find everything that could be subsumed.
template <class L>
concept SubsumingAutomaton = LazyAutomaton<L> && requires(const L& lazy, const typename L::State& state) {
  { lazy.subsumes(state, state) } -> std::convertible_to<bool>;
};

// One that also tells members of its states, which are numbers, such that a state that subsumes another has no member
// that the other lacks. Then what subsumes a state is found by its members, among few others. Does not say that
// whatever has fewer members subsumes.
//   each_member(state, sink)              calls sink(member) for each, once
template <class L>
concept MemberAutomaton = SubsumingAutomaton<L> && requires(const L& lazy, const typename L::State& state) {
  lazy.each_member(state, AnySink{});
};

// An explicit automaton, seen as a lazy one.
class LazyView {
 public:
  using State = treeauto::State;
  explicit LazyView(Automaton automaton) : automaton_{std::move(automaton)} {}
  [[nodiscard]] const Alphabet& alphabet() const { return automaton_.alphabet(); }
  [[nodiscard]] bool is_final(State state) const { return automaton_.is_final(state); }
  template <class Sink>
  void each_target(Symbol symbol, std::span<const State> children, Sink&& sink) const {
    for (TransitionId id : automaton_.transitions_of(symbol, children)) sink(automaton_.target(id));
  }

 private:
  Automaton automaton_;
};

// A state of a product.
template <class First, class Second>
struct StatePair {
  First first;
  Second second;
  friend bool operator==(const StatePair&, const StatePair&) = default;
};

// The intersection of two lazy automata, matched by name and rank of symbols. Its alphabet is that of the first.
// Subsumes componentwise if both do; members are those of both, as far as they tell any.
template <LazyAutomaton First, LazyAutomaton Second>
class LazyProduct {
 public:
  using State = StatePair<typename First::State, typename Second::State>;
  LazyProduct(First first, Second second)
      : first_{std::move(first)}, second_{std::move(second)}, match_{matched(first_.alphabet(), second_.alphabet())} {}

  [[nodiscard]] const Alphabet& alphabet() const { return first_.alphabet(); }
  [[nodiscard]] bool is_final(const State& state) const {
    return first_.is_final(state.first) && second_.is_final(state.second);
  }
  [[nodiscard]] bool subsumes(const State& a,
                              const State& b) const requires SubsumingAutomaton<First> && SubsumingAutomaton<Second> {
    return first_.subsumes(a.first, b.first) && second_.subsumes(a.second, b.second);
  }
  template <class Sink>
  void each_member(const State& state, Sink&& sink) const requires MemberAutomaton<First> || MemberAutomaton<Second> {
    if constexpr (MemberAutomaton<First>)
      first_.each_member(state.first, [&](std::size_t member) { sink(2 * member); });
    if constexpr (MemberAutomaton<Second>)
      second_.each_member(state.second, [&](std::size_t member) { sink(2 * member + 1); });
  }
  template <class Sink>
  void each_target(Symbol symbol, std::span<const State> children, Sink&& sink) const {
    const auto other = match_[symbol];
    if (!other) return;
    std::vector<typename First::State> left;
    std::vector<typename Second::State> right;
    for (const State& child : children) {
      left.push_back(child.first);
      right.push_back(child.second);
    }
    std::vector<typename First::State> targets;
    first_.each_target(symbol, left, [&](const typename First::State& target) { targets.push_back(target); });
    if (targets.empty()) return;
    second_.each_target(*other, right, [&](const typename Second::State& second) {
      for (const typename First::State& first : targets) sink(State{first, second});
    });
  }

 private:
  First first_;
  Second second_;
  IdVector<Symbol, std::optional<Symbol>> match_;
};

}  // namespace lockwood::treeauto

template <class First, class Second>
struct std::hash<lockwood::treeauto::StatePair<First, Second>> {
  std::size_t operator()(const lockwood::treeauto::StatePair<First, Second>& pair) const {
    const std::size_t first = std::hash<First>{}(pair.first);
    return (first ^ (first >> 29U)) * 0x9E3779B97F4A7C15ULL + std::hash<Second>{}(pair.second);
  }
};
