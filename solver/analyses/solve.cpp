#include "solver/analyses/solve.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "base/process/destroy_in_background.hpp"
#include "base/text/json.hpp"
#include "dpn/trees/fewest_switches.hpp"
#include "dpn/trees/obstacle.hpp"
#include "solver/engine/observation.hpp"
#include "solver/engine/symbolic_engine.hpp"
#include "solver/engine/witness.hpp"
#include "solver/proofs/certificate.hpp"
#include "solver/query/replay_error.hpp"
#include "solver/reduction/reduction.hpp"
#include "solver/reduction/weight.hpp"

namespace lockwood::solver {
namespace {

// Of the tree, and whether it is known to have the fewest switches.
std::optional<dpn::FewestSwitches> schedule_for(const dpn::Network& network, const dpn::ExecutionTree& tree,
                                                dpn::Semantics semantics, WitnessChoice choice, StopToken stop) {
  if (choice == WitnessChoice::FewestSwitches) return dpn::fewest_switches(network, tree, semantics);
  auto schedule = dpn::schedule_of(network, tree, semantics, stop);
  if (!schedule) return std::nullopt;
  return dpn::FewestSwitches{std::move(*schedule), false};
}

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
constexpr std::size_t more_for_best = 16;  // the search for the best witness keeps more than the search for a verdict
constexpr std::uint64_t small_witness =
    1'000'000;  // nodes: it is written and replayed while a stop is being waited for

constexpr std::uint64_t small_sample = 100'000;  // nodes: replayed though nobody asked
constexpr std::size_t one_replayed_in = 32;      // reachable answers

// The nodes of a tree of that weight; of trees beyond all measure, at least so many.
std::uint64_t nodes_of(std::uint64_t weight, Objective objective) {
  const bool beyond = weight == std::numeric_limits<std::uint64_t>::max();
  return objective == Objective::FewestThreads && !beyond ? weight % thread_weight : weight;
}

class Solving {
 public:
  Solving(const dpn::Network& network, const Problem& problem, const SolveOptions& options)
      : network_{network}, problem_{problem}, options_{options} {}

  Answer answer() && {
    Answer found = decided();
    if (options_.certify && found.verdict == dpn::Verdict::Unreachable) certify(found);
    return found;
  }

 private:
  static constexpr std::uint64_t checked_nodes = 1'000'000;  // of a tree that is only looked at for its locks

  // As everybody has it decided, whether a certificate is wanted or not: what is checked is the answer that users get.
  [[nodiscard]] Answer decided() {
    if (options_.locks == LockChoice::All || !locks_can_be_chosen()) return *with_these_locks();
    if (options_.locks == LockChoice::Auto) {
      context_limit_ = many_contexts();
      if (auto found = with_these_locks()) return *std::move(found);
      context_limit_ = no_limit;
    }
    return lazily();
  }
  [[nodiscard]] std::size_t many_contexts() const {
    return solver::many_contexts(network_, problem_.phases.size(), options_);
  }

  // A certificate lists what the engine derives from all rules of the network, which a run on a part of them does not
  // have. So a second run, on all of it, makes the table, and must come to the same verdict. The locks that the verdict
  // needed are enough for it; they are looked for if there are too many contexts with all locks.
  void certify(Answer& found) {
    if (!found.locks && options_.locks == LockChoice::Auto && locks_can_be_chosen()) {
      context_limit_ = many_contexts();
      if (certify_with_these_locks(found)) return;
      context_limit_ = no_limit;
      found.locks = lazily().locks;
    }
    if (found.locks) {
      respected_.emplace(network_.locks().size(), false);
      for (Lock lock : *found.locks) (*respected_)[lock] = true;
    }
    (void)certify_with_these_locks(found);
  }
  // False if there are too many contexts.
  [[nodiscard]] bool certify_with_these_locks(Answer& found) {
    const auto weaker = respected_ ? reduced(Objective::Any, Reductions::none()) : std::nullopt;
    EngineOptions everything = engine_options(Objective::Any, weaker, no_limit);
    everything.drop_unsatisfiable = false;
    everything.count_equal_goals = false;
    Engine engine{network_, problem_, everything};
    const dpn::Verdict verdict = engine.run();
    if (verdict == dpn::Verdict::Unknown && engine.too_many_contexts()) return false;
    if (verdict == dpn::Verdict::Reachable)
      throw BrokenAnswer{"what is unreachable with parts left out is reachable with all of them"};
    found.domain = DomainChoice::Explicit;
    if (verdict == dpn::Verdict::Unknown) {
      found.verdict = verdict;
      found.stopped = options_.stop.reason();
      return true;
    }
    prove(found, [&] {
      found.certificate = std::make_shared<const nlohmann::ordered_json>(
          certificate(network_, problem_, engine, respected_ ? &*respected_ : nullptr, options_.stop));
    });
    return true;
  }

