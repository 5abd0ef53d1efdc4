#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "frontend/java/facts/program_text.hpp"
#include "frontend/java/pointsto/object_text.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

std::string place_in(const PointsTo& flow, const Procedure& procedure, const Call& call) {
  if (!call.instruction) return {};
  const std::string whole = flow.universe().place(procedure, call.instruction);
  const std::size_t comma = whole.rfind(", ");
  return comma == std::string::npos ? std::string{} : whole.substr(comma + 2);
}

std::string_view kind_of(const Call& call) {
  if (call.flavor == CallFlavor::Spawn) return "spawn";
  return call.in_loop || call.flavor == CallFlavor::Loop ? "loop" : "call";
}

bool is_of_library(const Procedure& procedure) {
  return !procedure.code && !std::holds_alternative<LambdaOrigin>(procedure.origin);
}

std::string quoted(std::string text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

std::vector<CallRow> call_rows(const PointsTo& flow) {
  std::set<CallRow> rows;
  const Universe& universe = flow.universe();
  for (CopyId copy : flow.copies().keys())
    for (const CallEdge& edge : flow.calls_of(copy)) {
      const Procedure& caller = flow.procedure(copy);
      const Procedure& callee = flow.procedure(edge.callee);
      rows.insert({universe.name(caller), place_in(flow, caller, flow.call(edge)), universe.name(callee),
                   std::string{kind_of(flow.call(edge))}, is_of_library(caller) && is_of_library(callee)});
    }
  for (const auto& [type, copy] : flow.initialisers())
    rows.insert({"first use of " + jvm::java_class_name(universe.hierarchy().name(type)),
                 {},
                 universe.name(flow.procedure(copy)),
                 "initialiser"});
  return {rows.begin(), rows.end()};
}

std::string call_graph_dot(const PointsTo& flow) {
  std::string text = "digraph calls {\n  node [shape=box, fontname=\"sans-serif\"];\n";
  std::set<std::string> edges;
  for (const CallRow& row : call_rows(flow)) {
    if (row.in_library) continue;
    edges.insert(fmt::format("  {} -> {}{};\n", quoted(row.caller), quoted(row.callee),
                             row.kind == "spawn"  ? " [style=bold, color=blue, label=\"spawn\"]"
                             : row.kind == "call" ? ""
                                                  : fmt::format(" [style=dashed, label=\"{}\"]", row.kind)));
  }
  for (const std::string& edge : edges) text += edge;
  return text + "}\n";
}

std::vector<AssumptionRow> assumption_rows(const PointsTo& flow) {
  std::map<std::pair<std::string, std::string>, std::set<std::pair<ProcedureId, CallId>>> found;
  for (CopyId copy : flow.copies().keys()) {
    const Procedure& procedure = flow.procedure(copy);
    const auto add = [&](std::string kind, std::string text) {
      auto& calls = found[{std::move(kind), std::move(text)}];
      for (const CallEdge& edge : flow.callers(copy)) calls.emplace(flow.copies()[edge.caller].procedure, edge.call);
    };
    if (std::holds_alternative<UnmodelledOrigin>(procedure.origin)) add("unmodelled", flow.universe().name(procedure));
    for (const ModelEvent& event : procedure.events)
      if (const auto* remark = std::get_if<library::Remark>(&event.effect->kind);
          remark != nullptr && remark->kind == library::Remark::Kind::Ignores)
        add("ignored", fmt::format("{}: {}", flow.universe().name(procedure), remark->text));
  }
  std::vector<AssumptionRow> rows;
  for (const auto& [key, calls] : found) rows.push_back({key.first, key.second, calls.size()});
  std::ranges::stable_sort(rows, std::ranges::greater{}, &AssumptionRow::calls);
  return rows;
}

std::vector<ProcedureId> reached_procedures(const PointsTo& flow, std::string_view owner, std::string_view name,
                                            std::string_view descriptor) {
  std::set<ProcedureId> found;
  for (const ProcedureCopy& copy : flow.copies()) {
    const Procedure& procedure = flow.universe().procedure(copy.procedure);
    if (procedure.code && procedure.name == name && procedure.descriptor == descriptor &&
        flow.universe().hierarchy().name(procedure.owner) == owner)
      found.insert(copy.procedure);
  }
  return {found.begin(), found.end()};
}

}  // namespace lockwood::java
