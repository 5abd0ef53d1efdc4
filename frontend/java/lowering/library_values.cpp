#include "frontend/java/lowering/library_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "frontend/java/lowering/carried_values.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

using program::Expression;
using program::Point;

// What a constructor was given, if the model does not tell where it is kept.
constexpr std::string_view kept_value = "value given";

// Objects of these classes never change: what they are made of is where their references are.
constexpr auto unchanging = std::to_array<std::string_view>(
    {"java/lang/String", "java/lang/Integer", "java/lang/Long", "java/lang/Boolean", "java/lang/Character",
     "java/lang/Double", "java/lang/Float", "java/lang/Byte", "java/lang/Short", "java/lang/Class",
     "java/math/BigInteger", "java/math/BigDecimal", "java/util/UUID"});

bool is_unchanging(const Universe& universe, ObjectId object) {
  const auto name = universe.hierarchy().name(universe.objects()[object].type);
  return std::ranges::find(unchanging, name) != unchanging.end();
}

// How many values the object of a lambda holds.
std::size_t captured_values(const Universe& universe, const LambdaOrigin& lambda) {
  const AllocationSite& site = universe.sites()[lambda.site];
  const jvm::DynamicCall& call = universe.procedure(site.procedure).code->body.dynamic_calls[site.lambda.value()];
  return jvm::parse_method_descriptor(call.descriptor).value().parameters.size();
}

ObjectSet changing(const Universe& universe, const ObjectSet& objects) {
  ObjectSet found;
  objects.for_each([&](ObjectId object) {
    if (!is_unchanging(universe, object)) found.insert(object);
  });
  return found;
}

// All fields that objects of the library hold something in, as models tell.
const std::map<ObjectId, std::set<FieldKey>>& library_fields(LoweringContext& context) {
  if (context.library_fields) return *context.library_fields;
  auto& fields = context.library_fields.emplace();
  Universe& universe = context.universe;
  const FieldKey value = universe.named_field(kept_value);
  for (const auto& [object, field] : context.flow.object_fields()) fields[object].insert(field);
  for (CopyId copy : context.flow.copies().keys()) {
    const Procedure& procedure = context.flow.procedure(copy);
    for (const ModelEvent& event : procedure.events) {
      const auto* access = std::get_if<library::StateAccess>(&event.effect->kind);
      if (access == nullptr || access->kind != library::StateAccess::Kind::Write || !event.object) continue;
      const FieldKey state = universe.named_field(universe.models().name(access->state));
      context.flow.objects(copy, *event.object).for_each([&](ObjectId object) { fields[object].insert(state); });
    }
    if (!procedure.code && procedure.name == "<init>" && procedure.parameters.front())
      context.flow.objects(copy, *procedure.parameters.front()).for_each([&](ObjectId object) {
        fields[object].insert(value);
      });
  }
  return fields;
}

}  // namespace

std::string capture_name(std::size_t number) { return fmt::format("capture {}", number); }

std::vector<program::Variable> contents_of(LoweringContext& context, const ObjectSet& objects) {
  constexpr std::size_t most = 64;  // objects: more are one heap of everything anyway
  const auto& fields = library_fields(context);
  std::set<program::Variable> found;
  std::set<ObjectId> seen;
  std::vector<ObjectId> worklist;
  const auto reach = [&](const ObjectSet& more) {
    more.for_each([&](ObjectId object) {
      const jvm::ClassId type = context.universe.objects()[object].type;
      const bool is_array = context.universe.hierarchy().name(type).starts_with('[');
      if (!is_array && context.universe.has_bodies(type)) return;
      if (is_unchanging(context.universe, object) || seen.size() >= most || !seen.insert(object).second) return;
      worklist.push_back(object);
    });
  };
  const auto look = [&](ObjectId object, FieldKey field) {
    ObjectSet one;
    one.insert(object);
    const Targets<program::Variable> targets = context.cells.fields(one, field);
    found.insert(targets.unique.begin(), targets.unique.end());
    if (targets.isolated) found.insert(*targets.isolated);
    reach(context.flow.objects(object, field));
  };
  reach(objects);
  while (!worklist.empty()) {
    const ObjectId object = worklist.back();
    worklist.pop_back();
    const jvm::ClassId type = context.universe.objects()[object].type;
    if (context.universe.hierarchy().name(type).starts_with('[')) look(object, context.universe.elements());
    if (const auto at = fields.find(object); at != fields.end())
      for (FieldKey field : at->second) look(object, field);
  }
  return {found.begin(), found.end()};
}