  // Observers see which locks a node takes.
  [[nodiscard]] bool locks_can_be_chosen() const {
    const auto observed = [](const Phase& phase) { return !phase.observers.empty(); };
    return problem_.semantics == dpn::Semantics::LockSensitive && std::ranges::none_of(problem_.phases, observed);
  }

  // Locks on demand (docs/theory.md, Sect. 5.2). Respecting only some locks allows more executions. So "unreachable" is
  // final, and an execution that is found counts if it can be scheduled with all locks. If not, there is an obstacle
  // that involves a lock which was not respected: the execution respects the others. That lock is respected from now
  // on, so there are at most as many rounds as locks. A lightest execution of a round is as light as any execution, so
  // one that counts is a smallest one.
  Answer lazily() {
    respected_.emplace(network_.locks().size(), false);
    while (true) {
      missing_.clear();
      Answer answer = *with_these_locks();
      if (too_large_to_check_) {  // all locks will be respected, and nothing has to be checked
        respected_.reset();
        return *with_these_locks();
      }
      if (answer.verdict == dpn::Verdict::Unknown && proved_) return *std::move(proved_);
      if (missing_.empty()) {
        answer.locks = respected();
        return answer;
      }
      bool grown = false;
      for (Lock lock : missing_) {
        grown = grown || !(*respected_)[lock];
        (*respected_)[lock] = true;
      }
      if (!grown) throw BrokenAnswer{"an execution does not respect locks that it should"};
    }
  }
  [[nodiscard]] std::vector<Lock> respected() const {
    std::vector<Lock> locks;
    for (Lock lock : respected_->keys())
      if ((*respected_)[lock]) locks.push_back(lock);
    return locks;
  }

  // Whether the tree of the given network can be scheduled. If not, remembers why.
  [[nodiscard]] bool schedulable(const dpn::ExecutionTree& tree) {
    if (!respected_) return true;
    const auto found = dpn::obstacle(network_, tree, options_.excluding);
    if (found) missing_ = dpn::locks_of(*found);
    return !found;
  }
  // The same for a tree of the reduced network, which nobody wants to see.
  template <class MakeTree>
  [[nodiscard]] bool schedulable_anyhow(const std::optional<Reduction>& reduction, const MakeTree& make_tree) {
    if (!respected_) return true;
    try {
      const NodeBudget room{sum_of_weights(checked_nodes, checked_nodes), options_.stop};
      dpn::ExecutionTree tree = make_tree(room);
      if (reduction) tree = reduction->expanded(tree, room);
      return schedulable(tree);
    } catch (const TreeTooLarge&) {
      too_large_to_check_ = true;
      return false;
    }
  }

  // Nothing if there are too many contexts.
  [[nodiscard]] std::optional<Answer> with_these_locks() {
    const auto reduction = reduced(Objective::Any, options_.reductions);
    if (options_.domain != DomainChoice::Zdd) {
      if (auto found = one_by_one(reduction, width_limit())) return found;
      if (too_many_contexts_) return std::nullopt;
    }
    if (auto found = by_families(reduction)) return found;
    if (too_many_contexts_) return std::nullopt;
    return one_by_one(reduction, no_limit);
  }

