#include "frontend/java/flow/value_slice.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/ids/id_vector.hpp"
#include "frontend/program/lowering/liveness.hpp"

namespace lockwood::java {
namespace {

using program::Point;

// Who has a value: a local, the result of a procedure, a variable, or a mark.
using Holder = Id<struct HolderTag>;

// Where values move, without any order.
class ValueGraph {
 public:
  ValueGraph(const program::Program& program, std::size_t marks) : program_{program} {
    std::size_t count = 0;
    for (const program::Procedure& procedure : program.procedures) {
      first_local_.push_back(count);
      count += procedure.locals.size() + 1;  // and the result
    }
    first_variable_ = count;
    first_mark_ = count + program.variables.size();
    successors_.resize(first_mark_ + marks);
    predecessors_.resize(first_mark_ + marks);
    for (program::ProcedureId id : program.procedures.keys())
      for (const program::Node& node : program.procedures[id].points) add(id, node);
  }

  [[nodiscard]] Holder local(program::ProcedureId procedure, program::Local local) const {
    return Holder{first_local_[procedure.index()] + local.index()};
  }
  [[nodiscard]] Holder result(program::ProcedureId procedure) const {
    return Holder{first_local_[procedure.index()] + program_.procedures[procedure].locals.size()};
  }
  [[nodiscard]] Holder variable(program::Variable variable) const { return Holder{first_variable_ + variable.index()}; }
  [[nodiscard]] Holder mark(std::uint32_t mark) const { return Holder{first_mark_ + mark}; }

  [[nodiscard]] IdVector<Holder, bool> reached(const std::vector<Holder>& from, bool backwards) const {
    IdVector<Holder, bool> found(successors_.size());
    std::vector<Holder> worklist;
    const auto reach = [&](Holder holder) {
      if (found[holder]) return;
      found[holder] = true;
      worklist.push_back(holder);
    };
    for (Holder holder : from) reach(holder);
    while (!worklist.empty()) {
      const Holder next = worklist.back();
      worklist.pop_back();
      for (Holder other : backwards ? predecessors_[next] : successors_[next]) reach(other);
    }
    return found;
  }

 private:
  void edge(Holder from, Holder to) {
    successors_[from].push_back(to);
    predecessors_[to].push_back(from);
  }
  void from_locals(program::ProcedureId id, const program::Expression& expression, Holder to) {
    for (const program::Expression::Operation& operation : expression.postfix)
      if (const auto* used = std::get_if<program::Local>(&operation)) edge(local(id, *used), to);
  }
  void pass(program::ProcedureId caller, program::ProcedureId callee,
            const std::vector<program::Expression>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
      from_locals(caller, arguments[i], local(callee, program::Local{i}));
  }
  void add(program::ProcedureId id, const program::Node& node) {
    const program::Instruction& instruction = node.instruction;
    if (const auto* read = std::get_if<program::Read>(&instruction)) {
      edge(variable(read->variable), local(id, read->target));
    } else if (const auto* write = std::get_if<program::Write>(&instruction)) {
      from_locals(id, write->value, variable(write->variable));
    } else if (const auto* assign = std::get_if<program::Assign>(&instruction)) {
      from_locals(id, assign->value, local(id, assign->target));
      if (node.mark) edge(mark(*node.mark), local(id, assign->target));
    } else if (const auto* print = std::get_if<program::Print>(&instruction)) {
      if (node.mark)
        for (const program::Expression& value : print->values) from_locals(id, value, mark(*node.mark));
    } else if (const auto* call = std::get_if<program::Call>(&instruction)) {
      pass(id, call->procedure, call->arguments);
      if (call->result) edge(result(call->procedure), local(id, *call->result));
    } else if (const auto* spawn = std::get_if<program::Spawn>(&instruction)) {
      pass(id, spawn->procedure, spawn->arguments);
    } else if (const auto* ret = std::get_if<program::Return>(&instruction)) {
      if (ret->value) from_locals(id, *ret->value, result(id));
    }
  }

  const program::Program& program_;
  std::vector<std::size_t> first_local_;
  std::size_t first_variable_ = 0;
  std::size_t first_mark_ = 0;
  IdVector<Holder, std::vector<Holder>> successors_;
  IdVector<Holder, std::vector<Holder>> predecessors_;
};

std::vector<Holder> holders_of(const ValueGraph& graph, const EndGroup& group) {
  std::vector<Holder> found;
  for (std::uint32_t mark : group.marks) found.push_back(graph.mark(mark));
  return found;
}

std::size_t mark_count(const std::vector<EndGroup>& groups) {
  std::size_t count = 0;
  for (const EndGroup& group : groups)
    for (std::uint32_t mark : group.marks) count = std::max<std::size_t>(count, mark + 1);
  return count;
}

constexpr const char* nothing = "nothing";

// Takes out steps that do nothing: who leads to one leads to where it leads.
class Compression {
 public:
  explicit Compression(program::Procedure& procedure) : procedure_{procedure} {}

  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (program::Node& node : procedure_.points) changed = forward(node) || changed;
      for (program::MonitorRegion& region : procedure_.regions) {
        changed = move(region.body) || changed;
        for (Point& exit : region.exits) changed = move(exit) || changed;
      }
      changed = move(procedure_.entry) || changed;
    }
  }

