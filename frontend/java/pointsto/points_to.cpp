#include "frontend/java/pointsto/points_to.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "frontend/java/pointsto/introspection.hpp"
#include "frontend/java/pointsto/solver.hpp"

namespace lockwood::java {
namespace {

const ObjectSet nothing;
const std::vector<CopyId> nobody;

std::uint64_t field_of(ObjectId object, FieldKey field) {
  return static_cast<std::uint64_t>(object.index()) << 32U | field.index();
}

// Those of the edges, sorted by the key, that have this value of it.
template <class Value, class Key>
std::span<const CallEdge> edges_of(const std::vector<CallEdge>& sorted, const Value& value, Key key) {
  return {std::ranges::lower_bound(sorted, value, {}, key), std::ranges::upper_bound(sorted, value, {}, key)};
}

}  // namespace

IdRange<CallId> Procedure::calls_at(jvm::InstructionId at) const {
  const auto key = [](const Call& call) { return *call.instruction; };
  const auto begin = std::ranges::lower_bound(calls.rows(), at, {}, key);
  const auto end = std::ranges::upper_bound(calls.rows(), at, {}, key);
  return {static_cast<std::size_t>(begin - calls.begin()), static_cast<std::size_t>(end - calls.begin())};
}

const ObjectSet& PointsTo::objects(CopyId copy, jvm::Register value) const {
  const Procedure& code = procedure(copy);
  assert(code.is_code());
  const auto local = code.local_of[value];
  return local ? objects(copy, *local) : nothing;
}

const ObjectSet& PointsTo::objects(ObjectId object, FieldKey field) const {
  const auto found = field_nodes_.find(field_of(object, field));
  return found == field_nodes_.end() ? nothing : graph_->objects(found->second);
}

const ObjectSet& PointsTo::static_objects(FieldKey field) const {
  const auto found = static_nodes_.find(static_cast<std::uint32_t>(field.index()));
  return found == static_nodes_.end() ? nothing : graph_->objects(found->second);
}

std::span<const CallEdge> PointsTo::callees(CopyId copy, CallId call) const {
  const auto key = [](const CallEdge& edge) { return std::pair{edge.caller, edge.call}; };
  return edges_of(by_caller_, std::pair{copy, call}, key);
}

std::span<const CallEdge> PointsTo::callees_at(CopyId copy, jvm::InstructionId at) const {
  const IdRange<CallId> calls = procedure(copy).calls_at(at);
  if (calls.size() == 0) return {};
  const auto key = [](const CallEdge& edge) { return std::pair{edge.caller, edge.call}; };
  const auto begin = std::ranges::lower_bound(by_caller_, std::pair{copy, *calls.begin()}, {}, key);
  const auto end = std::ranges::lower_bound(begin, by_caller_.end(), std::pair{copy, *calls.end()}, {}, key);
  return {begin, end};
}

std::span<const CallEdge> PointsTo::calls_of(CopyId copy) const {
  return edges_of(by_caller_, copy, &CallEdge::caller);
}

std::span<const CallEdge> PointsTo::callers(CopyId copy) const { return edges_of(by_callee_, copy, &CallEdge::callee); }

const std::vector<CopyId>& PointsTo::makers(ObjectId object) const {
  const auto found = makers_.find(static_cast<std::uint32_t>(object.index()));
  return found == makers_.end() ? nobody : found->second;
}

std::optional<ObjectId> initial_value(Universe& universe, ObjectId object, FieldKey field) {
  const AbstractObject row = universe.objects()[object];
  if (const auto& initial = universe.fields()[field].initial) return initial;
  if (row.kind != ObjectKind::Unknown && row.kind != ObjectKind::Constant) return std::nullopt;
  jvm::ClassHierarchy& hierarchy = universe.hierarchy();
  if (field == universe.elements()) {
    std::string_view name = hierarchy.name(row.type);
    if (!name.starts_with("[")) return std::nullopt;
    name.remove_prefix(1);
    if (name.starts_with('[')) return universe.unknown(hierarchy.load(name));
    if (!name.starts_with('L')) return std::nullopt;
    return universe.unknown(hierarchy.load(std::string{name.substr(1, name.size() - 2)}));
  }
  if (universe.fields()[field].declaration) return std::nullopt;
  return universe.unknown(hierarchy.load("java/lang/Object"));
}

PointsTo points_to(JavaProgram& program, const library::Library& models, const PointsToOptions& options,
                   StopToken stop) {
  auto universe = std::make_shared<Universe>(program, models, options);
  const EntryPoint entry = entry_point(*universe, program);
  universe->give_up_all_contexts();
  auto first = PointsToSolver{universe, stop}.solve(entry, {});
  assert(first);  // one copy for each procedure is never too much
  PointsTo result = std::move(*first);
  if (options.contexts) {
    std::vector<bool> given_up = costly_procedures(result, options.max_contexts);
    std::size_t restarts = 0;
    while (true) {
      universe->give_up_contexts(given_up);
      PointsToSolver solver{universe, stop};
      if (auto sensitive = solver.solve(entry, options.max_contexts)) {
        result = std::move(*sensitive);
        break;
      }
      // The prediction was too low: those with the most copies go next, until the rest fits.
      ++restarts;
      if (!give_up_more(given_up, solver.copies_by_procedure())) {
        // There are more methods than copies allowed: the first result is what can be had.
        universe->give_up_all_contexts();
        given_up.assign(universe->procedures().size(), true);
        break;
      }
    }
    result.statistics_.restarts = restarts;
    result.statistics_.insensitive = static_cast<std::size_t>(std::ranges::count(given_up, true));
  }
  return result;
}

}  // namespace lockwood::java
