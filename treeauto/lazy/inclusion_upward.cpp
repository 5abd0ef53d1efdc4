#include <algorithm>
#include <cassert>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "base/ids/sequence_table.hpp"
#include "treeauto/lazy/antichain.hpp"
#include "treeauto/lazy/inclusion_search.hpp"
#include "treeauto/operations/subset_step.hpp"

namespace lockwood::treeauto {
namespace {

using PairId = Id<struct InclusionPairTag>;

// Sets of states of the second automaton, interned, with what is asked of them again and again.
class StateSets {
 public:
  std::uint32_t intern(std::span<const State> states, const Automaton& automaton) {
    assert(std::ranges::is_sorted(states));
    const std::uint32_t number = sets_.intern(states).number;
    assert(number <= signatures_.size());
    if (number == signatures_.size()) {
      std::uint64_t signature = 0;
      bool accepts = false;
      for (State state : states) {
        signature |= std::uint64_t{1} << (state.index() % 64);
        accepts = accepts || automaton.is_final(state);
      }
      signatures_.push_back(signature);
      accepts_.push_back(accepts);
    }
    return number;
  }
  [[nodiscard]] std::span<const State> operator[](std::uint32_t number) const { return sets_[number]; }
  [[nodiscard]] bool accepts(std::uint32_t number) const { return accepts_[number]; }
  [[nodiscard]] bool includes(std::uint32_t larger, std::uint32_t smaller) const {
    return larger == smaller ||
           ((signatures_[smaller] & ~signatures_[larger]) == 0 && std::ranges::includes(sets_[larger], sets_[smaller]));
  }

 private:
  SequenceTable<State> sets_;
  std::vector<std::uint64_t> signatures_;  // a bit for each remainder by 64: most differences show here
  std::vector<bool> accepts_;
};

class UpwardSearch {
 public:
  UpwardSearch(const Automaton& first, const Automaton& second, const StatePreorder* upward, std::uint64_t work_limit,
               StopToken stop)
      : first_{first},
        second_{second},
        upward_{upward},
        work_limit_{work_limit},
        stop_{stop},
        step_{second},
        settled_(first.state_count()),
        above_(first.state_count()) {
    for (State state : first.states()) above_[state].push_back(state);
    if (upward == nullptr) return;
    for (State low : first.states())
      for (State high : first.states())
        if (low != high && upward->holds(low, high)) above_[low].push_back(high);
  }

  std::optional<InclusionSearch> run() {
    for (Symbol symbol : first_.alphabet().symbols()) {
      if (first_.alphabet().rank(symbol) > 0) continue;
      for (TransitionId id : first_.transitions_of(symbol))
        if (propose(id, {}, target_set(symbol, {}))) return answer();
    }
    while (!queue_.empty()) {
      stop_.check();
      const PairId next{queue_.top().second};
      queue_.pop();
      const Pair pair = pairs_[next];
      if (is_covered(pair.state, pair.set)) continue;
      settle(next);
      stop_.report_progress({.contexts = 0, .facts = compared_});
      if (combine(next)) return counterexample_ ? std::optional{answer()} : std::nullopt;
    }
    return InclusionSearch{true, std::nullopt, work_};
  }

 private:
  struct Pair {
    State state;
    std::uint32_t set;
    TransitionId last;           // of the first automaton, at the root of the tree
    std::size_t children_begin;  // in children_
    std::uint64_t size;          // of the tree
  };
  // A pair (r, R) with q ≤ r and R below P makes (q, P) needless: a context that accepts with q accepts with r, and if
  // it accepts with no state of P, then with none of R.
  [[nodiscard]] bool lies_below(std::uint32_t lower, std::uint32_t upper) const {
    if (sets_.includes(upper, lower)) return true;
    if (upward_ == nullptr) return false;
    return std::ranges::all_of(sets_[lower], [&](State low) {
      return std::ranges::any_of(sets_[upper], [&](State high) { return upward_->holds(shifted(low), shifted(high)); });
    });
  }
  // A state of the second automaton, as the union numbers it.
  [[nodiscard]] State shifted(State state) const { return State{first_.state_count() + state.index()}; }

  // The members of a set, by which antichains are searched.
  [[nodiscard]] auto each_member(std::uint32_t set) const {
    return [this, set](auto&& sink) {
      for (State member : sets_[set]) sink(member.index());
    };
  }

  [[nodiscard]] bool is_covered(State state, std::uint32_t set) {
    const auto covers = [&](PairId id) {
      ++compared_;
      return lies_below(pairs_[id].set, set);
    };
    return std::ranges::any_of(above_[state],
                               [&](State above) { return settled_[above].any_below(each_member(set), covers); });
  }

  void settle(PairId id) {
    const std::uint32_t set = pairs_[id].set;
    Antichain<PairId>& antichain = settled_[pairs_[id].state];
    assert(std::ranges::all_of(antichain.items(), [&](PairId other) { return !lies_below(pairs_[other].set, set); }));
    antichain.retire_above(each_member(set), [&](PairId other) {
      ++compared_;
      return lies_below(set, pairs_[other].set);
    });
    // With a simulation one set may lie below another and have members that it lacks.
    if (upward_ != nullptr) {
      antichain.add(id);
    } else {
      antichain.add(id, [&](PairId each, auto&& sink) { each_member(pairs_[each].set)(sink); });
    }
  }

