#include "treeauto/lazy/inclusion.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "treeauto/lazy/inclusion_search.hpp"
#include "treeauto/operations/trim.hpp"
#include "treeauto/operations/union.hpp"
#include "treeauto/simulation/bisimulation.hpp"
#include "treeauto/simulation/reduction.hpp"
#include "treeauto/simulation/simulation.hpp"

namespace lockwood::treeauto {
namespace {

// Both automata over one alphabet, with what the searches need of them, made when it is asked for.
class Problem {
 public:
  Problem(Automaton first, Automaton second) : first_{std::move(first)}, second_{std::move(second)} {}

  // Nothing if more work would be needed than allowed.
  std::optional<Inclusion> solved(InclusionMethod method, std::uint64_t work_limit, StopToken stop) {
    auto found = search(method, work_limit, stop);
    if (!found) return std::nullopt;
    return Inclusion{found->holds, std::move(found->counterexample), method};
  }

  // Simulations of many states take more memory than they save time.
  [[nodiscard]] bool is_large() const {
    constexpr std::size_t simulation_limit = 8192;
    return first_.state_count() + second_.state_count() > simulation_limit;
  }
  void reduce(StopToken stop) {
    if (is_large()) {
      first_ = bisimulation_quotient(first_, stop);
      second_ = bisimulation_quotient(second_, stop);
    }
    if (!is_large()) {
      first_ = reduced(first_, {}, stop);
      second_ = reduced(second_, {}, stop);
    }
    upward_.reset();
    downward_.reset();
  }

 private:
  std::optional<InclusionSearch> search(InclusionMethod method, std::uint64_t work_limit, StopToken stop) {
    if (method == InclusionMethod::UpwardSimulation && !upward_)
      upward_ = upward_simulation(union_of(first_, second_), stop);
    if (method == InclusionMethod::DownwardSimulation && !downward_)
      downward_ = downward_simulation(union_of(first_, second_), stop);
    switch (method) {
      case InclusionMethod::UpwardSimulation: return upward_search(first_, second_, &*upward_, work_limit, stop);
      case InclusionMethod::Downward: return downward_search(first_, second_, nullptr, work_limit, stop);
      case InclusionMethod::DownwardSimulation: return downward_search(first_, second_, &*downward_, work_limit, stop);
      case InclusionMethod::Automatic:
      case InclusionMethod::Upward: break;
    }
    return upward_search(first_, second_, nullptr, work_limit, stop);
  }

  Automaton first_;
  Automaton second_;
  std::optional<StatePreorder> upward_;
  std::optional<StatePreorder> downward_;
};

// Most questions are answered within a few combinations per transition, less than simulations would cost. If not,
// reduction pays: automata from practice shrink a lot. (By bisimulation if simulations would be too large.) After that
// no method is always best, so they take turns, each time with twice the work: the total is within a constant factor of
// what the best of them needs.
Inclusion automatic(Problem problem, std::uint64_t first_limit, StopToken stop) {
  if (auto found = problem.solved(InclusionMethod::Upward, first_limit, stop)) return *std::move(found);
  problem.reduce(stop);
  using enum InclusionMethod;
  const std::vector<InclusionMethod> methods =
      problem.is_large() ? std::vector{Upward, Downward} : std::vector{Upward, DownwardSimulation, UpwardSimulation};
  for (std::uint64_t limit = first_limit;; limit *= 2)
    for (InclusionMethod method : methods)
      if (auto found = problem.solved(method, limit, stop)) return *std::move(found);
}

}  // namespace

Inclusion inclusion(const Automaton& first, const Automaton& second, InclusionOptions options, StopToken stop) {
  // Symbols that only the second knows do not matter.
  Problem problem{trimmed(first), trimmed(with_alphabet(second, first.alphabet()))};
  if (options.method != InclusionMethod::Automatic) return *problem.solved(options.method, no_work_limit, stop);
  constexpr std::uint64_t least_work = 1000;
  return automatic(std::move(problem), least_work + (total_size(first) + total_size(second)) / 2, stop);
}

bool is_included(const Automaton& first, const Automaton& second, StopToken stop) {
  return inclusion(first, second, {}, stop).holds;
}

Equivalence equivalence(const Automaton& first, const Automaton& second, InclusionOptions options, StopToken stop) {
  Inclusion forth = inclusion(first, second, options, stop);
  if (!forth.holds) return {false, std::move(forth.counterexample), true};
  Inclusion back = inclusion(second, first, options, stop);
  return {back.holds, std::move(back.counterexample), false};
}

bool are_equivalent(const Automaton& first, const Automaton& second, StopToken stop) {
  return equivalence(first, second, {}, stop).holds;
}

}  // namespace lockwood::treeauto
