#include "frontend/java/facts/procedure_calls.hpp"

#include <algorithm>

namespace lockwood::java {

std::span<const ProcedureCall> ProcedureCalls::calls_at(const Universe& universe, ProcedureId id,
                                                        jvm::InstructionId at) const {
  const IdRange<CallId> range = universe.procedure(id).calls_at(at);
  if (range.size() == 0) return {};
  const auto& all = calls_of(id);
  const auto begin = std::ranges::lower_bound(all, *range.begin(), {}, &ProcedureCall::call);
  const auto end = std::ranges::lower_bound(begin, all.end(), *range.end(), {}, &ProcedureCall::call);
  return {begin, end};
}

ProcedureCalls procedure_calls(const PointsTo& flow) {
  const std::size_t count = flow.universe().procedures().size();
  ProcedureCalls result{
      .reached = {}, .calls = std::vector<std::vector<ProcedureCall>>(count), .callers = {}, .copies = {}};
  result.callers.resize(count);
  result.copies.resize(count);
  for (CopyId copy : flow.copies().keys()) {
    const ProcedureId procedure = flow.copies()[copy].procedure;
    result.copies[procedure.index()].push_back(copy);
    for (const CallEdge& edge : flow.calls_of(copy))
      result.calls[procedure.index()].push_back({procedure, edge.call, flow.copies()[edge.callee].procedure});
  }
  for (std::size_t i = 0; i < count; ++i) {
    auto& calls = result.calls[i];
    std::ranges::sort(calls);
    calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
    for (const ProcedureCall& call : calls) result.callers[call.callee.index()].push_back(call);
    if (!result.copies[i].empty()) result.reached.emplace_back(i);
  }
  return result;
}

ObjectSet objects_in_all_copies(const PointsTo& flow, const ProcedureCalls& calls, ProcedureId procedure,
                                jvm::Register value) {
  ObjectSet all;
  for (CopyId copy : calls.copies_of(procedure)) all.unite(flow.objects(copy, value));
  return all;
}

}  // namespace lockwood::java