  // A new pair; true if its tree is a counterexample.
  bool propose(TransitionId last, std::span<const PairId> children, std::uint32_t set) {
    assert(children.size() == first_.children(last).size());
    const State state = first_.target(last);
    if (upward_ != nullptr)  // whoever accepts with q accepts with some p: no counterexample lies above
      for (State other : sets_[set])
        if (upward_->holds(state, shifted(other))) return false;
    if (is_covered(state, set)) return false;
    std::uint64_t size = 1;
    for (PairId child : children) size = saturating_sum(size, pairs_[child].size);
    const PairId id = pairs_.push_back({state, set, last, children_.size(), size});
    children_.insert(children_.end(), children.begin(), children.end());
    if (first_.is_final(state) && !sets_.accepts(set)) {
      counterexample_ = id;
      return true;
    }
    queue_.push({{size, sets_[set].size()}, id.index()});
    return false;
  }

  // All combinations of settled pairs that contain the newest, each once: where it could be at several places, the
  // first at which it does is fixed, and before it only older ones are taken. True to end the search.
  bool combine(PairId newest) {
    const State state = pairs_[newest].state;
    for (const Occurrence& occurrence : first_.occurrences(state)) {
      stop_.check();
      const auto places = first_.children(occurrence.transition);
      choices_.resize(places.size());  // not cleared, which would take long for each place of a high rank
      bool possible = true;
      for (std::size_t place = 0; place < places.size() && possible; ++place) {
        choices_[place] = settled_[places[place]].items();
        if (place == occurrence.position) choices_[place] = choices_[place].last(1);
        if (place < occurrence.position && places[place] == state)
          choices_[place] = choices_[place].first(choices_[place].size() - 1);
        possible = !choices_[place].empty();
      }
      if (possible && combine(occurrence.transition)) return true;
    }
    return false;
  }

  bool combine(TransitionId transition) {
    chosen_.assign(choices_.size(), 0);
    from_.clear();
    for (const auto& choice : choices_) from_.push_back(choice.front());
    while (true) {
      if (++work_ > work_limit_) return true;
      stop_.check();
      question_.clear();
      for (PairId child : from_) question_.push_back(pairs_[child].set);
      if (propose(transition, from_, target_set(first_.symbol(transition), question_))) return true;
      std::size_t place = 0;
      while (place < chosen_.size() && chosen_[place] + 1 == choices_[place].size()) {
        chosen_[place] = 0;
        from_[place] = choices_[place].front();
        ++place;
      }
      if (place == chosen_.size()) return false;
      from_[place] = choices_[place][++chosen_[place]];
    }
  }

  // What f reaches in the second automaton above trees that reach the sets; remembered, as many transitions of the
  // first automaton ask the same.
  std::uint32_t target_set(Symbol symbol, std::span<const std::uint32_t> children) {
    key_.assign(1, static_cast<std::uint32_t>(symbol.index()));
    key_.insert(key_.end(), children.begin(), children.end());
    const std::uint32_t asked = asked_.intern(key_).number;
    if (asked < answers_.size()) return answers_[asked];
    assert(asked == answers_.size());
    child_sets_.clear();
    for (std::uint32_t child : children) child_sets_.push_back(sets_[child]);
    const std::span<const State> targets = step_.targets(symbol, child_sets_);
    if (upward_ == nullptr) {
      answers_.push_back(sets_.intern(targets, second_));
    } else {
      answers_.push_back(sets_.intern(maximal(targets), second_));
    }
    return answers_.back();
  }

  // States below others of the set add nothing.
  std::vector<State> maximal(std::span<const State> states) const {
    std::vector<State> kept;
    for (State state : states) {
      const auto above = [&](State high, State low) { return upward_->holds(shifted(low), shifted(high)); };
      if (std::ranges::any_of(kept, [&](State other) { return above(other, state); })) continue;
      std::erase_if(kept, [&](State other) { return above(state, other); });
      kept.push_back(state);
    }
    return kept;
  }

  // Numbers of pairs grow upwards.
  InclusionSearch answer() const {
    assert(counterexample_ && first_.is_final(pairs_[*counterexample_].state));
    SharedTree tree = tree_below(
        first_.alphabet(), counterexample_->index(),
        [&](std::size_t pair) { return first_.symbol(pairs_[PairId{pair}].last); },
        [&](std::size_t number, auto&& sink) {
          const Pair& pair = pairs_[PairId{number}];
          const auto children = std::span{children_}.subspan(pair.children_begin, first_.children(pair.last).size());
          for (PairId child : children) sink(child.index());
        });
    return {false, std::move(tree), work_};
  }

  const Automaton& first_;
  const Automaton& second_;
  const StatePreorder* upward_;
  std::uint64_t work_limit_;
  std::uint64_t work_ = 0;
  StopToken stop_;
  SubsetStep step_;
  StateSets sets_;
  SequenceTable<std::uint32_t> asked_;  // symbol and sets of the children
  std::vector<std::uint32_t> answers_;
  IdVector<PairId, Pair> pairs_;
  std::vector<PairId> children_;
  IdVector<State, Antichain<PairId>> settled_;  // for each state of the first automaton
  IdVector<State, std::vector<State>> above_;   // states of the first automaton that can be in, itself included
  std::size_t compared_ = 0;                    // sets, to find out whether one contains the other
  using Entry = std::pair<std::pair<std::uint64_t, std::size_t>, std::size_t>;  // sizes of tree and set, number
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::optional<PairId> counterexample_;
  // Scratch.
  std::vector<std::span<const PairId>> choices_;
  std::vector<std::size_t> chosen_;
  std::vector<PairId> from_;
  std::vector<std::uint32_t> question_;
  std::vector<std::uint32_t> key_;
  std::vector<std::span<const State>> child_sets_;
};

}  // namespace

std::optional<InclusionSearch> upward_search(const Automaton& first, const Automaton& second,
                                             const StatePreorder* upward, std::uint64_t work_limit, StopToken stop) {
  return UpwardSearch{first, second, upward, work_limit, stop}.run();
}

}  // namespace lockwood::treeauto
