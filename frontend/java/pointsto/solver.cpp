#include "frontend/java/pointsto/solver.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

std::uint32_t bits(auto id) { return static_cast<std::uint32_t>(id.index()); }

// Thrown inside of this file only.
struct TooManyCopies {};

}  // namespace

PointsToSolver::PointsToSolver(std::shared_ptr<Universe> universe, StopToken stop) : universe_{*universe}, stop_{stop} {
  result_.universe_ = std::move(universe);
  result_.graph_ = std::make_unique<Propagation>(universe_);
}

std::optional<PointsTo> PointsToSolver::solve(const EntryPoint& entry, std::optional<std::size_t> max_copies) {
  assert(result_.copies_.empty());
  const CopyId main = copy(entry.procedure, ContextTable::empty());
  result_.entries_.push_back(main);
  const Procedure& procedure = universe_.procedure(entry.procedure);
  initialise(procedure.owner);
  if (!procedure.parameters.empty() && procedure.parameters.back())
    result_.graph_->add_object(node(main, *procedure.parameters.back()), entry.arguments);
  try {
    drain();
    result_.graph_->run(
        [&](Subscriber subscriber, const ObjectSet& news) {
          notify(subscriber, news);
          drain();
          if (max_copies && result_.copies_.size() > *max_copies) throw TooManyCopies{};
          stop_.report_progress({result_.copies_.size(), result_.graph_->counts().propagated});
        },
        stop_);
  } catch (const TooManyCopies&) {
    return std::nullopt;
  }
  std::vector<CallEdge>& edges = result_.by_caller_;
  for (std::size_t i = 0; i < edge_keys_.size(); ++i) {
    const auto key = edge_keys_[i];
    edges.push_back({CopyId{key[0]}, CallId{key[1]}, CopyId{key[2]}});
  }
  std::ranges::sort(edges);
  result_.by_callee_ = edges;
  std::ranges::sort(result_.by_callee_, [](const CallEdge& a, const CallEdge& b) {
    return std::tuple{a.callee, a.caller, a.call} < std::tuple{b.callee, b.caller, b.call};
  });
  std::ranges::sort(result_.object_fields_);
  result_.statistics_.counts = result_.graph_->counts();
  result_.statistics_.nodes = result_.graph_->node_count();
  list_gaps();
  return std::move(result_);
}

std::vector<std::size_t> PointsToSolver::copies_by_procedure() const {
  std::vector<std::size_t> counts(universe_.procedures().size());
  for (const ProcedureCopy& row : result_.copies_) ++counts[row.procedure.index()];
  return counts;
}

CopyId PointsToSolver::copy(ProcedureId procedure, ContextId context) {
  const std::array<std::uint32_t, 2> key = {bits(procedure), bits(context)};
  const auto interned = copy_keys_.intern(key);
  if (interned.is_new) {
    const NodeId first = result_.graph_->add_nodes(universe_.procedure(procedure).local_count);
    fresh_.push_back(result_.copies_.push_back({procedure, context, first}));
  }
  assert(copy_keys_.size() == result_.copies_.size());
  return CopyId{interned.number};
}

void PointsToSolver::drain() {
  while (!fresh_.empty()) {
    const CopyId next = fresh_.back();
    fresh_.pop_back();
    instantiate(next);
  }
}

void PointsToSolver::instantiate(CopyId id) {
  const ProcedureCopy row = result_.copies_[id];
  const Procedure& procedure = universe_.procedure(row.procedure);
  Propagation& graph = *result_.graph_;
  for (std::uint32_t number = 0; number < procedure.statements.size(); ++number) {
    const Subscriber self{id, number};
    const Statement& statement = procedure.statements[number];
    if (const auto* add = std::get_if<AddObject>(&statement)) {
      graph.add_object(node(id, add->to), add->object);
    } else if (const auto* allocate = std::get_if<Allocate>(&statement)) {
      const ObjectId object = universe_.allocation(allocate->site, universe_.heap_context(allocate->site, row.context));
      note_maker(object, id);
      graph.add_object(node(id, allocate->to), object);
    } else if (const auto* copied = std::get_if<CopyLocal>(&statement)) {
      graph.add_edge(node(id, copied->from), node(id, copied->to), copied->filter);
    } else if (const auto* load = std::get_if<LoadField>(&statement)) {
      graph.subscribe(node(id, load->base), self);
    } else if (const auto* store = std::get_if<StoreField>(&statement)) {
      graph.subscribe(node(id, store->base), self);
    } else if (const auto* get = std::get_if<LoadStatic>(&statement)) {
      graph.add_edge(static_node(get->field), node(id, get->to), {});
    } else if (const auto* put = std::get_if<StoreStatic>(&statement)) {
      graph.add_edge(node(id, put->from), static_node(put->field), {});
    } else if (const auto* made = std::get_if<MakeCall>(&statement)) {
      const Call& call = procedure.calls[made->call];
      if (call.kind != jvm::InvokeKind::Static) {
        graph.subscribe(node(id, call.arguments.front().value()), self);
      } else if (const auto target = universe_.target(row.procedure, made->call, {})) {
        invoke(id, made->call, *target, {});
      }
    } else if (const auto* back = std::get_if<CallBack>(&statement)) {
      graph.subscribe(node(id, back->given), self);
    } else if (const auto* init = std::get_if<InitialiseClass>(&statement)) {
      initialise(init->type);
    } else {
      const auto& reflection = std::get<Reflect>(statement);
      graph.subscribe(node(id, reflection.subject), self);
      if (reflection.name) graph.subscribe(node(id, *reflection.name), self);
      if (reflection.receiver) graph.subscribe(node(id, *reflection.receiver), self);
    }
  }
}

