#include "solver/analyses/flows_on_demand.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ids/random.hpp"
#include "dpn/trees/schedule.hpp"
#include "solver/analyses/flow_execution.hpp"
#include "solver/analyses/flow_group.hpp"
#include "solver/analyses/locations_on_demand.hpp"
#include "solver/analyses/random_executions.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::solver {

using dpn::StackSymbol;

class FlowsOnDemand::Flows {
 public:
  Flows(const dpn::Network& network, std::vector<FlowFact> facts, dpn::Semantics semantics,
        const FlowsOnDemandOptions& options)
      : network_{network},
        facts_{std::move(facts)},
        semantics_{semantics},
        options_{options},
        groups_{flow_groups(facts_)},
        random_{1} {
    if (!on_demand()) return;
    for (const auto& group : groups_) flow_groups_.push_back(flow_group(network, facts_of(group), semantics));
    flow_.emplace(network);
    execution_.emplace(network, flow_groups_);
    if (options_.random_executions && !facts_.empty()) walk_from_beginning(*execution_, random_, options_.stop);
  }

  [[nodiscard]] const std::vector<std::vector<std::size_t>>& groups() const { return groups_; }

  [[nodiscard]] std::vector<FlowAnswer> answers_of(std::size_t group) {
    const std::vector<FlowFact> facts = facts_of(groups_[group]);
    if (!on_demand()) return reached_points(network_, facts, semantics_, options_.stop);
    std::vector<FlowAnswer> answers(facts.size());
    if (range_of(group).count == 0) return answers;
    statistics_ = {};
    std::optional<StopReason> stopped;
    try {
      decide(group);
    } catch (const Interrupted& interrupted) {
      stopped = interrupted.reason();
    }
    for (std::size_t i = 0; i < facts.size(); ++i) {
      answers[i] = {{}, stopped, statistics_};
      for (StackSymbol symbol : network_.stack_symbols().keys())
        if (is_shown(group, facts[i], symbol)) answers[i].points.push_back(symbol);
    }
    return answers;
  }

 private:
  static constexpr std::size_t in_vain_after_schedule = 16;  // moves beyond a schedule that show nothing

  // Without locks, one run for each group is all that is needed.
  [[nodiscard]] bool on_demand() const {
    return semantics_ == dpn::Semantics::LockSensitive && network_.locks().size() > 0;
  }
  [[nodiscard]] const TargetRange& range_of(std::size_t group) const { return execution_->targets(group); }
  [[nodiscard]] std::vector<FlowFact> facts_of(const std::vector<std::size_t>& group) const {
    std::vector<FlowFact> facts;
    for (std::size_t i : group) facts.push_back(facts_[i]);
    return facts;
  }
  [[nodiscard]] bool is_shown(std::size_t group, const FlowFact& fact, StackSymbol symbol) const {
    const FlowGroup& question = flow_groups_[group];
    for (std::size_t number = 0; number < range_of(group).count; ++number)
      if (execution_->is_shown(symbol, range_of(group).first + number) &&
          (!question.distinguished || std::ranges::count(fact.generating, question.generating[number]) > 0))
        return true;
    return false;
  }

  // The points of a group that are shown; the targets of all groups are numbered together.
  class ShownPoints final : public ShownLocations {
   public:
    ShownPoints(Flows& flows, std::size_t group) : flows_{flows}, first_{flows.range_of(group).first} {}
    [[nodiscard]] bool is_shown(StackSymbol symbol, std::size_t target) const override {
      return flows_.execution_->is_shown(symbol, first_ + target);
    }
    void add(StackSymbol symbol, std::size_t target) override { flows_.execution_->add(symbol, first_ + target); }
    void show(const dpn::ExecutionTree& tree) override { flows_.show(tree); }

   private:
    Flows& flows_;
    std::size_t first_;
  };
  void decide(std::size_t group) {
    const auto keys = network_.stack_symbols().keys();
    const Targets all = static_cast<Targets>(-1) >> (64 - range_of(group).count);
    ShownPoints shown{*this, group};
    decide_locations(standing(group), *flow_, {{keys.begin(), keys.end()}, std::vector<Targets>(keys.size(), all)},
                     shown, statistics_,
                     {.max_choices = options_.max_choices, .max_stages = options_.max_stages, .stop = options_.stop});
  }
  [[nodiscard]] LocationQuestion standing(std::size_t group) const {
    return {network_, flow_groups_[group].problem, flow_groups_[group].distinguished};
  }

  // And what can be shown from the end of its schedule on.
  void show(const dpn::ExecutionTree& tree) {
    const auto schedule = dpn::schedule_of(network_, tree, semantics_, options_.stop);
    if (!schedule) throw BrokenAnswer{"the execution tree of a fact cannot be scheduled"};
    execution_->begin();
    for (const dpn::Move& move : schedule->moves) {
      if (dpn::blocked(network_, execution_->configuration(), move, semantics_))
        throw BrokenAnswer{"the schedule of a fact does not replay"};
      (void)execution_->make(move);
    }
    (void)go_on(*execution_, random_, moves_per_tree, seldom, in_vain_after_schedule, options_.stop);
  }

  const dpn::Network& network_;
  std::vector<FlowFact> facts_;
  dpn::Semantics semantics_;
  FlowsOnDemandOptions options_;
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<FlowGroup> flow_groups_;
  std::optional<BackwardFlow> flow_;
  std::optional<FlowExecution> execution_;
  Random random_;
  EngineStatistics statistics_;
};

FlowsOnDemand::FlowsOnDemand(const dpn::Network& network, std::vector<FlowFact> facts, dpn::Semantics semantics,
                             const FlowsOnDemandOptions& options)
    : flows_{std::make_unique<Flows>(network, std::move(facts), semantics, options)} {}
FlowsOnDemand::~FlowsOnDemand() = default;

const std::vector<std::vector<std::size_t>>& FlowsOnDemand::groups() const { return flows_->groups(); }
std::vector<FlowAnswer> FlowsOnDemand::answers_of(std::size_t group) { return flows_->answers_of(group); }

}  // namespace lockwood::solver