LibraryValues::LibraryValues(LoweringContext& context, Graph& graph, CopyId copy, std::vector<Expression> passed)
    : context_{context},
      graph_{graph},
      copy_{copy},
      procedure_{context.flow.procedure(copy)},
      passed_{std::move(passed)} {
  if (const auto* lambda = std::get_if<LambdaOrigin>(&procedure_.origin))
    for (std::size_t i = 0; i < captured_values(context.universe, *lambda); ++i)
      captured_.push_back(graph.new_local("", program::Type::Int));
}

program::Local LibraryValues::mixture() {
  if (!mixture_) mixture_ = graph_.new_local("", program::Type::Int);
  return *mixture_;
}

program::Local LibraryValues::local(Local reference) {
  auto known = locals_.find(reference);
  if (known == locals_.end()) known = locals_.emplace(reference, graph_.new_local("", program::Type::Int)).first;
  return known->second;
}

Expression LibraryValues::value(std::optional<Local> reference) {
  return program::value_of(reference ? local(*reference) : mixture());
}

// Nothing is known of it, or of all its objects.
bool LibraryValues::is_opaque() const {
  return !std::holds_alternative<ModelOrigin>(procedure_.origin) &&
         !std::holds_alternative<LambdaOrigin>(procedure_.origin);
}

// The result is a number, or an object of which the model tells only the type.
bool LibraryValues::is_result_opaque() const {
  if (!procedure_.result || is_opaque()) return true;
  std::set<Local> unknown;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Statement& statement : procedure_.statements) {
      if (const auto* made = std::get_if<AddObject>(&statement)) changed |= unknown.insert(made->to).second;
      const auto* copy = std::get_if<CopyLocal>(&statement);
      if (copy != nullptr && unknown.contains(copy->from)) changed |= unknown.insert(copy->to).second;
    }
  }
  return unknown.contains(*procedure_.result);
}

Point LibraryValues::begin(Point next) {
  if (std::holds_alternative<LambdaOrigin>(procedure_.origin)) return begin_lambda(next);
  next = moves(next);
  if (is_opaque()) {
    for (const auto& parameter : procedure_.parameters)
      if (parameter)
        for (program::Variable variable : contents_of(context_, context_.flow.objects(copy_, *parameter)))
          next = graph_.choose({graph_.add(program::Read{variable, mixture(), next}), next});
  } else if (is_result_opaque() && !procedure_.is_static && !procedure_.parameters.empty() &&
             procedure_.parameters.front()) {
    const ObjectSet objects = changing(context_.universe, context_.flow.objects(copy_, *procedure_.parameters.front()));
    next = read_state(objects, context_.universe.named_field(kept_value), next);
  }
  for (std::size_t i = 0; i < procedure_.parameters.size() && i < passed_.size(); ++i)
    if (procedure_.parameters[i])
      next = graph_.add(program::Assign{local(*procedure_.parameters[i]), passed_[i], next, {}});
  return graph_.add(program::Assign{mixture(), carrying(program::constant(0), passed_), next, {}});
}

// What was captured is read from the object.
Point LibraryValues::begin_lambda(Point next) {
  const ObjectSet& objects = context_.flow.objects(copy_, procedure_.parameters.front().value());
  for (std::size_t i = 0; i < captured_.size(); ++i)
    next = read(context_.cells.fields(objects, context_.universe.named_field(capture_name(i))), captured_[i], next);
  return next;
}

Point LibraryValues::moves(Point next) {
  if (std::holds_alternative<LambdaOrigin>(procedure_.origin)) return next;
  const Point head = graph_.declare();
  std::vector<Point> ways{next};
  for (const Statement& statement : procedure_.statements) {
    const Point way = move(statement, head);
    if (way != head) ways.push_back(way);
  }
  graph_.define(head, graph_.choose(std::move(ways)));
  return head;
}

