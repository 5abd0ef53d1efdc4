#include "frontend/program/value_flow.hpp"

#include <algorithm>

#include "frontend/program/liveness.hpp"

namespace lockwood::program {
namespace {

std::vector<Local> locals_in(const Expression& expression) {
  std::vector<Local> found;
  for (const Expression::Operation& operation : expression.postfix)
    if (const auto* local = std::get_if<Local>(&operation)) found.push_back(*local);
  return found;
}

}  // namespace

ValueFlow::ValueFlow(const Program& program) : program_{program} {
  std::size_t next = 0;
  for (const Procedure& procedure : program.procedures) {
    first_.push_back(next);
    std::uint32_t statements = 0;
    for (const Node& node : procedure.points) statements = std::max(statements, node.statement);
    next += procedure.locals.size() + 1 + statements + 1;
  }
  edges_.resize(next);
  for (ProcedureId id : program.procedures.keys())
    for (const Node& node : program.procedures[id].points) add(id, node);
}

void ValueFlow::add(ProcedureId procedure, const Node& at) {
  const auto edge = [&](std::size_t from, std::size_t to, std::optional<ProcedureId> enters = {}, bool spawns = false) {
    edges_[from].push_back({to, procedure, at.statement, enters, spawns});
  };
  const auto pass = [&](ProcedureId callee, const std::vector<Expression>& arguments, bool spawns) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
      for (Local local : locals_in(arguments[i])) edge(node(procedure, local), node(callee, Local{i}), callee, spawns);
  };
  const std::size_t here = statement(procedure, at.statement);
  const Instruction& instruction = at.instruction;
  if (const auto set = set_local(instruction)) edge(here, node(procedure, *set));
  if (const auto* call = std::get_if<Call>(&instruction)) {
    pass(call->procedure, call->arguments, false);
    if (call->result) edge(result(call->procedure), node(procedure, *call->result));
  } else if (const auto* spawn = std::get_if<Spawn>(&instruction)) {
    pass(spawn->procedure, spawn->arguments, true);
  } else {
    std::optional<std::size_t> to;
    if (const auto* assign = std::get_if<Assign>(&instruction)) to = node(procedure, assign->target);
    if (std::holds_alternative<Branch>(instruction)) to = here;
    if (std::holds_alternative<Return>(instruction)) to = result(procedure);
    if (!to) return;
    for (Local local : used_locals(instruction)) edge(node(procedure, local), *to);
    if (std::holds_alternative<Return>(instruction)) edge(here, *to);
  }
}

bool ValueFlow::Reached::used_at(ProcedureId procedure, Point point, Way way) const {
  const Node& at = flow_.program_.procedures[procedure].points[point];
  const auto is = [&](std::size_t node) { return (ways_[node] & static_cast<unsigned>(way)) != 0; };
  return is(flow_.statement(procedure, at.statement)) ||
         std::ranges::any_of(used_locals(at.instruction),
                             [&](Local local) { return is(flow_.node(procedure, local)); });
}

// The frame in which a value begins is left where its procedure is entered anew or returns, and its statement where
// another one of the procedure is done.
ValueFlow::Reached ValueFlow::reached(const std::vector<Source>& sources) const {
  Reached found{*this, edges_.size()};
  struct Visit {
    std::size_t node;
    Way way;
  };
  for (const Source& source : sources) {
    std::vector<Visit> worklist;
    std::vector<unsigned char> ways(edges_.size());
    const auto mark = [&](std::size_t node, Way way) {
      if ((ways[node] & static_cast<unsigned>(way)) != 0) return;
      ways[node] |= static_cast<unsigned char>(way);
      worklist.push_back({node, way});
    };
    mark(node(source.procedure, source.local), Way::Inside);
    while (!worklist.empty()) {
      const auto [from, way] = worklist.back();
      worklist.pop_back();
      for (const Edge& edge : edges_[from]) {
        const bool leaves = edge.spawns || edge.enters == source.procedure || edge.to == result(source.procedure) ||
                            (edge.procedure == source.procedure && edge.statement != source.statement);
        mark(edge.to, leaves ? Way::Outside : way);
      }
    }
    for (std::size_t i = 0; i < ways.size(); ++i) found.ways_[i] |= ways[i];
  }
  return found;
}

}  // namespace lockwood::program
