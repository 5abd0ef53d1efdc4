#include "frontend/java/pointsto/universe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "frontend/java/inventory.hpp"
#include "frontend/java/pointsto/statements.hpp"
#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/classfile/modified_utf8.hpp"
#include "jvm/hierarchy/resolution.hpp"

namespace lockwood::java {
namespace {

using namespace jvm;

constexpr auto task_types =
    std::to_array<std::string_view>({"java/lang/Thread", "java/lang/Runnable", "java/util/concurrent/Callable"});

// Threads that start threads that start threads would have longer and longer contexts.
constexpr std::size_t max_task_context = 6;

std::string without_package(std::string_view class_name) {
  std::string name = java_class_name(class_name);
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

}  // namespace

bool fits_class_pattern(const std::string& pattern, const std::string& class_name) {
  if (!pattern.ends_with('*')) return pattern == class_name;
  return class_name.starts_with(pattern.substr(0, pattern.size() - 1));
}

Universe::Universe(JavaProgram& program, const library::Library& models, PointsToOptions options)
    : program_{program}, models_{models}, options_{std::move(options)}, hierarchy_{*program.classes} {
  elements_ = named_field("[]");
}

// ---- classes

bool Universe::has_bodies(ClassId id) {
  if (has_bodies_.size() <= id.index()) has_bodies_.resize(hierarchy_.classes().size(), -1);
  if (has_bodies_[id] >= 0) return has_bodies_[id] == 1;
  const auto wanted = [&] {
    const std::string_view name = hierarchy_.name(id);
    if (hierarchy_.file(id) == nullptr) return false;
    if (!options_.jdk_bodies.empty()) {
      const std::string shown = java_class_name(name);
      if (std::ranges::any_of(options_.jdk_bodies,
                              [&](const std::string& pattern) { return fits_class_pattern(pattern, shown); }))
        return true;
    }
    return !is_jdk_class(name) && !models_.find(name);
  }();
  has_bodies_[id] = wanted ? 1 : 0;
  return wanted;
}

bool Universe::is_application(ClassId id) {
  if (!has_bodies(id) || is_jdk_class(hierarchy_.name(id))) return false;
  if (options_.library_code.empty()) return true;
  const std::string shown = java_class_name(hierarchy_.name(id));
  return std::ranges::none_of(options_.library_code,
                              [&](const std::string& pattern) { return fits_class_pattern(pattern, shown); });
}

bool Universe::is_subtype(ClassId sub, ClassId super) {
  if (hierarchy_.is_subtype(sub, super)) return true;
  if (program_.jdk && !hierarchy_.has_absent_supertype(sub)) return false;
  // Without a JDK the classes of the library are absent, and the models know their supertypes.
  const auto key = std::pair{sub, super};
  if (const auto known = subtype_of_model_.find(key); known != subtype_of_model_.end()) return known->second;
  const auto wanted = models_.find(hierarchy_.name(super));
  bool result = false;
  const auto consider = [&](ClassId type) {
    const auto model = wanted ? models_.find(hierarchy_.name(type)) : std::nullopt;
    if (!model) return;
    const auto order = models_.lookup_order(*model);
    result = result || std::ranges::find(order, *wanted) != order.end();
  };
  for (std::optional<ClassId> id = sub; id; id = hierarchy_.superclass(*id)) consider(*id);
  for (ClassId interface : hierarchy_.superinterfaces(sub)) consider(interface);
  subtype_of_model_.emplace(key, result);
  return result;
}

ClassId Universe::array_of(ClassId component) {
  const std::string_view name = hierarchy_.name(component);
  return hierarchy_.load(name.starts_with('[') ? "[" + std::string{name} : "[L" + std::string{name} + ";");
}

bool Universe::is_task(ClassId id) {
  if (is_task_.size() <= id.index()) is_task_.resize(hierarchy_.classes().size(), -1);
  if (is_task_[id] >= 0) return is_task_[id] == 1;
  bool result = false;
  for (std::string_view name : task_types) result = result || is_subtype(id, hierarchy_.load(name));
  if (is_task_.size() <= id.index()) is_task_.resize(hierarchy_.classes().size(), -1);
  is_task_[id] = result ? 1 : 0;
  return result;
}

// ---- objects

ObjectId Universe::add_object(AbstractObject object, std::string key) {
  const std::size_t before = object_keys_.size();
  const ObjectId at = object_keys_.intern(key);
  // Keys of objects without a site are numbered by themselves, and the row tells which object it is.
  if (at.index() < before) return keyed_objects_[at.index()];
  keyed_objects_.push_back(objects_.push_back(std::move(object)));
  return keyed_objects_.back();
}

ObjectId Universe::string_constant(std::string_view text) {
  const ClassId type = hierarchy_.load("java/lang/String");
  return add_object({.kind = ObjectKind::StringConstant, .type = type, .about = type, .text = std::string{text}},
                    "s" + std::string{text});
}

ObjectId Universe::class_object(ClassId id) {
  return add_object(
      {.kind = ObjectKind::ClassObject, .type = hierarchy_.load("java/lang/Class"), .about = id, .text = {}},
      "c" + std::string{hierarchy_.name(id)});
}

ObjectId Universe::unknown(ClassId type) {
  return add_object({.kind = ObjectKind::Unknown, .type = type, .about = type, .text = {}},
                    "u" + std::string{hierarchy_.name(type)});
}

ObjectId Universe::implicit(ImplicitThrow kind) {
  const std::string_view name = implicit_classes[static_cast<std::size_t>(kind)];
  const ClassId type = hierarchy_.load(name);
  hierarchy_.assume_throwable(type);
  return add_object({.kind = ObjectKind::Implicit, .type = type, .about = type, .text = {}}, "i" + std::string{name});
}

ObjectId Universe::reflected_method(ClassId type, std::string_view name) {
  return add_object({.kind = ObjectKind::Method,
                     .type = hierarchy_.load("java/lang/reflect/Method"),
                     .about = type,
                     .text = std::string{name}},
                    fmt::format("m{} {}", hierarchy_.name(type), name));
}

ObjectId Universe::reflected_constructor(ClassId type) {
  return add_object({.kind = ObjectKind::Constructor,
                     .type = hierarchy_.load("java/lang/reflect/Constructor"),
                     .about = type,
                     .text = {}},
                    "k" + std::string{hierarchy_.name(type)});
}

ObjectId Universe::library_constant(std::string_view field, ClassId type) {
  return add_object({.kind = ObjectKind::Constant, .type = type, .about = type, .text = std::string{field}},
                    "l" + std::string{field});
}

ObjectId Universe::allocation(SiteId site, ContextId heap) {
  const std::array<std::uint32_t, 2> key = {static_cast<std::uint32_t>(site.index()),
                                            static_cast<std::uint32_t>(heap.index())};
  const auto interned = allocations_.intern(key);
  if (interned.is_new) {
    const ClassId type = sites_[site].type;
    allocation_objects_.push_back(objects_.push_back(
        {.kind = ObjectKind::Allocation, .type = type, .about = type, .site = site, .heap = heap, .text = {}}));
  }
  assert(allocation_objects_.size() == allocations_.size());
  return allocation_objects_[interned.number];
}

SiteId Universe::new_site(AllocationSite site) { return sites_.push_back(site); }

SiteId Universe::reflection_site(ProcedureId procedure, ClassId type) {
  const auto key = std::pair{procedure, type};
  if (const auto known = reflection_sites_.find(key); known != reflection_sites_.end()) return known->second;
  const SiteId site = new_site({.procedure = procedure, .instruction = {}, .ordinal = 0, .type = type, .lambda = {}});
  reflection_sites_.emplace(key, site);
  return site;
}

// ---- fields

FieldKey Universe::field(ClassId user, ConstantIndex constant) {
  const std::uint64_t key = static_cast<std::uint64_t>(user.index()) << 32U | constant.index();
  if (const auto known = field_constants_.find(key); known != field_constants_.end()) return known->second;
  const FieldKey found = field(hierarchy_.file(user)->constants.member(constant));
  field_constants_.emplace(key, found);
  return found;
}

FieldKey Universe::field(const MemberRef& ref) {
  const ClassId named = hierarchy_.load(ref.owner);
  const auto resolved = resolve_field(hierarchy_, named, ref.name, ref.descriptor);
  const auto* declaration = std::get_if<FieldId>(&resolved);
  const ClassId owner = declaration != nullptr ? hierarchy_.owner(*declaration) : named;
  // A field that the model of its class declares, such as `out` of a FilterOutputStream: the same for code and models.
  if (const auto model = models_.find(hierarchy_.name(owner)); model && !has_bodies(owner)) {
    const auto known = models_.find_field(ref.name);
    if (known && std::ranges::any_of(models_[*model].fields, [&](const auto& typed) { return typed.field == *known; }))
      return named_field(ref.name);
  }
  const std::string key = fmt::format("{}.{}:{}", hierarchy_.name(owner), ref.name, ref.descriptor);
  if (const auto known = field_keys_.find(key); known != field_keys_.end()) return known->second;
  Field row{.declaration = declaration != nullptr ? std::optional{*declaration} : std::nullopt,
            .owner = owner,
            .name = utf8_of(ref.name),
            .initial = {}};
  if (declaration != nullptr) {
    const Member& member = hierarchy_.member(*declaration);
    row.is_static = member.access.is_static();
    row.is_volatile = member.access.is_volatile();
    row.is_final = member.access.is_final();
    const ClassFile& file = *hierarchy_.file(owner);
    if (const auto value = constant_value(file, member); value && file.constants.tag(*value) == ConstantTag::String)
      row.initial = string_constant(file.constants.string(*value));
  }
  const auto type = parse_field_descriptor(ref.descriptor);
  if (!has_bodies(owner) && type && type->class_name()) {
    // A field of the library: what is in it, only the models know.
    const auto model = models_.find(hierarchy_.name(owner));
    if (model)
      for (const library::ConstantField& constant : models_[*model].constants)
        if (constant.name == ref.name && constant.type.is_reference())
          row.initial = library_constant(fmt::format("{}.{}", java_class_name(hierarchy_.name(owner)), ref.name),
                                         hierarchy_.load(constant.type.internal_name()));
    if (!row.initial) row.initial = unknown(hierarchy_.load(*type->class_name()));
  }
  const FieldKey id = fields_.push_back(std::move(row));
  field_keys_.emplace(key, id);
  return id;
}

FieldKey Universe::named_field(std::string_view name) {
  const std::string key{name};
  if (const auto known = field_keys_.find(key); known != field_keys_.end()) return known->second;
  const FieldKey id =
      fields_.push_back({.declaration = {}, .owner = hierarchy_.load("java/lang/Object"), .name = key, .initial = {}});
  field_keys_.emplace(key, id);
  return id;
}

FieldKey Universe::static_model_field(std::string_view owner, std::string_view name) {
  const std::string key = fmt::format("{}::{}", owner, name);
  if (const auto known = field_keys_.find(key); known != field_keys_.end()) return known->second;
  const FieldKey id = fields_.push_back({.declaration = {},
                                         .owner = hierarchy_.load(owner),
                                         .name = std::string{name},
                                         .is_static = true,
                                         .initial = {}});
  field_keys_.emplace(key, id);
  return id;
}

// ---- filters

FilterId Universe::filter(const TypeFilter& filter) {
  std::vector<std::uint32_t> key{filter.is_cast ? 1U : 0U,
                                 filter.wanted ? static_cast<std::uint32_t>(filter.wanted->index() + 1) : 0U};
  for (ClassId type : filter.not_wanted) key.push_back(static_cast<std::uint32_t>(type.index()));
  const auto interned = filter_keys_.intern(key);
  if (interned.is_new) filters_.push_back(filter);
  assert(filters_.size() == filter_keys_.size());
  return FilterId{interned.number};
}

std::optional<ObjectId> Universe::passed(FilterId id, ObjectId object) {
  const TypeFilter& filter = filters_[id];
  const AbstractObject& row = objects_[object];
  for (ClassId type : filter.not_wanted)
    if (is_subtype(row.type, type)) return std::nullopt;
  if (!filter.wanted || is_subtype(row.type, *filter.wanted)) return object;
  const ClassId wanted = *filter.wanted;
  if (row.kind == ObjectKind::Allocation && sites_[row.site].lambda) {
    const DynamicCall& call = procedure(sites_[row.site].procedure).code->body.dynamic_calls[*sites_[row.site].lambda];
    for (std::string_view marker : std::get<LambdaCall>(call.effect).markers)
      if (is_subtype(hierarchy_.load(marker), wanted)) return object;
  }
  if (row.kind != ObjectKind::Unknown || has_bodies(wanted)) return std::nullopt;
  const bool may_fit = is_subtype(wanted, row.type) ||
                       (filter.is_cast && (hierarchy_.is_interface(wanted) || hierarchy_.is_interface(row.type)));
  if (!may_fit) return std::nullopt;
  return filter.is_cast ? unknown(wanted) : object;
}

// ---- contexts

ContextId Universe::callee_context(ProcedureId callee, ProcedureId caller, CallId call, ContextId context,
                                   std::optional<ObjectId> receiver) {
  if (is_insensitive(callee)) return ContextTable::empty();
  if (receiver) {
    const AbstractObject& object = objects_[*receiver];
    if (object.kind != ObjectKind::Allocation) return ContextTable::empty();
    return contexts_.extended(ContextElement::allocation(object.site), object.heap, max_task_context + 2);
  }
  const Procedure& from = procedure(caller);
  if (from.calls[call].same_context) return context;
  const auto number = static_cast<std::uint32_t>(from.first_call + call.index());
  return contexts_.extended(ContextElement::call(number), context, 2);
}

ContextId Universe::heap_context(SiteId site, ContextId context) {
  const AllocationSite& row = sites_[site];
  if (is_insensitive(row.procedure)) return ContextTable::empty();
  // Exceptions are told apart by where they are made, which is enough.
  if (is_subtype(row.type, hierarchy_.load("java/lang/Throwable"))) return ContextTable::empty();
  if (is_task(row.type)) {
    const auto elements = contexts_.elements(context);
    const std::uint32_t self = ContextElement::allocation(site).bits();
    if (elements.size() <= max_task_context && std::ranges::find(elements, self) == elements.end()) return context;
  }
  return contexts_.prefix(context, 1);
}

// ---- notes

void Universe::add_gap(Gap gap) {
  if (known_gaps_.insert(gap).second) gaps_.push_back(std::move(gap));
}

std::string Universe::place(const Procedure& procedure, std::optional<InstructionId> instruction) const {
  std::string text = name(procedure);
  if (!instruction || !procedure.code) return text;
  const auto line = procedure.code->body.instructions[*instruction].line;
  if (!line) return text;
  const ClassFile* file = hierarchy_.file(procedure.owner);
  const std::string source{file == nullptr ? std::string_view{} : source_file(*file).value_or("")};
  return fmt::format("{}, {}:{}", text, source.empty() ? "line" : source, *line);
}

std::string Universe::name(const Procedure& procedure) const {
  if (const auto* lambda = std::get_if<LambdaOrigin>(&procedure.origin)) {
    const AllocationSite& site = sites_[lambda->site];
    const Procedure& maker = this->procedure(site.procedure);
    const auto line = maker.code->body.instructions[site.instruction.value()].line;
    return fmt::format("{}.{} by the lambda in {}{}", without_package(hierarchy_.name(procedure.owner)),
                       utf8_of(procedure.name), name(maker), line ? fmt::format(":{}", *line) : "");
  }
  return fmt::format("{}.{}{}", java_class_name(hierarchy_.name(procedure.owner)), utf8_of(procedure.name),
                     java_parameters(procedure.descriptor));
}

std::pair<ProcedureId, CallId> Universe::call_at(std::uint32_t number) const {
  assert(number < call_count_);
  // The last procedure that begins at or before it; those without calls begin where the next one does.
  const auto after = std::ranges::upper_bound(procedures_, number, {}, &Procedure::first_call);
  const auto index = static_cast<std::size_t>(after - procedures_.begin()) - 1;
  return {ProcedureId{index}, CallId{number - procedures_[index].first_call}};
}

std::string_view Universe::keep(std::string text) { return *kept_.insert(std::move(text)).first; }

}  // namespace lockwood::java