void PointsToSolver::notify(Subscriber subscriber, const ObjectSet& news) {
  const CopyId id = subscriber.copy;
  const ProcedureId procedure_id = result_.copies_[id].procedure;
  const Statement& statement = universe_.procedure(procedure_id).statements[subscriber.statement];
  Propagation& graph = *result_.graph_;
  if (const auto* load = std::get_if<LoadField>(&statement)) {
    news.for_each([&](ObjectId object) { graph.add_edge(field_node(object, load->field), node(id, load->to), {}); });
  } else if (const auto* store = std::get_if<StoreField>(&statement)) {
    news.for_each(
        [&](ObjectId object) { graph.add_edge(node(id, store->from), field_node(object, store->field), {}); });
  } else if (const auto* made = std::get_if<MakeCall>(&statement)) {
    news.for_each([&](ObjectId object) {
      if (const auto target = universe_.target(procedure_id, made->call, object))
        invoke(id, made->call, *target, object);
    });
  } else if (const auto* back = std::get_if<CallBack>(&statement)) {
    news.for_each([&](ObjectId object) {
      for (ProcedureId target : universe_.overriding(object)) invoke(id, back->call, target, object);
    });
  } else {
    reflect_again(id, std::get<Reflect>(statement));
  }
}

void PointsToSolver::invoke(CopyId caller, CallId call_id, ProcedureId target, std::optional<ObjectId> receiver) {
  const ProcedureCopy from = result_.copies_[caller];
  const Procedure& procedure = universe_.procedure(target);
  const auto dispatched = procedure.is_static ? std::nullopt : receiver;
  const CopyId callee =
      copy(target, universe_.callee_context(target, from.procedure, call_id, from.context, dispatched));
  if (dispatched) result_.graph_->add_object(node(callee, procedure.parameters.front().value()), *dispatched);
  const std::array<std::uint32_t, 3> key = {bits(caller), bits(call_id), bits(callee)};
  if (!edge_keys_.intern(key).is_new) return;
  const Call& call = universe_.procedure(from.procedure).calls[call_id];
  connect_arguments(caller, call, callee);
  if (call.flavor == CallFlavor::Spawn) return;
  Propagation& graph = *result_.graph_;
  if (call.result && procedure.result) graph.add_edge(node(callee, *procedure.result), node(caller, *call.result), {});
  graph.add_edge(node(callee, procedure.thrown), node(caller, call.raised), {});
}

void PointsToSolver::connect_arguments(CopyId caller, const Call& call, CopyId callee) {
  const Procedure& procedure = result_.procedure(callee);
  Propagation& graph = *result_.graph_;
  const std::size_t receivers = procedure.is_static ? 0 : 1;
  if (!call.spread) {
    // The receiver came with its own object.
    for (std::size_t i = receivers; i < procedure.parameters.size() && i < call.arguments.size(); ++i)
      if (procedure.parameters[i] && call.arguments[i])
        graph.add_edge(node(caller, *call.arguments[i]), node(callee, *procedure.parameters[i]), {});
    return;
  }
  const auto type = jvm::parse_method_descriptor(procedure.descriptor);
  assert(type);
  for (std::size_t i = 0; i < type->parameters.size(); ++i) {
    const auto name = type->parameters[i].class_name();
    const auto& parameter = procedure.parameters[i + receivers];
    if (!name || !parameter) continue;
    const jvm::ClassId wanted = universe_.hierarchy().load(*name);
    const FilterId filter = universe_.filter({.wanted = wanted, .not_wanted = {}, .is_cast = true});
    graph.add_edge(node(caller, *call.spread), node(callee, *parameter), filter);
    if (call.unknown_too && !universe_.has_bodies(wanted))
      graph.add_object(node(callee, *parameter), universe_.unknown(wanted));
  }
}

