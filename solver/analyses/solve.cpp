#include "solver/analyses/solve.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "base/process/leave_behind.hpp"
#include "base/text/json.hpp"
#include "dpn/trees/fewest_switches.hpp"
#include "solver/engine/family_engine.hpp"
#include "solver/engine/observation.hpp"
#include "solver/engine/witness.hpp"
#include "solver/proofs/certificate.hpp"
#include "solver/query/refutation.hpp"
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
    const auto reduction = reduced(Objective::Any);
    if (options_.domain != DomainChoice::Zdd)
      if (auto found = one_by_one(reduction, width_limit())) return *std::move(found);
    if (auto found = by_families(reduction)) return *std::move(found);
    return *one_by_one(reduction, no_limit);
  }

 private:
  // Families have a cell for each set of goals met, so they are of no use where there are many goals.
  [[nodiscard]] std::size_t width_limit() const {
    constexpr std::size_t many_goals = 8;
    std::size_t goals = 0;
    for (const Phase& phase : problem_.phases) goals += phase.standing.size() + phase.fired.size();
    return options_.domain == DomainChoice::Auto && goals <= many_goals ? options_.many_structures : no_limit;
  }

  // The verdict is found without regard to the size of trees. Only if a witness is wanted, and there is one, a second
  // run looks for the best: it ends as soon as it has it. Nothing if there are too many structures.
  [[nodiscard]] std::optional<Answer> one_by_one(const std::optional<Reduction>& reduction, std::size_t width) {
    Engine engine{network_, problem_, engine_options(Objective::Any, reduction, width)};
    Answer answer{.verdict = engine.run()};
    if (engine.too_wide()) return std::nullopt;
    answer.statistics = engine.statistics();
    if (reduction) answer.reduction = reduction->statistics();
    if (answer.verdict == dpn::Verdict::Unknown) answer.stopped = options_.stop.reason();
    prove(answer, [&] {
      if (answer.verdict == dpn::Verdict::Reachable && options_.witness != WitnessChoice::None)
        add_witness(answer, engine, reduction);
      replay_if_drawn(answer, [&] { add_witness(answer, engine, reduction, Objective::Any); });
      if (answer.verdict == dpn::Verdict::Unreachable && options_.certify)
        answer.certificate =
            std::make_shared<const nlohmann::ordered_json>(certificate(network_, problem_, engine, options_.stop));
    });
    return answer;
  }

  // Nothing if there are too many locks, or if a certificate is wanted, which this cannot give.
  [[nodiscard]] std::optional<Answer> by_families(const std::optional<Reduction>& reduction) {
    const dpn::Network& network = reduction ? reduction->network() : network_;
    const std::size_t phases = problem_.phases.size();
    if (!FamilyDomain::fits({.locks = locks_taken(network), .groups = {}}, phases)) return std::nullopt;
    const LockGroups groups = lock_groups(network, options_.stop);
    if (!FamilyDomain::fits(groups, phases)) return std::nullopt;
    auto engine =
        std::make_unique<FamilyEngine>(network_, problem_, groups, engine_options(Objective::Any, reduction, no_limit));
    Answer answer{.verdict = engine->run()};
    if (answer.verdict == dpn::Verdict::Unreachable && options_.certify) return std::nullopt;
    answer.domain = DomainChoice::Zdd;
    answer.statistics = engine->statistics();
    if (reduction) answer.reduction = reduction->statistics();
    if (answer.verdict == dpn::Verdict::Unknown) answer.stopped = options_.stop.reason();
    const auto add_tree = [&] {
      try {
        const TreeRoom room{room_for_nodes(), options_.stop};
        answer.witness = witness_of(engine->witness(room), reduction, options_.stop);
        answer.witness->best = false;
      } catch (const TreeTooLarge&) {
        answer.large_witness = {.nodes = witness_limit(), .smallest = false};
      }
    };
    if (answer.verdict == dpn::Verdict::Reachable && options_.witness != WitnessChoice::None) prove(answer, add_tree);
    replay_if_drawn(answer, add_tree);
    if (options_.stop.stop_requested()) leave_behind(std::move(engine));
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
  [[nodiscard]] std::optional<Reduction> reduced(Objective objective) {
    const bool observed = std::ranges::any_of(problem_.phases, [](const Phase& p) { return !p.observers.empty(); });
    if (options_.certify || observed || options_.reductions == Reductions::none()) return std::nullopt;
    if (options_.flow == nullptr && !flow_) flow_.emplace(network_);
    return std::optional<Reduction>{std::in_place,
                                    network_,
                                    options_.flow == nullptr ? *flow_ : *options_.flow,
                                    problem_,
                                    options_.reductions,
                                    objective == Objective::FewestThreads ? thread_weight : 0,
                                    options_.stop};
  }

  [[nodiscard]] EngineOptions engine_options(Objective objective, const std::optional<Reduction>& reduction,
                                             std::size_t width) const {
    return {.objective = objective,
            .reduction = reduction ? &*reduction : nullptr,
            .drop_hopeless = options_.reductions.goals && !options_.certify,
            .width_limit = width,
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
    const auto other = few_threads ? reduced(objective) : std::nullopt;  // weights differ
    const auto& chosen = few_threads ? other : reduction;
    const std::size_t width = width_limit() == no_limit ? no_limit : more_for_best * width_limit();
    Engine best{network_, problem_, engine_options(objective, chosen, width)};
    if (best.run() == dpn::Verdict::Reachable) return add_witness(answer, best, chosen, objective);
    add_witness(answer, decided, reduction, Objective::Any);
    if (answer.witness) answer.witness->best = false;
  }

  void add_witness(Answer& answer, const Engine& engine, const std::optional<Reduction>& reduction,
                   Objective objective) const {
    const FactId found = engine.answers().front();
    const std::uint64_t nodes = nodes_of(engine.facts()[found].weight, objective);
    if (nodes > witness_limit()) {
      answer.large_witness = {.nodes = nodes, .smallest = objective == Objective::FewestNodes};
      return;
    }
    const StopToken stop = nodes <= small_witness ? StopToken{} : options_.stop;
    try {
      answer.witness = witness_of(witness_tree(engine, found, TreeRoom{room_for_nodes(), stop}), reduction, stop);
    } catch (const TreeTooLarge&) {  // its weight does not tell how many nodes it has
      answer.large_witness = {.nodes = witness_limit(), .smallest = false};
    }
  }

  // The witness of a tree of the reduced network, replayed.
  [[nodiscard]] Witness witness_of(dpn::ExecutionTree tree, const std::optional<Reduction>& reduction,
                                   StopToken stop) const {
    if (reduction) tree = reduction->expanded(tree, TreeRoom{room_for_nodes(), stop});
    auto scheduled = schedule_for(network_, tree, problem_.semantics, options_.witness, stop);
    if (!scheduled) throw BrokenAnswer{"the execution tree found cannot be scheduled"};
    dpn::Schedule& schedule = scheduled->schedule;
    // Phases that begin after all threads have ended leave no trace in the tree.
    schedule.cuts.resize(problem_.phases.size() - 1, schedule.moves.size());
    if (const auto reason = refutation(network_, problem_, schedule, {}, stop))
      throw BrokenAnswer{"the schedule found does not replay: " + *reason};
    return {.tree = std::move(tree), .schedule = std::move(schedule), .fewest_switches = scheduled->exact};
  }

  // Steps of derivations that are no nodes take room, too.
  [[nodiscard]] std::uint64_t room_for_nodes() const { return sum_of_weights(witness_limit(), witness_limit()); }

  const dpn::Network& network_;
  const Problem& problem_;
  const SolveOptions& options_;
  std::optional<BackwardFlow> flow_;
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
