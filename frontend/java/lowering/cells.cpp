#include "frontend/java/lowering/cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/java/pointsto/object_text.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

template <class What>
void add_once(std::vector<What>& list, What what) {
  if (std::ranges::find(list, what) == list.end()) list.push_back(what);
}

// An index that is a constant of the code.
std::optional<std::int32_t> constant_index(const jvm::MethodBody& body, jvm::Register index) {
  const auto* constant = std::get_if<jvm::Constant>(&body.instructions[body.registers[index].definition].operation);
  if (constant == nullptr) return std::nullopt;
  const auto* value = std::get_if<std::int32_t>(&constant->value);
  return value == nullptr ? std::nullopt : std::optional{*value};
}

std::string class_text(const Universe& universe, jvm::ClassId type) {
  return jvm::java_class_name(std::string{universe.hierarchy().name(type)});
}

}  // namespace

Cells::Cells(const Facts& facts, program::Program& program, const JavaLoweringOptions& options)
    : facts_{facts}, flow_{facts.flow}, program_{program}, options_{options} {
  find_mixed_arrays();
}

void Cells::find_mixed_arrays() {
  const auto mix = [&](const ObjectSet& arrays) {
    arrays.for_each([&](ObjectId array) { mixed_arrays_.insert(array); });
  };
  for (CopyId copy : flow_.copies().keys()) {
    const Procedure& procedure = flow_.procedure(copy);
    for (const ModelEvent& event : procedure.events) {
      const auto* access = std::get_if<library::StateAccess>(&event.effect->kind);
      if (access != nullptr && event.object && access->state == flow_.universe().models().array_elements())
        mix(flow_.objects(copy, *event.object));
    }
    if (!procedure.code) continue;
    const jvm::MethodBody& body = procedure.code->body;
    for (const jvm::Instruction& instruction : body.instructions) {
      if (!std::holds_alternative<jvm::ArrayLoad>(instruction.operation) &&
          !std::holds_alternative<jvm::ArrayStore>(instruction.operation))
        continue;
      const auto operands = body.operands_of(instruction);
      if (!constant_index(body, operands[1])) mix(flow_.objects(copy, operands[0]));
    }
  }
}

bool Cells::may_be_isolated(const ObjectSet& objects) const {
  bool found = false;
  objects.for_each([&](ObjectId object) { found = found || !is_unique(object); });
  return found;
}

program::Variable Cells::variable(const Key& key, const std::string& shown, bool is_volatile, bool one_place) {
  const auto known = variables_.find(key);
  if (known != variables_.end()) return known->second;
  const std::uint32_t count = ++names_[shown];
  program::VariableInfo info{.name = count == 1 ? shown : fmt::format("{}#{}", shown, count),
                             .initial = 0,
                             .range = {},
                             .shown = shown,
                             .races = !is_volatile,
                             .one_place = one_place};
  const program::Variable made = program_.variables.push_back(std::move(info));
  variables_.emplace(key, made);
  return made;
}

Targets<program::Variable> Cells::fields(const ObjectSet& objects, FieldKey field, std::optional<std::int32_t> index) {
  Universe& universe = flow_.universe();
  const Field& info = universe.fields()[field];
  const bool is_element = field == universe.elements();
  Targets<program::Variable> targets;
  objects.for_each([&](ObjectId object) {
    if (options_.accesses == ModelledAccesses::Racing && facts_.thread_local_objects[object]) {
      targets.none = true;
      return;
    }
    const AbstractObject& row = universe.objects()[object];
    const bool indexed = is_element && index && has_constant_indices(object);
    const std::string shown = is_element && indexed ? fmt::format("{}[{}]", class_text(universe, row.type), *index)
                              : is_element          ? "elements of " + class_text(universe, row.type)
                              : info.declaration    ? field_text(universe, field)
                                                 : fmt::format("{} of {}", info.name, class_text(universe, row.type));
    const std::int64_t number = indexed ? *index : -1;
    // The state of an object of the library is many places.
    const bool one_place = is_element ? indexed : info.declaration.has_value();
    if (is_unique(object)) {
      add_once(targets.unique, variable({static_cast<std::uint32_t>(object.index() + 1),
                                         static_cast<std::uint32_t>(field.index()), number},
                                        shown, info.is_volatile, one_place));
    } else {
      // Elements of the isolated array are one cell: which array it is does not tell its indices.
      targets.isolated = variable({0, static_cast<std::uint32_t>(field.index()), -1}, shown, info.is_volatile,
                                  options_.isolation && !is_element && info.declaration);
    }
  });
  return targets;
}