 private:
  // Where a point that does nothing leads to.
  [[nodiscard]] std::optional<Point> next_of(Point point) const {
    const program::Node& node = procedure_.points[point];
    const auto* skip = std::get_if<program::Skip>(&node.instruction);
    if (skip != nullptr && skip->what == nothing && !node.guess) return skip->next;
    const auto* choose = std::get_if<program::Choose>(&node.instruction);
    if (choose != nullptr && choose->targets.size() == 1) return choose->targets.front();
    return std::nullopt;
  }
  // What the point stands for. Of a loop that does nothing, its first point stays.
  [[nodiscard]] Point target(Point point) const {
    std::set<Point> seen;
    for (auto next = next_of(point); next && seen.insert(point).second; next = next_of(point)) point = *next;
    if (!next_of(point)) return point;
    Point first = point;
    for (Point at = *next_of(point); at != point; at = *next_of(at)) first = std::min(first, at);
    return first;
  }
  bool move(Point& point) const {
    const Point to = target(point);
    if (to == point) return false;
    point = to;
    return true;
  }
  bool forward(program::Node& node) const {
    return std::visit([&](auto& instruction) { return forward_in(instruction); }, node.instruction);
  }
  template <class Simple>
  bool forward_in(Simple& simple) const {
    if constexpr (requires { simple.next; }) return move(simple.next);
    return false;
  }
  bool forward_in(program::Branch& branch) const {
    const bool first = move(branch.if_true);
    return move(branch.if_false) || first;
  }
  bool forward_in(program::Call& call) const {
    bool changed = move(call.next);
    changed = move(call.on_throw) || changed;
    for (Point& handler : call.on_throw_of) changed = move(handler) || changed;
    return changed;
  }
  bool forward_in(program::Choose& choose) const {
    bool changed = false;
    for (Point& each : choose.targets) changed = move(each) || changed;
    std::ranges::sort(choose.targets);
    const auto rest = std::unique(choose.targets.begin(), choose.targets.end());
    changed = changed || rest != choose.targets.end();
    choose.targets.erase(rest, choose.targets.end());
    return changed;
  }

  program::Procedure& procedure_;
};

}  // namespace

std::vector<EndGroup> end_groups(const std::vector<ValueMark>& marks) {
  std::map<std::tuple<std::size_t, program::SourceFile, std::uint32_t>, std::size_t> numbers;
  std::vector<EndGroup> groups;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const ValueMark& mark = marks[i];
    const auto [at, is_new] =
        numbers.emplace(std::tuple{mark.row, mark.range.file, mark.range.begin.line}, groups.size());
    if (is_new) groups.push_back({mark.row, mark.role, mark.range, {}});
    groups[at->second].marks.push_back(static_cast<std::uint32_t>(i));
  }
  // As they stand in the sources.
  std::ranges::stable_sort(groups, {}, [](const EndGroup& group) {
    return std::tuple{group.role, group.range.file, group.range.begin.line, group.row};
  });
  return groups;
}

SuspectedFlows suspected_flows(const program::Program& program, const std::vector<EndGroup>& groups, StopToken stop) {
  const ValueGraph graph{program, mark_count(groups)};
  SuspectedFlows flows;
  for (std::size_t from = 0; from < groups.size(); ++from) {
    if (groups[from].role != ValueRole::Source) continue;
    stop.check();
    const auto reached = graph.reached(holders_of(graph, groups[from]), false);
    for (std::size_t to = 0; to < groups.size(); ++to)
      if (groups[to].role == ValueRole::Sink &&
          std::ranges::any_of(holders_of(graph, groups[to]), [&](Holder sink) { return reached[sink]; }))
        flows.emplace_back(from, to);
  }
  return flows;
}

std::vector<program::Variable> keep_values(program::Program& program, const std::vector<EndGroup>& groups,
                                           const SuspectedFlows& flows, bool all_origins) {
  const ValueGraph graph{program, mark_count(groups)};
  std::vector<Holder> sources;
  std::vector<Holder> sinks;
  for (const auto& [from, to] : flows) {
    std::ranges::copy(holders_of(graph, groups[from]), std::back_inserter(sources));
    std::ranges::copy(holders_of(graph, groups[to]), std::back_inserter(sinks));
  }
  if (all_origins)
    for (const EndGroup& group : groups)
      if (group.role == ValueRole::Sink) std::ranges::copy(holders_of(graph, group), std::back_inserter(sinks));
  const auto forwards = graph.reached(sources, false);
  const auto backwards = graph.reached(sinks, true);
  const auto matters = [&](Holder holder) { return (all_origins || forwards[holder]) && backwards[holder]; };
  for (program::ProcedureId id : program.procedures.keys()) {
    program::Procedure& procedure = program.procedures[id];
    // A bool that the model knows is set, whatever else it carries.
    const auto is_kept = [&](program::Local local) {
      return matters(graph.local(id, local)) || procedure.locals[local].type == program::Type::Bool;
    };
    for (program::Node& node : procedure.points) {
      program::Instruction& instruction = node.instruction;
      if (const auto* read = std::get_if<program::Read>(&instruction)) {
        const bool moves = matters(graph.variable(read->variable)) && matters(graph.local(id, read->target));
        if (!moves && procedure.locals[read->target].type == program::Type::Int)
          instruction = program::Skip{read->next, nothing};
      } else if (const auto* write = std::get_if<program::Write>(&instruction)) {
        if (!matters(graph.variable(write->variable))) instruction = program::Skip{write->next, nothing};
      } else if (const auto* assign = std::get_if<program::Assign>(&instruction)) {
        if (!is_kept(assign->target)) instruction = program::Skip{assign->next, nothing};
      } else if (const auto* print = std::get_if<program::Print>(&instruction)) {
        if (!node.mark || !matters(graph.mark(*node.mark))) instruction = program::Skip{print->next, nothing};
      }
    }
    Compression{procedure}.run();
  }
  std::vector<program::Variable> kept;
  for (program::Variable variable : program.variables.keys())
    if (matters(graph.variable(variable))) kept.push_back(variable);
  return kept;
}

}  // namespace lockwood::java