Point LibraryValues::move(const Statement& statement, Point next) {
  if (const auto* copy = std::get_if<CopyLocal>(&statement))
    return graph_.add(program::Assign{local(copy->to), value(copy->from), next, {}});
  if (const auto* load = std::get_if<LoadField>(&statement))
    return read(context_.cells.fields(context_.flow.objects(copy_, load->base), load->field), local(load->to), next);
  if (const auto* store = std::get_if<StoreField>(&statement))
    return write(context_.cells.fields(context_.flow.objects(copy_, store->base), store->field), value(store->from),
                 next);
  Targets<program::Variable> target;
  if (const auto* load = std::get_if<LoadStatic>(&statement)) {
    target.unique.push_back(context_.cells.static_field(load->field));
    return read(target, local(load->to), next);
  }
  if (const auto* store = std::get_if<StoreStatic>(&statement)) {
    target.unique.push_back(context_.cells.static_field(store->field));
    return write(target, value(store->from), next);
  }
  return next;
}

Point LibraryValues::read(const Targets<program::Variable>& targets, program::Local into, Point next) {
  return lower_access(context_, graph_, targets, false, graph_.location().statement, IsolatedFlags::unknown(), next,
                      {.target = into, .written = {}});
}

Point LibraryValues::write(const Targets<program::Variable>& targets, const Expression& value, Point next) {
  return lower_access(context_, graph_, targets, true, graph_.location().statement, IsolatedFlags::unknown(), next,
                      {.target = {}, .written = value});
}

Expression LibraryValues::argument(const Call& call, std::size_t number) {
  if (std::holds_alternative<LambdaOrigin>(procedure_.origin)) {
    // First what was captured, then the parameters of the method; of a constructor, the new object before all.
    if (call.name == "<init>" && number-- == 0) return program::constant(0);
    if (number < captured_.size()) return program::value_of(captured_[number]);
    const std::size_t parameter = number - captured_.size() + 1;
    return parameter < passed_.size() ? passed_[parameter] : program::constant(0);
  }
  if (number < call.arguments.size() && call.arguments[number]) return value(call.arguments[number]);
  return program::value_of(mixture());
}

program::Local LibraryValues::result_local() { return graph_.new_local("", program::Type::Int); }

Point LibraryValues::take_result(const Call& call, program::Local result, Point next) {
  next = moves(next);
  next = graph_.choose({graph_.add(program::Assign{mixture(), program::value_of(result), next, {}}), next});
  if (!call.result) return next;
  return graph_.add(program::Assign{local(*call.result), program::value_of(result), next, {}});
}

Point LibraryValues::read_state(const ObjectSet& objects, FieldKey state, Point next) {
  if (objects.empty()) return next;
  return graph_.choose({read(context_.cells.fields(objects, state), mixture(), next), next});
}

Point LibraryValues::write_state(const ObjectSet& objects, FieldKey state, Point next) {
  if (objects.empty()) return next;
  return write(context_.cells.fields(objects, state), program::value_of(mixture()), next);
}

Point LibraryValues::finish(std::optional<program::Local> result, bool is_boolean, Point next) {
  if (result && !std::holds_alternative<LambdaOrigin>(procedure_.origin)) {
    std::vector<Expression> made;
    if (procedure_.result) made.push_back(value(*procedure_.result));
    if (is_result_opaque())
      made.push_back(program::value_of(mixture()));
    else if (!procedure_.is_static && procedure_.parameters.front())
      made.push_back(value(*procedure_.parameters.front()));
    const Expression base = is_boolean ? program::value_of(*result) : program::constant(0);
    next = graph_.add(program::Assign{*result, carrying(base, made), next, {}});
  }
  if (procedure_.name == "<init>" && procedure_.parameters.front())
    return write_state(changing(context_.universe, context_.flow.objects(copy_, *procedure_.parameters.front())),
                       context_.universe.named_field(kept_value), next);
  if (!is_opaque()) return next;
  for (const auto& parameter : procedure_.parameters) {
    if (!parameter) continue;
    const ObjectSet given = changing(context_.universe, context_.flow.objects(copy_, *parameter));
    next = write_state(given, context_.universe.named_field(kept_value), next);
    ObjectSet arrays;
    given.for_each([&](ObjectId object) {
      if (context_.universe.hierarchy().name(context_.universe.objects()[object].type).starts_with('['))
        arrays.insert(object);
    });
    next = write_state(arrays, context_.universe.elements(), next);
  }
  return next;
}

}  // namespace lockwood::java
