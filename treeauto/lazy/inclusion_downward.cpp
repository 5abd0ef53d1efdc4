#include <algorithm>
#include <cassert>
#include <span>
#include <utility>
#include <vector>

#include "base/ids/sequence_table.hpp"
#include "treeauto/lazy/inclusion_search.hpp"
#include "treeauto/operations/emptiness.hpp"

namespace lockwood::treeauto {
namespace {

// A question (q, P): is every tree of q, a state of the first automaton, a tree of some state of P, of the second?
//
// For a transition f(q₁, …, qₙ) → q let W be the left sides with f that lead to P. Trees t₁, …, tₙ of q₁, …, qₙ make
// f(t₁, …, tₙ) a counterexample if for each w ∈ W there is a place i with tᵢ no tree of wᵢ. So there is none if and
// only if for each way to choose a place for each w, at some place i the question (qᵢ, {wᵢ | w has place i}) has the
// answer yes. Places are chosen one w after the other; a yes is not changed by further choices, so that branch is
// finished.
//
// A question that contains one being asked (on the way from the root) is answered yes: a smallest counterexample does
// not need the detour. If that question turns out to be answered no, all yes found meanwhile may rest on it and are
// forgotten. A no comes with its tree and stays.
class DownwardSearch {
 public:
  DownwardSearch(const Automaton& first, const Automaton& second, const StatePreorder* downward,
                 std::uint64_t work_limit, StopToken stop)
      : first_{first},
        second_{second},
        downward_{downward},
        work_limit_{work_limit},
        stop_{stop},
        yes_(first.state_count()),
        no_(first.state_count()),
        asking_(first.state_count()),
        witnesses_{first.alphabet()},
        some_tree_(first.state_count()) {
    add_smallest_trees();
  }

  std::optional<InclusionSearch> run() {
    const std::vector<State> finals(second_.final_states().begin(), second_.final_states().end());
    for (State state : first_.final_states()) {
      const auto witness = asked(state, finals);
      if (work_ > work_limit_) return std::nullopt;
      if (witness) return InclusionSearch{false, tree_of(*witness), work_};
    }
    return InclusionSearch{true, std::nullopt, work_};
  }

 private:
  using Witness = std::optional<std::uint32_t>;  // a node of witnesses_ whose tree says no; nothing for yes

  struct Choice {
    std::uint32_t place;
    Witness before;  // for that place
    bool is_forced;  // other places need not be tried
  };
  struct Frame {
    State state;
    std::uint32_t set;
    std::size_t proved_before;  // number of yes when it was asked
    bool was_assumed = false;
    std::size_t next_transition = 0;
    bool is_open = false;  // a transition has left sides or places still to be tried
    TransitionId transition{0};
    std::vector<TransitionId> left_sides;  // W: transitions of the second automaton
    std::vector<Choice> choices;           // for the first of W
    std::uint32_t trial = 0;               // the place tried for the next one
    std::vector<std::uint32_t> trees;      // by place: a tree of qᵢ that is in none of the states chosen there
  };
  struct Refuted {
    std::uint32_t set;
    std::uint32_t witness;
  };
  enum class Progress { Asks, Yes, No };

  // The whole search for one question, frames in place of recursion.
  Witness asked(State state, const std::vector<State>& states) {
    Witness result;
    if (known(state, states, result)) return result;
    while (!frames_.empty()) {
      stop_.check();
      if (work_ > work_limit_) return std::nullopt;
      const Progress progress = proceed(result);
      if (progress == Progress::Asks) continue;
      Frame& frame = frames_.back();
      assert(!asking_[frame.state].empty() && asking_[frame.state].back() == frames_.size() - 1);
      asking_[frame.state].pop_back();
      if (progress == Progress::Yes) {
        yes_[frame.state].push_back(frame.set);
        proved_.push_back(frame.state);
        result = std::nullopt;
      } else {
        if (frame.was_assumed) forget_proofs_after(frame.proved_before);
        assert(result);  // no comes with a tree
        no_[frame.state].push_back({frame.set, *result});
      }
      frames_.pop_back();
      answered_ = true;
    }
    answered_ = false;
    return result;
  }

  void forget_proofs_after(std::size_t count) {
    assert(count <= proved_.size());
    while (proved_.size() > count) {
      assert(!yes_[proved_.back()].empty());
      yes_[proved_.back()].pop_back();
      proved_.pop_back();
    }
  }

