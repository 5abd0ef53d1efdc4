#include "frontend/program/interpreter/site_target.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::program {
namespace {

constexpr std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
  return a > std::numeric_limits<std::uint32_t>::max() - b ? std::numeric_limits<std::uint32_t>::max() : a + b;
}

// Whether a step of the explorer may begin there: what one thread does between two of them costs nothing.
std::uint32_t cost_of(const Instruction& instruction) {
  const bool visible = std::holds_alternative<Read>(instruction) || std::holds_alternative<Write>(instruction) ||
                       std::holds_alternative<Enter>(instruction) || std::holds_alternative<Leave>(instruction) ||
                       std::holds_alternative<Wait>(instruction) || std::holds_alternative<Notify>(instruction) ||
                       std::holds_alternative<Spawn>(instruction) || std::holds_alternative<Choose>(instruction);
  return visible ? 1 : 0;
}

// Least solutions of equations between sites, from above: everything begins as infinite, and whoever depends on a site
// that got less is looked at again.
class LeastCosts {
 public:
  explicit LeastCosts(const ProgramMachine& machine) : machine_{machine}, dependents_(machine.sites().size()) {
    const Program& program = machine.program();
    for (ProcedureId id : program.procedures.keys()) {
      for (Point point : program.procedures[id].points.keys()) {
        const std::size_t site = machine.sites()[{id, point}].index();
        for (Point next : successors(program.procedures[id], point))
          dependents_[machine.sites()[{id, next}].index()].push_back(site);
        if (const auto callee = entered(site)) dependents_[*callee].push_back(site);
      }
    }
  }

  [[nodiscard]] const Instruction& instruction(std::size_t site) const {
    const auto place = machine_.sites().place(explorer::Site{site});
    return machine_.program().procedures[place.procedure].points[place.point].instruction;
  }
  // The first site of the procedure that is called or spawned here.
  [[nodiscard]] std::optional<std::size_t> entered(std::size_t site) const {
    const auto entry = [&](ProcedureId id) {
      return machine_.sites()[{id, machine_.program().procedures[id].entry}].index();
    };
    if (const auto* call = std::get_if<Call>(&instruction(site))) return entry(call->procedure);
    if (const auto* spawn = std::get_if<Spawn>(&instruction(site))) return entry(spawn->procedure);
    return std::nullopt;
  }
  [[nodiscard]] std::uint32_t least_behind(const std::vector<std::uint32_t>& at, std::size_t site) const {
    const auto place = machine_.sites().place(explorer::Site{site});
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (Point next : successors(machine_.program().procedures[place.procedure], place.point))
      least = std::min(least, at[machine_.sites()[{place.procedure, next}].index()]);
    return least;
  }

  template <class Equation>
  std::vector<std::uint32_t> solve(Equation equation) const {
    std::vector<std::uint32_t> costs(dependents_.size(), std::numeric_limits<std::uint32_t>::max());
    std::vector<std::size_t> worklist(dependents_.size());
    std::vector<bool> queued(dependents_.size(), true);
    for (std::size_t site = 0; site < worklist.size(); ++site) worklist[site] = site;
    while (!worklist.empty()) {
      const std::size_t site = worklist.back();
      worklist.pop_back();
      queued[site] = false;
      const std::uint32_t cost = equation(costs, site);
      assert(cost <= costs[site]);
      if (cost == costs[site]) continue;
      costs[site] = cost;
      for (std::size_t dependent : dependents_[site]) {
        if (queued[dependent]) continue;
        queued[dependent] = true;
        worklist.push_back(dependent);
      }
    }
    return costs;
  }

 private:
  const ProgramMachine& machine_;
  std::vector<std::vector<std::size_t>> dependents_;
};

// Whether every thread at one end and every thread at the other stand before conflicting accesses.
bool conflict(const ProgramMachine& machine, const SiteTarget::End& a, const SiteTarget::End& b) {
  const auto access = [&](explorer::Site site) -> std::pair<std::optional<Variable>, bool> {
    const auto place = machine.sites().place(site);
    const Instruction& instruction = machine.program().procedures[place.procedure].points[place.point].instruction;
    if (const auto* read = std::get_if<Read>(&instruction)) return {read->variable, false};
    if (const auto* write = std::get_if<Write>(&instruction)) return {write->variable, true};
    return {std::nullopt, false};
  };
  return std::ranges::all_of(a, [&](explorer::Site first) {
    return std::ranges::all_of(b, [&](explorer::Site second) {
      const auto [variable, writes] = access(first);
      const auto [other, other_writes] = access(second);
      return variable && variable == other && (writes || other_writes);
    });
  });
}

}  // namespace