program::Variable Cells::static_field(FieldKey field) {
  const Field& info = flow_.universe().fields()[field];
  return variable({0, static_cast<std::uint32_t>(field.index()), -2}, field_text(flow_.universe(), field),
                  info.is_volatile, true);
}

program::Lock Cells::lock(std::map<LockKey, program::Lock>& locks, const LockKey& key, const std::string& name) {
  const auto known = locks.find(key);
  if (known != locks.end()) return known->second;
  const std::uint32_t count = ++names_["lock " + name];
  const program::Lock made = program_.locks.push_back({count == 1 ? name : fmt::format("{}#{}", name, count), {}});
  locks.emplace(key, made);
  return made;
}

// By the field that holds it, if that holds nothing else; else by what it is.
std::string Cells::lock_name(ObjectId object) const {
  const Universe& universe = flow_.universe();
  for (FieldKey field : universe.fields().keys()) {
    if (!universe.fields()[field].is_static || !universe.fields()[field].declaration) continue;
    const ObjectSet& held = flow_.static_objects(field);
    if (held.is_single() && held.contains(object)) return field_text(universe, field);
  }
  for (const auto& [owner, field] : flow_.object_fields()) {
    if (!universe.fields()[field].declaration || !is_unique(owner)) continue;
    const ObjectSet& held = flow_.objects(owner, field);
    if (held.is_single() && held.contains(object)) return field_text(universe, field);
  }
  return object_text(universe, object);
}

program::Lock Cells::lock_of_many(std::map<LockKey, program::Lock>& locks, const LockKey& key,
                                  const std::string& name) {
  const program::Lock made = lock(locks, key, name);
  if (options_.purpose != Purpose::Deadlocks || program_.locks[made].kind) return made;
  const LockKey first{0, std::get<1>(key), std::get<2>(key)};
  const auto known = locks.find(first);
  const bool is_known = known != locks.end() && program_.locks[known->second].kind;
  program_.locks[made].kind = is_known ? program_.locks[known->second].kind : std::optional{kinds_++};
  return made;
}

program::Lock Cells::unique_lock(ObjectId object, LockKind kind) {
  const LockKey key{0, static_cast<std::uint32_t>(object.index()), kind};
  const auto known = unique_locks_.find(key);
  return known != unique_locks_.end() ? known->second : lock(unique_locks_, key, lock_name(object));
}

std::vector<program::Lock> Cells::isolated_locks(std::size_t number, const ObjectSet& objects, LockKind kind) {
  const std::string what = kind == LockKind::Monitor ? "the monitor" : "the lock";
  if (options_.purpose == Purpose::Accesses)
    return {lock(isolated_locks_, {number, 0, kind}, what + " of the accessed object")};
  std::vector<program::Lock> found;
  objects.for_each([&](ObjectId object) {
    found.push_back(lock_of_many(
        isolated_locks_, {number, static_cast<std::uint32_t>(object.index() + 1), kind},
        fmt::format("{} of {} {}", what, number == 0 ? "one" : "another", object_text(flow_.universe(), object))));
  });
  return found;
}

program::Lock Cells::final_field_lock(std::size_t number, FieldKey field, LockKind kind) {
  const std::string of = options_.purpose == Purpose::Accesses ? "the accessed object"
                         : number == 0                         ? "one object"
                                                               : "another";
  return lock_of_many(final_locks_, {number, static_cast<std::uint32_t>(field.index()), kind},
                      fmt::format("{} of {}", field_text(flow_.universe(), field), of));
}

program::Lock Cells::initialiser_lock(jvm::ClassId type) {
  return lock(initialiser_locks_, {0, static_cast<std::uint32_t>(type.index()), LockKind::Monitor},
              "initialiser of " + class_text(flow_.universe(), type));
}

}  // namespace lockwood::java