  // Looks a question up; if it is not known, a frame for it is made, and false returned.
  bool known(State state, std::vector<State> states, Witness& result) {
    ++work_;
    result = std::nullopt;
    if (downward_ != nullptr) {
      for (State other : states)
        if (downward_->holds(state, shifted(other))) return true;
      keep_maximal(states);
    }
    std::ranges::sort(states);
    states.erase(std::unique(states.begin(), states.end()), states.end());
    const std::uint32_t set = sets_.intern(states).number;
    if (states.empty()) {
      result = some_tree_[state];
      return true;
    }
    for (const Refuted& refuted : no_[state])
      if (lies_below(set, refuted.set)) {
        result = refuted.witness;
        return true;
      }
    for (std::uint32_t proved : yes_[state])
      if (lies_below(proved, set)) return true;
    for (std::size_t frame : asking_[state])
      if (lies_below(frames_[frame].set, set)) {
        frames_[frame].was_assumed = true;
        return true;
      }
    asking_[state].push_back(frames_.size());
    frames_.push_back({.state = state, .set = set, .proved_before = proved_.size()});
    return false;
  }

  // Goes on with the innermost question, until it has an answer or asks another. `result` is the answer to what it
  // asked last, if answered_; and its own answer, if that is no.
  Progress proceed(Witness& result) {
    assert(!frames_.empty());
    Frame& frame = frames_.back();
    if (std::exchange(answered_, false) && take_answer(frame, result)) return refuted(frame, result);
    while (true) {
      if (!frame.is_open) {
        if (!next_transition(frame)) return Progress::Yes;
        if (frame.left_sides.empty()) return refuted(frame, result);
        frame.is_open = !first_.children(frame.transition).empty();
      } else if (!next_trial(frame)) {
        frame.is_open = false;
      } else if (!known(first_.children(frame.transition)[frame.trial], chosen_states(frame), result)) {
        return Progress::Asks;  // `frame` may have moved
      } else if (take_answer(frame, result)) {
        return refuted(frame, result);
      }
      if (work_ > work_limit_) return Progress::Asks;
      stop_.check();
    }
  }

  Progress refuted(const Frame& frame, Witness& result) {
    result = witnesses_.add(first_.symbol(frame.transition), frame.trees);
    return Progress::No;
  }

  // Prepares the next transition to q; false if there is none.
  bool next_transition(Frame& frame) {
    const auto transitions = first_.transitions_to(frame.state);
    if (frame.next_transition == transitions.size()) return false;
    frame.transition = transitions[frame.next_transition++];
    frame.choices.clear();
    frame.trial = 0;
    frame.trees.clear();
    for (State child : first_.children(frame.transition)) frame.trees.push_back(some_tree_[child]);
    frame.left_sides.clear();
    const Symbol symbol = first_.symbol(frame.transition);
    for (State state : sets_[frame.set]) {
      const auto all = second_.transitions_to(state);
      auto id = std::ranges::lower_bound(all, symbol, {}, [&](TransitionId one) { return second_.symbol(one); });
      for (; id != all.end() && second_.symbol(*id) == symbol; ++id) add_left_side(frame.left_sides, *id);
    }
    work_ += frame.left_sides.size();
    return true;
  }

  // Left sides below others (or equal to them) add nothing.
  void add_left_side(std::vector<TransitionId>& left_sides, TransitionId added) const {
    const auto above = [&](TransitionId high, TransitionId low) {
      return std::ranges::equal(second_.children(low), second_.children(high),
                                [&](State x, State y) { return is_below(x, y); });
    };
    if (std::ranges::any_of(left_sides, [&](TransitionId other) { return above(other, added); })) return;
    std::erase_if(left_sides, [&](TransitionId other) { return above(added, other); });
    left_sides.push_back(added);
  }

  // Moves on to the next place to try, going back where all are tried; false if there is none.
  bool next_trial(Frame& frame) {
    const std::size_t rank = first_.children(frame.transition).size();
    while (true) {
      if (frame.trial == 0 && force(frame)) continue;
      if (frame.trial < rank) return true;
      do {
        if (frame.choices.empty()) return false;
        const Choice choice = frame.choices.back();
        frame.choices.pop_back();
        if (choice.before) frame.trees[choice.place] = *choice.before;
        frame.trial = choice.is_forced ? static_cast<std::uint32_t>(rank) : choice.place + 1;
      } while (frame.trial == rank);
    }
  }