  // Families have a cell for each set of goals met, so they are of no use where there are many goals.
  [[nodiscard]] std::size_t width_limit() const {
    constexpr std::size_t many_goals = 8;
    std::size_t goals = 0;
    for (const Phase& phase : problem_.phases) goals += phase.standing.size() + phase.fired.size();
    const bool families = options_.domain == DomainChoice::Auto && goals <= many_goals;
    return families ? options_.many_structures : no_limit;
  }

  // The verdict is found without regard to the size of trees. Only if a witness is wanted, and there is one, a second
  // run looks for the best: it ends as soon as it has it. Nothing if there are too many structures.
  [[nodiscard]] std::optional<Answer> one_by_one(const std::optional<Reduction>& reduction, std::size_t width) {
    Engine engine{network_, problem_, engine_options(Objective::Any, reduction, width)};
    Answer answer{.verdict = engine.run()};
    too_many_contexts_ = answer.verdict == dpn::Verdict::Unknown && engine.too_many_contexts();
    if (engine.too_wide() || too_many_contexts_) return std::nullopt;
    answer.statistics = engine.statistics();
    if (reduction) answer.reduction = reduction->statistics();
    if (answer.verdict == dpn::Verdict::Unknown) answer.stopped = options_.stop.reason();
    prove(answer, [&] {
      if (answer.verdict == dpn::Verdict::Reachable && !schedulable_anyhow(reduction, [&](const NodeBudget& room) {
            return witness_tree(engine, engine.answers().front(), room);
          }))
        return;
      if (answer.verdict == dpn::Verdict::Reachable && options_.witness != WitnessChoice::None)
        add_witness(answer, engine, reduction);
      replay_if_drawn(answer, [&] { add_witness(answer, engine, reduction, Objective::Any); });
    });
    return answer;
  }

  // Nothing if there are too many locks.
  [[nodiscard]] std::optional<Answer> by_families(const std::optional<Reduction>& reduction) {
    const dpn::Network& network = reduction ? reduction->network() : network_;
    const std::size_t phases = problem_.phases.size();
    if (!SymbolicStructures::fits(
            {.locks = locks_taken(network), .groups = {}, .thread_groups = network.groups().size()}, phases))
      return std::nullopt;
    const LockGroups groups = lock_groups(network, options_.stop);
    if (!SymbolicStructures::fits(groups, phases)) return std::nullopt;
    auto engine = std::make_unique<SymbolicEngine>(network_, problem_, groups,
                                                   engine_options(Objective::Any, reduction, no_limit));
    Answer answer{.verdict = engine->run()};
    too_many_contexts_ = answer.verdict == dpn::Verdict::Unknown && engine->too_many_contexts();
    if (too_many_contexts_) return std::nullopt;
    answer.domain = DomainChoice::Zdd;
    answer.statistics = engine->statistics();
    if (reduction) answer.reduction = reduction->statistics();
    if (answer.verdict == dpn::Verdict::Unknown) answer.stopped = options_.stop.reason();
    const auto add_tree = [&] {
      try {
        const NodeBudget room{node_budget(), options_.stop};
        answer.witness = witness_of(engine->witness(room), reduction, options_.stop);
        if (answer.witness) answer.witness->best = false;
      } catch (const TreeTooLarge&) {
        answer.large_witness = {.nodes = witness_limit(), .smallest = false};
      }
    };
    if (answer.verdict == dpn::Verdict::Reachable)
      prove(answer, [&] {
        if (options_.witness != WitnessChoice::None) {
          add_tree();
        } else if (schedulable_anyhow(reduction, [&](const NodeBudget& room) { return engine->witness(room); })) {
          replay_if_drawn(answer, add_tree);
        }
      });
    if (options_.stop.stop_requested()) destroy_in_background(std::move(engine));
    return answer;
  }

