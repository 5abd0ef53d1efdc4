#include "frontend/java/lowering/lock_table.hpp"

#include <algorithm>

namespace lockwood::java {
using namespace jvm;

LockTable::LockTable(const Facts& facts, Cells& cells, Purpose purpose)
    : facts_{facts}, flow_{facts.flow}, cells_{cells}, purpose_{purpose} {
  find_fields();
}

const LockRegions& LockTable::regions(ProcedureId procedure) {
  const auto known = regions_.find(procedure);
  return known != regions_.end() ? known->second
                                 : regions_.emplace(procedure, lock_regions(facts_, procedure)).first->second;
}

ObjectSet LockTable::locked_objects(CopyId copy, const LockRegion& region) const {
  if (region.locked.kind == LockKind::Monitor) return flow_.objects(copy, region.locked.value);
  ObjectSet objects;
  for (const CallEdge& called : flow_.callees_at(copy, region.enter))
    for (const ModelEvent& event : flow_.procedure(called.callee).events)
      if (std::holds_alternative<library::LockAcquire>(event.effect->kind) && event.object)
        objects.unite(flow_.objects(called.callee, *event.object));
  return objects;
}

std::optional<LockTable::FinalField> LockTable::final_field(ProcedureId id, const LockedValue& locked) const {
  if (locked.is_owner) return std::nullopt;
  const Procedure& procedure = flow_.universe().procedure(id);
  const MethodBody& body = procedure.code->body;
  const Instruction& definition = body.instructions[body.registers[locked.value].definition];
  const auto* get = std::get_if<GetField>(&definition.operation);
  if (get == nullptr) return std::nullopt;
  const auto& constants = flow_.universe().hierarchy().file(procedure.owner)->constants;
  const FieldKey field = flow_.universe().field(constants.member(get->field));
  if (!facts_.final_fields.contains(field)) return std::nullopt;
  return FinalField{field, body.operands_of(definition).front()};
}

void LockTable::find_fields() {
  const auto only_shared = [&](const ObjectSet& objects) {
    ObjectSet kept;
    objects.for_each([&](ObjectId object) {
      if (!cells_.is_unique(object)) kept.insert(object);
    });
    return kept;
  };
  for (ProcedureId id : facts_.calls.reached) {
    const Procedure& procedure = flow_.universe().procedure(id);
    if (!procedure.code) {
      for (CopyId copy : facts_.calls.copies_of(id)) {
        for (const ModelEvent& event : procedure.events)
          if (std::holds_alternative<library::SynchronizedBlock>(event.effect->kind) && event.object)
            others_.unite(only_shared(flow_.objects(copy, *event.object)));
        const auto* origin = std::get_if<ModelOrigin>(&procedure.origin);
        if (origin != nullptr && origin->model->is_synchronized && !procedure.is_static)
          others_.unite(only_shared(flow_.objects(copy, *procedure.parameters.front())));
      }
      continue;
    }
    const LockRegions& found = regions(id);
    for (CopyId copy : facts_.calls.copies_of(id)) {
      if (procedure.code->body.synchronized && !procedure.is_static)
        others_.unite(only_shared(flow_.objects(copy, *procedure.parameters.front())));
      for (const LockRegion& region : found.regions) {
        const auto loaded = final_field(id, region.locked);
        ObjectSet& objects = loaded ? by_field_[{loaded->field, region.locked.kind}] : others_;
        objects.unite(only_shared(locked_objects(copy, region)));
      }
    }
  }
}

// For races any name will do. A deadlock must not be missed since a lock has two names: nobody else may lock what is in
// the field.
bool LockTable::is_named_by_field(FieldKey field, LockKind kind) const {
  const auto own = by_field_.find({field, kind});
  if (own == by_field_.end()) return false;
  if (purpose_ == Purpose::Accesses) return true;
  if (own->second.intersects(others_)) return false;
  return std::ranges::none_of(
      by_field_, [&](const auto& other) { return other.first != own->first && other.second.intersects(own->second); });
}

std::vector<program::LockChoice> LockTable::choices(const LockedObjects& locked) {
  std::vector<program::LockChoice> found;
  ObjectSet shared;
  std::vector<program::Lock> unique;
  locked.objects.for_each([&](ObjectId object) {
    if (cells_.is_unique(object))
      unique.push_back(cells_.unique_lock(object, locked.kind));
    else
      shared.insert(object);
  });
  const bool by_field = locked.field && is_named_by_field(*locked.field, locked.kind);
  const IsolatedFlags& flags = by_field ? locked.base : locked.isolated;
  std::vector<std::pair<program::Local, bool>> otherwise;  // no isolated object
  const bool may_be = !shared.empty() && !flags.never() && (flags.known || purpose_ == Purpose::Deadlocks);
  for (std::size_t i = 0; i < isolated_count(purpose_) && may_be; ++i) {
    // Where nobody knows, both flags may be set: then it is the first object, everywhere.
    program::LockChoice choice;
    choice.conditions = otherwise;
    if (flags.known) choice.conditions.emplace_back(flags.is[i], true);
    for (program::Lock lock : by_field ? std::vector{cells_.final_field_lock(i, *locked.field, locked.kind)}
                                       : cells_.isolated_locks(i, shared, locked.kind)) {
      choice.lock = lock;
      found.push_back(choice);
    }
    if (flags.known) otherwise.emplace_back(flags.is[i], false);
  }
  // What is in a field of the isolated object may be unique.
  for (program::Lock lock : unique)
    found.push_back({lock, by_field ? std::vector<std::pair<program::Local, bool>>{} : otherwise});
  if (!shared.empty() || locked.objects.empty()) found.push_back({std::nullopt, otherwise});
  return found;
}

std::vector<program::Lock> LockTable::names(const ObjectSet& objects, LockKind kind) {
  std::vector<program::Lock> found;
  ObjectSet shared;
  objects.for_each([&](ObjectId object) {
    if (cells_.is_unique(object))
      found.push_back(cells_.unique_lock(object, kind));
    else
      shared.insert(object);
  });
  if (shared.empty()) return found;
  for (std::size_t i = 0; i < isolated_count(purpose_); ++i) {
    std::ranges::copy(cells_.isolated_locks(i, shared, kind), std::back_inserter(found));
    for (const auto& [field, held] : by_field_)
      if (field.second == kind && held.intersects(shared) && is_named_by_field(field.first, kind))
        found.push_back(cells_.final_field_lock(i, field.first, kind));
  }
  return found;
}

}  // namespace lockwood::java