// The machine initialises the superclass first, and interfaces with a body that might run.
void PointsToSolver::initialise(jvm::ClassId type) {
  if (!initialised_.insert(type).second || !universe_.has_bodies(type)) return;
  if (const auto super = universe_.hierarchy().superclass(type)) initialise(*super);
  for (jvm::ClassId interface : universe_.hierarchy().superinterfaces(type)) {
    const auto methods = universe_.hierarchy().methods(interface);
    const bool has_body = std::any_of(methods.begin(), methods.end(), [&](jvm::MethodId method) {
      const jvm::Access access = universe_.hierarchy().member(method).access;
      return !access.is_abstract() && !access.is_static();
    });
    if (has_body) initialise(interface);
  }
  if (const auto procedure = universe_.class_initialiser(type))
    result_.initialisers_.emplace(type, copy(*procedure, ContextTable::empty()));
}

void PointsToSolver::reflect_again(CopyId id, const Reflect& statement) {
  Propagation& graph = *result_.graph_;
  const ProcedureCopy row = result_.copies_[id];
  const auto names = statement.name ? graph.objects(node(id, *statement.name)).list() : std::vector<ObjectId>{};
  const auto receivers =
      statement.receiver ? graph.objects(node(id, *statement.receiver)).list() : std::vector<ObjectId>{};
  for (ObjectId subject : graph.objects(node(id, statement.subject)).list()) {
    const Reflected found = reflect(universe_, row.procedure, statement, row.context, subject, names, receivers);
    if (!found.gap.empty()) gaps_.emplace(id, found.gap);
    if (found.initialised) initialise(*found.initialised);
    if (found.made) note_maker(*found.made, id);
    for (ObjectId object : found.results) graph.add_object(node(id, statement.result), object);
    for (ProcedureId method : found.methods) {
      if (universe_.procedure(method).is_static)
        invoke(id, statement.call.value(), method, {});
      else
        for (ObjectId receiver : found.receivers) invoke(id, statement.call.value(), method, receiver);
    }
  }
}

void PointsToSolver::note_maker(ObjectId object, CopyId copy) {
  auto& makers = result_.makers_[bits(object)];
  const auto at = std::ranges::lower_bound(makers, copy);
  if (at == makers.end() || *at != copy) makers.insert(at, copy);
}

NodeId PointsToSolver::field_node(ObjectId object, FieldKey field) {
  const std::uint64_t key = static_cast<std::uint64_t>(object.index()) << 32U | field.index();
  if (const auto known = result_.field_nodes_.find(key); known != result_.field_nodes_.end()) return known->second;
  const NodeId node = result_.graph_->add_nodes(1);
  result_.field_nodes_.emplace(key, node);
  result_.object_fields_.emplace_back(object, field);
  if (const auto initial = initial_value(universe_, object, field)) result_.graph_->add_object(node, *initial);
  return node;
}

NodeId PointsToSolver::static_node(FieldKey field) {
  if (const auto known = result_.static_nodes_.find(bits(field)); known != result_.static_nodes_.end())
    return known->second;
  const NodeId node = result_.graph_->add_nodes(1);
  result_.static_nodes_.emplace(bits(field), node);
  if (const auto& initial = universe_.fields()[field].initial) result_.graph_->add_object(node, *initial);
  return node;
}

// Those of the code that is reached, and those of reflection: they are where the method of the library is called. The
// universe may know more: an analysis without contexts has reached more.
void PointsToSolver::list_gaps() {
  std::vector<bool> reached(universe_.procedures().size());
  for (const ProcedureCopy& row : result_.copies_) reached[row.procedure.index()] = true;
  std::set<std::string> places;
  for (std::size_t i = 0; i < reached.size(); ++i)
    if (reached[i]) places.insert(universe_.name(universe_.procedure(ProcedureId{i})));
  for (const Gap& gap : universe_.gaps())
    if (places.contains(gap.place) || places.contains(gap.place.substr(0, gap.place.rfind(", "))))
      result_.gaps_.push_back(gap);
  std::set<Gap> reflection;
  for (const auto& [copy, text] : gaps_)
    for (const CallEdge& edge : result_.callers(copy)) {
      const Procedure& caller = result_.procedure(edge.caller);
      reflection.insert(
          {GapKind::Reflection, universe_.place(caller, caller.calls[edge.call].instruction), std::string{text}});
    }
  result_.gaps_.insert(result_.gaps_.end(), reflection.begin(), reflection.end());
}

}  // namespace lockwood::java