  // Nothing is decided without the witness or certificate that was asked for.
  template <class Proof>
  static void prove(Answer& answer, const Proof& add_proof) {
    try {
      add_proof();
    } catch (const Interrupted& interrupted) {
      answer.verdict = dpn::Verdict::Unknown;
      answer.stopped = interrupted.reason();
    }
  }

  // Nobody asked for the witness, but the sample draws this answer: it is replayed, and forgotten. An answer whose
  // witness is too large, or for which there is no time, stays as it is.
  template <class AddWitness>
  void replay_if_drawn(Answer& answer, const AddWitness& add) const {
    if (answer.verdict != dpn::Verdict::Reachable || options_.witness != WitnessChoice::None ||
        options_.excluding != nullptr || options_.sample == nullptr || !options_.sample->draws(one_replayed_in))
      return;
    try {
      add();
      if (answer.witness) options_.sample->count_replayed();
    } catch (const Interrupted&) {
      // The verdict does not depend on it.
    }
    answer.witness.reset();
    answer.large_witness.reset();
  }

  // Nodes of a witness; of one that is only to be replayed, so few that it takes no time.
  [[nodiscard]] std::uint64_t witness_limit() const {
    return options_.witness == WitnessChoice::None ? std::min(options_.witness_limit, small_sample)
                                                   : options_.witness_limit;
  }

  // Nothing if nothing may be left out.
  [[nodiscard]] std::optional<Reduction> reduced(Objective objective, Reductions reductions) {
    const bool observed = std::ranges::any_of(problem_.phases, [](const Phase& p) { return !p.observers.empty(); });
    if (observed) reductions = Reductions::none();
    if (reductions == Reductions::none() && !respected_) return std::nullopt;
    if (options_.flow == nullptr && !flow_) flow_.emplace(network_);
    return std::optional<Reduction>{std::in_place,
                                    network_,
                                    options_.flow == nullptr ? *flow_ : *options_.flow,
                                    problem_,
                                    reductions,
                                    objective == Objective::FewestThreads ? thread_weight : 0,
                                    options_.stop,
                                    respected_ ? &*respected_ : nullptr};
  }

  [[nodiscard]] EngineOptions engine_options(Objective objective, const std::optional<Reduction>& reduction,
                                             std::size_t width) const {
    return {.objective = objective,
            .reduction = reduction ? &*reduction : nullptr,
            .drop_unsatisfiable = options_.reductions.goals,
            .count_equal_goals = options_.reductions.goals,
            .width_limit = width,
            .context_limit = context_limit_,
            .jobs = options_.jobs,
            .large_frontier = options_.large_frontier,
            .excluding = options_.excluding,
            .stop = options_.stop};
  }

  // Of the best tree for the choice; if the search for it is stopped or has too much to keep, of the one that proved
  // the verdict.
  void add_witness(Answer& answer, const Engine& decided, const std::optional<Reduction>& reduction) {
    const bool few_threads = options_.witness == WitnessChoice::FewestThreads;
    const Objective objective = few_threads ? Objective::FewestThreads : Objective::FewestNodes;
    const auto other = few_threads ? reduced(objective, options_.reductions) : std::nullopt;  // weights differ
    const auto& chosen = few_threads ? other : reduction;
    const std::size_t width = width_limit() == no_limit ? no_limit : more_for_best * width_limit();
    Engine best{network_, problem_, engine_options(objective, chosen, width)};
    if (best.run() == dpn::Verdict::Reachable) {
      add_witness(answer, best, chosen, objective);
      if (missing_.empty()) return;
      // The verdict is known, but a smaller execution might be the smallest: with more locks the next round will tell.
      if (proved_) return;
      proved_ = answer;
      const std::vector<Lock> missing = std::exchange(missing_, {});
      add_witness(*proved_, decided, reduction, Objective::Any);
      if (proved_->witness) proved_->witness->best = false;
      missing_ = missing;
      return;
    }
    add_witness(answer, decided, reduction, Objective::Any);
    if (answer.witness) answer.witness->best = false;
  }

