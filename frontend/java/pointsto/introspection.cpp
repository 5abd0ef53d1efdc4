#include "frontend/java/pointsto/introspection.hpp"

#include <algorithm>
#include <numeric>

namespace lockwood::java {
namespace {

struct Prediction {
  std::size_t contexts = 1;
  std::size_t inflow = 0;
};

// By procedure: how many elements the contexts of its copies may begin with.
std::vector<std::size_t> first_elements(const PointsTo& flow, const Universe& universe) {
  std::vector<std::size_t> firsts(universe.procedures().size(), 1);
  for (CopyId copy : flow.copies().keys()) {
    const ProcedureId id = flow.copies()[copy].procedure;
    const Procedure& procedure = universe.procedure(id);
    const std::size_t count = procedure.is_static ? flow.callers(copy).size()
                                                  : flow.objects(copy, procedure.parameters.front().value()).size();
    firsts[id.index()] = std::max<std::size_t>(1, count);
  }
  return firsts;
}

Prediction predict(const PointsTo& flow, const Universe& universe, CopyId copy,
                   const std::vector<std::size_t>& firsts) {
  const Procedure& procedure = universe.procedure(flow.copies()[copy].procedure);
  Prediction result;
  for (const auto& parameter : procedure.parameters)
    if (parameter) result.inflow += flow.objects(copy, *parameter).size();
  std::size_t contexts = 0;
  if (procedure.is_static) {
    for (const CallEdge& edge : flow.callers(copy)) contexts += firsts[flow.copies()[edge.caller].procedure.index()];
  } else {
    flow.objects(copy, procedure.parameters.front().value()).for_each([&](ObjectId object) {
      const AbstractObject& row = universe.objects()[object];
      if (row.kind != ObjectKind::Allocation) return;
      contexts += firsts[universe.sites()[row.site].procedure.index()];
    });
  }
  result.contexts = std::max<std::size_t>(1, contexts);
  return result;
}

}  // namespace

std::vector<bool> costly_procedures(const PointsTo& flow, std::size_t max_copies) {
  const Universe& universe = flow.universe();
  const auto firsts = first_elements(flow, universe);
  struct Row {
    std::size_t cost;
    std::size_t contexts;
    ProcedureId procedure;
  };
  std::vector<Row> rows;
  std::size_t total = 0;
  for (CopyId copy : flow.copies().keys()) {
    const Prediction prediction = predict(flow, universe, copy, firsts);
    rows.push_back({prediction.contexts * (1 + prediction.inflow), prediction.contexts, flow.copies()[copy].procedure});
    total += prediction.contexts;
  }
  std::vector<bool> given_up(universe.procedures().size());
  std::ranges::sort(
      rows, [](const Row& a, const Row& b) { return a.cost != b.cost ? a.cost > b.cost : a.procedure < b.procedure; });
  for (const Row& row : rows) {
    if (total <= max_copies) break;
    if (row.contexts == 1) continue;
    given_up[row.procedure.index()] = true;
    total -= row.contexts - 1;
  }
  return given_up;
}

bool give_up_more(std::vector<bool>& given_up, const std::vector<std::size_t>& copies) {
  given_up.resize(std::max(given_up.size(), copies.size()));
  std::vector<std::size_t> order(copies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return copies[i]; });
  const std::size_t total = std::accumulate(copies.begin(), copies.end(), std::size_t{0});
  std::size_t gone = 0;
  bool any = false;
  for (std::size_t i : order) {
    if (2 * gone >= total || copies[i] <= 1) break;
    if (given_up[i]) continue;
    given_up[i] = true;
    any = true;
    gone += copies[i];
  }
  return any;
}

}  // namespace lockwood::java
