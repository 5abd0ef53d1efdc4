#include "frontend/program/interpreter/ariadne.hpp"

#include <algorithm>
#include <cassert>
#include <deque>

namespace lockwood::program {
namespace {

struct AccessPlace {
  Sites::Location at;
  Variable variable;
  bool writes;
};

// Call sites on a shortest way from where some thread begins to each procedure; none: no thread gets there.
std::vector<std::optional<std::vector<explorer::Site>>> call_paths(const Program& program, const Sites& sites) {
  std::vector<std::optional<std::vector<explorer::Site>>> paths(program.procedures.size());
  std::deque<ProcedureId> waiting;
  const auto begin = [&](ProcedureId id) {
    if (paths[id.index()]) return;
    paths[id.index()].emplace();
    waiting.push_back(id);
  };
  begin(program.main);
  for (const Procedure& procedure : program.procedures)
    for (const Node& node : procedure.points)
      if (const auto* spawn = std::get_if<Spawn>(&node.instruction)) begin(spawn->procedure);
  while (!waiting.empty()) {
    const ProcedureId id = waiting.front();
    waiting.pop_front();
    for (Point point : program.procedures[id].points.keys()) {
      const auto* call = std::get_if<Call>(&program.procedures[id].points[point].instruction);
      if (call == nullptr || paths[call->procedure.index()]) continue;
      std::vector<explorer::Site> path = *paths[id.index()];
      path.push_back(sites[{id, point}]);
      paths[call->procedure.index()] = std::move(path);
      waiting.push_back(call->procedure);
    }
  }
  return paths;
}

}  // namespace

std::vector<RaceReport> race_reports(const Program& program, const ParallelTable* table) {
  const Sites sites{program};
  std::vector<AccessPlace> accesses;
  for (ProcedureId id : program.procedures.keys()) {
    for (Point point : program.procedures[id].points.keys()) {
      const Instruction& instruction = program.procedures[id].points[point].instruction;
      if (const auto* read = std::get_if<Read>(&instruction)) accesses.push_back({{id, point}, read->variable, false});
      if (const auto* write = std::get_if<Write>(&instruction))
        accesses.push_back({{id, point}, write->variable, true});
    }
  }
  std::vector<RaceReport> reports;
  for (std::size_t i = 0; i < accesses.size(); ++i)
    for (std::size_t j = i; j < accesses.size(); ++j)
      if (accesses[i].variable == accesses[j].variable && (accesses[i].writes || accesses[j].writes) &&
          (table == nullptr || table->contains(sites[accesses[i].at], sites[accesses[j].at])))
        reports.push_back({accesses[i].at, accesses[j].at});
  return reports;
}

AriadneGuide::AriadneGuide(const ProgramMachine& machine, const std::vector<RaceReport>& reports, std::size_t window)
    : machine_{machine}, window_{window} {
  const auto paths = call_paths(machine.program(), machine.sites());
  const auto path_to = [&](const Sites::Location& place) {
    Path path = paths[place.procedure.index()].value_or(Path{});
    path.push_back(machine.sites()[place]);
    return path;
  };
  for (const RaceReport& report : reports) reports_.emplace_back(path_to(report.left), path_to(report.right));
}

double AriadneGuide::share(const Path& path, const std::vector<explorer::Site>& stack) const {
  std::size_t common = 0;
  while (common < path.size() && common < stack.size() && stack[stack.size() - 1 - common] == path[common]) ++common;
  return static_cast<double>(common) / static_cast<double>(path.size());
}

AriadneGuide::Shares AriadneGuide::shares_of(explorer::ThreadId thread) const {
  const std::vector<explorer::Site> stack = machine_.stack(thread);
  Shares shares;
  for (const auto& [left, right] : reports_) {
    shares.push_back(share(left, stack));
    shares.push_back(share(right, stack));
  }
  return shares;
}

std::uint64_t AriadneGuide::priority(const explorer::Machine& machine, std::size_t node, explorer::ThreadId thread) {
  assert(&machine == &machine_);
  static_cast<void>(machine);
  last_ = shares_of(thread);
  double priority = 0;
  std::size_t at = node;
  for (std::size_t back = 0; back < window_ && at != 0; ++back) {
    const Taken& taken = steps_[at];
    if (taken.thread != thread)
      for (std::size_t i = 0; i < last_.size(); i += 2)
        priority += taken.shares[i + 1] * last_[i] + taken.shares[i] * last_[i + 1];
    at = taken.from;
  }
  constexpr double scale = 1e6;
  return std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(priority * scale);
}

void AriadneGuide::reached(std::size_t from, explorer::ThreadId thread, std::size_t to) {
  if (steps_.size() <= to) steps_.resize(to + 1, {.from = 0, .thread = explorer::ThreadId{0}, .shares = {}});
  steps_[to] = {.from = from, .thread = thread, .shares = last_};
}

}  // namespace lockwood::program