  void add_witness(Answer& answer, const Engine& engine, const std::optional<Reduction>& reduction,
                   Objective objective) {
    const FactId found = engine.answers().front();
    const std::uint64_t nodes = nodes_of(engine.facts()[found].weight, objective);
    if (nodes > witness_limit()) {
      answer.large_witness = {.nodes = nodes, .smallest = objective == Objective::FewestNodes};
      return;
    }
    const StopToken stop = nodes <= small_witness ? StopToken{} : options_.stop;
    try {
      answer.witness = witness_of(witness_tree(engine, found, NodeBudget{node_budget(), stop}), reduction, stop);
    } catch (const TreeTooLarge&) {  // its weight does not tell how many nodes it has
      answer.large_witness = {.nodes = witness_limit(), .smallest = false};
    }
  }

  // The witness of a tree of the reduced network, replayed. Nothing if the tree cannot be scheduled because not all
  // locks were respected.
  [[nodiscard]] std::optional<Witness> witness_of(dpn::ExecutionTree tree, const std::optional<Reduction>& reduction,
                                                  StopToken stop) {
    if (reduction) tree = reduction->expanded(tree, NodeBudget{node_budget(), stop});
    if (!schedulable(tree)) return std::nullopt;
    auto scheduled = schedule_for(network_, tree, problem_.semantics, options_.witness, stop);
    if (!scheduled) throw BrokenAnswer{"the execution tree found cannot be scheduled"};
    dpn::Schedule& schedule = scheduled->schedule;
    // Phases that begin after all threads have ended leave no trace in the tree.
    schedule.cuts.resize(problem_.phases.size() - 1, schedule.moves.size());
    if (const auto reason = replay_error(network_, problem_, schedule, {}, stop))
      throw BrokenAnswer{"the schedule found does not replay: " + *reason};
    return Witness{.tree = std::move(tree), .schedule = std::move(schedule), .fewest_switches = scheduled->exact};
  }

  // Steps of derivations that are no nodes take room, too.
  [[nodiscard]] std::uint64_t node_budget() const { return sum_of_weights(witness_limit(), witness_limit()); }

  const dpn::Network& network_;
  const Problem& problem_;
  const SolveOptions& options_;
  std::optional<BackwardFlow> flow_;
  std::size_t context_limit_ = no_limit;
  bool too_many_contexts_ = false;      // the last run gave up because of them
  std::optional<LockFlags> respected_;  // the locks of this round; all if there is nothing
  std::vector<Lock> missing_;           // locks of an obstacle to what was found in this round
  bool too_large_to_check_ = false;     // what was found in this round
  std::optional<Answer> proved_;        // reachable, with a witness that need not be the best
};

}  // namespace

Answer solve(const dpn::Network& network, const Problem& problem, const SolveOptions& options) {
  try {
    options.stop.check();
    return Solving{network, problem, options}.answer();
  } catch (const Interrupted& interrupted) {
    return {.verdict = dpn::Verdict::Unknown, .stopped = interrupted.reason()};
  } catch (const TooManyGoals&) {
    return {.verdict = dpn::Verdict::Unknown};
  }
}

std::size_t many_contexts(const dpn::Network& network, std::size_t phases, const SolveOptions& options) {
  constexpr std::size_t contexts_per_rule = 4;
  return options.many_contexts + contexts_per_rule * phases * network.rules().size();
}

void replay_again(const dpn::Network& network, const Problem& problem, const Reductions& reductions,
                  ReplaySample& sample, StopToken stop) {
  ReplaySample this_one{0};  // which draws the first answer, and that is this one
  const Answer answer = solve(
      network, problem, {.witness = WitnessChoice::None, .reductions = reductions, .sample = &this_one, .stop = stop});
  if (answer.verdict == dpn::Verdict::Unreachable)
    throw BrokenAnswer{"asked by itself, what was called reachable is not"};
  if (this_one.replayed() > 0) sample.count_replayed();
}

std::string why_unknown(const Answer& answer) {
  return answer.stopped ? to_string(*answer.stopped) : TooManyGoals{}.what();
}

}  // namespace lockwood::solver