SiteTarget::SiteTarget(const ProgramMachine& machine, std::vector<End> ends, Condition condition,
                       std::vector<bool> through_joins)
    : machine_{machine},
      condition_{condition},
      through_joins_{std::move(through_joins)},
      allows_reduction_{condition != Condition::Standing || ends.size() == 1 ||
                        (ends.size() == 2 && conflict(machine, ends[0], ends[1]))} {
  assert(!ends.empty());
  through_joins_.resize(ends.size(), false);
  compute_leaving();
  for (const End& end : ends) {
    sites_.emplace_back(machine.sites().size());
    for (explorer::Site site : end) sites_.back()[site.index()] = true;
    distances_.push_back(compute(end));
  }
}

void SiteTarget::compute_leaving() {
  const LeastCosts graph{machine_};
  leaving_ = graph.solve([&](const std::vector<std::uint32_t>& leaving, std::size_t site) -> std::uint32_t {
    const Instruction& instruction = graph.instruction(site);
    if (std::holds_alternative<Return>(instruction) || std::holds_alternative<Raise>(instruction)) return 0;
    const std::uint32_t behind = graph.least_behind(leaving, site);
    if (std::holds_alternative<Call>(instruction)) return sum(leaving[*graph.entered(site)], behind);
    return sum(cost_of(instruction), behind);
  });
}

SiteTarget::Distances SiteTarget::compute(const End& end) const {
  const LeastCosts graph{machine_};
  std::vector<bool> is_end(machine_.sites().size());
  for (explorer::Site site : end) is_end[site.index()] = true;
  Distances distances;
  distances.own = graph.solve([&](const std::vector<std::uint32_t>& own, std::size_t site) -> std::uint32_t {
    if (is_end[site]) return 0;
    const std::uint32_t behind = graph.least_behind(own, site);
    if (!std::holds_alternative<Call>(graph.instruction(site))) return sum(cost_of(graph.instruction(site)), behind);
    const std::size_t callee = *graph.entered(site);
    return std::min(own[callee], sum(leaving_[callee], behind));
  });
  distances.spawned = graph.solve([&](const std::vector<std::uint32_t>& spawned, std::size_t site) -> std::uint32_t {
    const Instruction& instruction = graph.instruction(site);
    const std::uint32_t behind = graph.least_behind(spawned, site);
    if (std::holds_alternative<Call>(instruction)) {
      const std::size_t callee = *graph.entered(site);
      return std::min(spawned[callee], sum(leaving_[callee], behind));
    }
    if (!std::holds_alternative<Spawn>(instruction)) return sum(cost_of(instruction), behind);
    const std::size_t child = *graph.entered(site);
    return sum(1, std::min({behind, distances.own[child], spawned[child]}));
  });
  return distances;
}

std::uint32_t SiteTarget::behind_call(const std::vector<std::uint32_t>& at, std::size_t site) const {
  const auto place = machine_.sites().place(explorer::Site{site});
  std::uint32_t least = infinite;
  for (Point next : successors(machine_.program().procedures[place.procedure], place.point))
    least = std::min(least, at[machine_.sites()[{place.procedure, next}].index()]);
  return least;
}

SiteTarget::ThreadDistance SiteTarget::distance_of(explorer::ThreadId thread, std::size_t end) const {
  ThreadDistance least;
  std::uint32_t left = 0;  // steps until the frames so far are left
  bool innermost = true;
  machine_.for_each_frame(thread, [&](explorer::Site site) {
    const auto cost = [&](const std::vector<std::uint32_t>& at) {
      return innermost ? at[site.index()] : behind_call(at, site.index());
    };
    if (left != infinite) {
      least.own = std::min(least.own, sum(left, cost(distances_[end].own)));
      least.spawned = std::min(least.spawned, sum(left, cost(distances_[end].spawned)));
      left = sum(left, cost(leaving_));
    }
    innermost = false;
  });
  return least;
}

bool SiteTarget::is_matched(std::span<const explorer::Site> sites, std::size_t end, std::vector<bool>& taken) const {
  if (end == sites_.size()) return true;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (taken[i] || !sites_[end][sites[i].index()]) continue;
    taken[i] = true;
    if (is_matched(sites, end + 1, taken)) return true;
    taken[i] = false;
  }
  return false;
}

bool SiteTarget::is_matched(std::span<const explorer::Site> sites) const {
  std::vector<bool> taken(sites.size());
  return is_matched(sites, 0, taken);
}