  // If at some place the next left side has a state that is covered there already, choosing that place changes nothing,
  // and any other can only turn a no into a yes. Requires that not all of W have places.
  bool force(Frame& frame) const {
    if (frame.choices.size() + 1 >= frame.left_sides.size()) return false;
    const auto next = second_.children(frame.left_sides[frame.choices.size()]);
    for (std::uint32_t k = 0; k < frame.choices.size(); ++k) {
      const std::uint32_t place = frame.choices[k].place;
      if (!is_below(next[place], second_.children(frame.left_sides[k])[place])) continue;
      frame.choices.push_back({place, std::nullopt, true});
      return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<State> chosen_states(const Frame& frame) const {
    std::vector<State> states{second_.children(frame.left_sides[frame.choices.size()])[frame.trial]};
    for (std::size_t k = 0; k < frame.choices.size(); ++k)
      if (frame.choices[k].place == frame.trial) states.push_back(second_.children(frame.left_sides[k])[frame.trial]);
    return states;
  }

  // The answer for the place tried. True if now every left side has a place and no place says yes.
  bool take_answer(Frame& frame, Witness result) {
    if (!result) {
      ++frame.trial;
      return false;
    }
    assert(frame.choices.size() < frame.left_sides.size());
    frame.choices.push_back({frame.trial, frame.trees[frame.trial], false});
    frame.trees[frame.trial] = *result;
    frame.trial = 0;
    return frame.choices.size() == frame.left_sides.size();
  }

  // A state of the second automaton, as the union numbers it.
  [[nodiscard]] State shifted(State state) const { return State{first_.state_count() + state.index()}; }
  [[nodiscard]] bool is_below(State low, State high) const {
    return low == high || (downward_ != nullptr && downward_->holds(shifted(low), shifted(high)));
  }
  [[nodiscard]] bool lies_below(std::uint32_t lower, std::uint32_t upper) const {
    if (lower == upper) return true;
    if (downward_ == nullptr) return std::ranges::includes(sets_[upper], sets_[lower]);
    return std::ranges::all_of(sets_[lower], [&](State low) {
      return std::ranges::any_of(sets_[upper], [&](State high) { return is_below(low, high); });
    });
  }
  void keep_maximal(std::vector<State>& states) const {
    std::vector<State> kept;
    for (State state : states) {
      if (std::ranges::any_of(kept, [&](State other) { return is_below(state, other); })) continue;
      std::erase_if(kept, [&](State other) { return is_below(other, state); });
      kept.push_back(state);
    }
    states = std::move(kept);
  }

  // A tree for each state of the first automaton; a smaller one can only have smaller ones below it.
  void add_smallest_trees() {
    const SmallestTrees smallest = smallest_trees(first_, stop_);
    std::vector<State> order;
    for (State state : first_.states())
      if (smallest.reaches(state)) order.push_back(state);
    std::ranges::stable_sort(order, {}, [&](State state) { return smallest.entries[state]->size; });
    std::vector<std::uint32_t> children;
    for (State state : order) {
      const TransitionId last = smallest.entries[state]->last;
      children.clear();
      for (State child : first_.children(last)) {
        assert(smallest.reaches(child) && smallest.entries[child]->size < smallest.entries[state]->size);
        children.push_back(some_tree_[child]);
      }
      some_tree_[state] = witnesses_.add(first_.symbol(last), children);
    }
  }

  [[nodiscard]] SharedTree tree_of(std::uint32_t root) const {
    return tree_below(
        first_.alphabet(), root, [&](std::size_t node) { return witnesses_.symbol(static_cast<std::uint32_t>(node)); },
        [&](std::size_t node, auto&& sink) {
          for (std::uint32_t child : witnesses_.children(static_cast<std::uint32_t>(node))) sink(child);
        });
  }

  const Automaton& first_;
  const Automaton& second_;
  const StatePreorder* downward_;
  std::uint64_t work_limit_;
  std::uint64_t work_ = 0;
  StopToken stop_;
  SequenceTable<State> sets_;
  std::vector<Frame> frames_;  // from the outermost question to the innermost
  bool answered_ = false;      // the question asked by the innermost frame has its answer
  IdVector<State, std::vector<std::uint32_t>> yes_;
  std::vector<State> proved_;  // whose yes, in the order of time
  IdVector<State, std::vector<Refuted>> no_;
  IdVector<State, std::vector<std::size_t>> asking_;  // frames
  SharedTree witnesses_;
  IdVector<State, std::uint32_t> some_tree_;  // nodes of witnesses_
};

}  // namespace

std::optional<InclusionSearch> downward_search(const Automaton& first, const Automaton& second,
                                               const StatePreorder* downward, std::uint64_t work_limit,
                                               StopToken stop) {
  return DownwardSearch{first, second, downward, work_limit, stop}.run();
}

}  // namespace lockwood::treeauto
