#include "treeauto/operations/epsilon.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <vector>

#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::treeauto {
namespace {

// The epsilon transitions, grouped by the state they leave.
class Steps {
 public:
  Steps(std::size_t states, std::span<const EpsilonTransition> epsilon) : begins_(states + 1) {
    for (const EpsilonTransition& step : epsilon) ++begins_[step.from.index() + 1];
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    targets_.assign(epsilon.size(), State{0});
    std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
    for (const EpsilonTransition& step : epsilon) targets_[next[step.from.index()]++] = step.to;
    assert(std::equal(next.begin(), next.end(), begins_.begin() + 1));
  }
  [[nodiscard]] std::span<const State> from(State state) const {
    return std::span{targets_}.subspan(begins_[state.index()], begins_[state.index() + 1] - begins_[state.index()]);
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<State> targets_;
};

}  // namespace

Automaton without_epsilon(const Automaton& automaton, std::span<const EpsilonTransition> epsilon, StopToken stop) {
  if (epsilon.empty()) return automaton;
  const Steps steps{automaton.state_count(), epsilon};
  AutomatonBuilder builder{automaton.alphabet()};
  builder.set_name(automaton.name());
  builder.add_states_of(automaton);
  std::vector<State> reached;
  IdVector<State, std::size_t> mark(automaton.state_count(), 0);  // 1 + the last state it was reached from
  for (State state : automaton.states()) {
    const auto transitions = automaton.transitions_to(state);
    if (transitions.empty()) continue;
    stop.check();
    reached.assign(1, state);
    mark[state] = state.index() + 1;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (State next : steps.from(reached[i]))
        if (mark[next] != state.index() + 1) {
          mark[next] = state.index() + 1;
          reached.push_back(next);
        }
    for (TransitionId id : transitions)
      for (State target : reached) builder.add(automaton.symbol(id), automaton.children(id), target);
  }
  return std::move(builder).build();
}

}  // namespace lockwood::treeauto