bool SiteTarget::is_at(explorer::ThreadId thread, std::size_t end) const {
  const explorer::ThreadView& there = machine_.threads()[thread.index()];
  return there.status == explorer::ThreadStatus::Standing && sites_[end][there.next.site.index()];
}

// Who wants a lock waits for one thread, who is before a join perhaps for several.
bool SiteTarget::cycle_closes(std::vector<explorer::ThreadId>& threads, std::size_t end) const {
  const explorer::ThreadId last = threads.back();
  const auto go_on = [&](explorer::ThreadId next, std::size_t next_end) {
    if (std::ranges::count(threads, next) > 0) return false;
    threads.push_back(next);
    if (cycle_closes(threads, next_end)) return true;
    threads.pop_back();
    return false;
  };
  if (!through_joins_[end]) {
    const auto next = machine_.threads()[last.index()].blocked_on;
    if (!next || machine_.threads()[last.index()].next.kind == explorer::ActionKind::Join) return false;
    if (end + 1 == sites_.size()) return *next == threads.front();
    return is_at(*next, end + 1) && go_on(*next, end + 1);
  }
  assert(end + 1 < sites_.size());  // the thread that wants a lock comes behind
  return std::ranges::any_of(machine_.awaited(last), [&](explorer::ThreadId next) {
    return (is_at(next, end + 1) && go_on(next, end + 1)) || go_on(next, end);
  });
}

bool SiteTarget::is_cycle() const {
  for (std::size_t i = 0; i < machine_.threads().size(); ++i) {
    std::vector<explorer::ThreadId> threads{explorer::ThreadId{i}};
    if (is_at(threads.front(), 0) && cycle_closes(threads, 0)) return true;
  }
  return false;
}

bool SiteTarget::is_reached(const explorer::Machine& machine) {
  assert(&machine == &machine_);
  if (condition_ == Condition::Ring) return is_cycle();
  std::vector<explorer::Site> sites;
  if (condition_ == Condition::Standing) {
    for (const explorer::ThreadView& thread : machine.threads())
      if (thread.status == explorer::ThreadStatus::Standing && thread.next.kind != explorer::ActionKind::Reacquire)
        sites.push_back(thread.next.site);
    return is_matched(sites);
  }
  const auto found = observations(machine, {.races = false, .deadlocks = true, .failures = false});
  return std::ranges::any_of(found, [&](const explorer::Observation& observation) {
    sites.clear();
    for (const explorer::ThreadAt& thread : std::get<explorer::Deadlock>(observation).threads)
      sites.push_back(thread.action.site);
    return is_matched(sites);
  });
}

// Each end is given to the thread that is nearest. Two ends are given to different threads; for more, that would be an
// assignment problem, and the sum of the nearest is a guess that is never too large.
std::optional<std::uint32_t> SiteTarget::distance(const explorer::Machine& machine) {
  assert(&machine == &machine_);
  const std::size_t threads = machine.threads().size();
  const auto is_alive = [&](std::size_t thread) {
    const explorer::ThreadStatus status = machine.threads()[thread].status;
    return status == explorer::ThreadStatus::Standing || status == explorer::ThreadStatus::Waiting;
  };
  std::vector<std::vector<ThreadDistance>> all(sites_.size(), std::vector<ThreadDistance>(threads));
  std::vector<std::uint32_t> nearest(sites_.size(), infinite);
  for (std::size_t end = 0; end < sites_.size(); ++end) {
    for (std::size_t i = 0; i < threads; ++i) {
      if (!is_alive(i)) continue;
      all[end][i] = distance_of(explorer::ThreadId{i}, end);
      nearest[end] = std::min({nearest[end], all[end][i].own, all[end][i].spawned});
    }
  }
  std::uint32_t total = 0;
  for (std::uint32_t each : nearest) total = sum(total, each);
  if (sites_.size() == 2 && total != infinite) {
    total = infinite;
    for (std::size_t i = 0; i < threads; ++i) {
      for (std::size_t j = 0; j < threads; ++j) {
        const ThreadDistance& first = all[0][i];
        const ThreadDistance& second = all[1][j];
        if (i != j) total = std::min(total, sum(first.own, second.own));
        total = std::min({total, sum(first.spawned, second.own), sum(first.own, second.spawned),
                          sum(first.spawned, second.spawned)});
      }
    }
  }
  return total == infinite ? std::nullopt : std::optional{total};
}

}  // namespace lockwood::program
