#include "tests/oracle/java/naive_points_to.hpp"

#include <algorithm>
#include <vector>

#include "frontend/java/pointsto/object_text.hpp"
#include "frontend/java/pointsto/reflection.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java::reference {
namespace {

using Objects = std::set<ObjectId>;

class FixedPoint {
 public:
  explicit FixedPoint(Universe& universe) : universe_{universe} {}

  NaivePointsTo run(const EntryPoint& entry) {
    const NaivePointsTo::Copy main{entry.procedure, ContextTable::empty()};
    do {
      changed_ = false;
      ++result_.rounds;
      reach(main);
      const Procedure& procedure = universe_.procedure(entry.procedure);
      initialise(procedure.owner);
      add(locals(main, procedure.parameters.back().value()), entry.arguments);
      const auto copies = result_.copies;
      for (const auto& copy : copies) evaluate(copy);
    } while (changed_);
    return std::move(result_);
  }

 private:
  using Copy = NaivePointsTo::Copy;

  void reach(const Copy& copy) { changed_ = result_.copies.insert(copy).second || changed_; }
  Objects& locals(const Copy& copy, Local local) { return result_.locals[{copy, local}]; }
  Objects& field(ObjectId object, FieldKey field) {
    const auto [at, is_new] = result_.fields.try_emplace({object, field});
    if (is_new) {
      changed_ = true;
      if (const auto initial = initial_value(universe_, object, field)) at->second.insert(*initial);
    }
    return at->second;
  }
  Objects& static_field(FieldKey field) {
    const auto [at, is_new] = result_.statics.try_emplace(field);
    if (is_new) {
      changed_ = true;
      if (const auto initial = universe_.fields()[field].initial) at->second.insert(*initial);
    }
    return at->second;
  }
  void add(Objects& to, ObjectId object) { changed_ = to.insert(object).second || changed_; }
  void add(Objects& to, const Objects& from) {
    for (ObjectId object : Objects{from}) add(to, object);
  }
  void add(Objects& to, const Objects& from, FilterId filter) {
    for (ObjectId object : Objects{from})
      if (const auto passed = universe_.passed(filter, object)) add(to, *passed);
  }

  void evaluate(const Copy& copy) {
    const Procedure& procedure = universe_.procedure(copy.first);
    for (const Statement& statement : procedure.statements)
      std::visit([&](const auto& kind) { evaluate(copy, procedure, kind); }, statement);
  }
  void evaluate(const Copy& copy, const Procedure&, const AddObject& s) { add(locals(copy, s.to), s.object); }
  void evaluate(const Copy& copy, const Procedure&, const Allocate& s) {
    add(locals(copy, s.to), universe_.allocation(s.site, universe_.heap_context(s.site, copy.second)));
  }
  void evaluate(const Copy& copy, const Procedure&, const CopyLocal& s) {
    if (s.filter)
      add(locals(copy, s.to), locals(copy, s.from), *s.filter);
    else
      add(locals(copy, s.to), locals(copy, s.from));
  }
  void evaluate(const Copy& copy, const Procedure&, const LoadField& s) {
    for (ObjectId object : Objects{locals(copy, s.base)}) add(locals(copy, s.to), field(object, s.field));
  }
  void evaluate(const Copy& copy, const Procedure&, const StoreField& s) {
    for (ObjectId object : Objects{locals(copy, s.base)}) add(field(object, s.field), locals(copy, s.from));
  }
  void evaluate(const Copy& copy, const Procedure&, const LoadStatic& s) {
    add(locals(copy, s.to), static_field(s.field));
  }
  void evaluate(const Copy& copy, const Procedure&, const StoreStatic& s) {
    add(static_field(s.field), locals(copy, s.from));
  }
  void evaluate(const Copy& copy, const Procedure& procedure, const MakeCall& s) {
    const Call& call = procedure.calls[s.call];
    if (call.kind == jvm::InvokeKind::Static) {
      if (const auto target = universe_.target(copy.first, s.call, {})) invoke(copy, s.call, *target, {});
      return;
    }
    for (ObjectId receiver : Objects{locals(copy, call.arguments.front().value())})
      if (const auto target = universe_.target(copy.first, s.call, receiver)) invoke(copy, s.call, *target, receiver);
  }
  void evaluate(const Copy& copy, const Procedure&, const CallBack& s) {
    for (ObjectId object : Objects{locals(copy, s.given)})
      for (ProcedureId target : universe_.overriding(object)) invoke(copy, s.call, target, object);
  }
  void evaluate(const Copy&, const Procedure&, const InitialiseClass& s) { initialise(s.type); }
  void evaluate(const Copy& copy, const Procedure&, const Reflect& s) {
    const auto list = [&](std::optional<Local> local) {
      const Objects objects = local ? locals(copy, *local) : Objects{};
      return std::vector<ObjectId>(objects.begin(), objects.end());
    };
    for (ObjectId subject : Objects{locals(copy, s.subject)}) {
      const Reflected found = reflect(universe_, copy.first, s, copy.second, subject, list(s.name), list(s.receiver));
      if (found.initialised) initialise(*found.initialised);
      for (ObjectId object : found.results) add(locals(copy, s.result), object);
      for (ProcedureId method : found.methods) {
        if (universe_.procedure(method).is_static)
          invoke(copy, s.call.value(), method, {});
        else
          for (ObjectId receiver : found.receivers) invoke(copy, s.call.value(), method, receiver);
      }
    }
  }

  void invoke(const Copy& caller, CallId id, ProcedureId target, std::optional<ObjectId> receiver) {
    const Procedure& procedure = universe_.procedure(target);
    const Call& call = universe_.procedure(caller.first).calls[id];
    if (procedure.is_static) receiver.reset();
    const Copy callee{target, universe_.callee_context(target, caller.first, id, caller.second, receiver)};
    reach(callee);
    changed_ = result_.calls.insert({caller, id, callee}).second || changed_;
    if (receiver) add(locals(callee, procedure.parameters.front().value()), *receiver);
    const std::size_t first = procedure.is_static ? 0 : 1;
    const auto type = jvm::parse_method_descriptor(procedure.descriptor);
    for (std::size_t i = first; i < procedure.parameters.size(); ++i) {
      if (!procedure.parameters[i]) continue;
      Objects& parameter = locals(callee, *procedure.parameters[i]);
      if (!call.spread) {
        if (i < call.arguments.size() && call.arguments[i]) add(parameter, locals(caller, *call.arguments[i]));
        continue;
      }
      const jvm::ClassId wanted = universe_.hierarchy().load(*type->parameters[i - first].class_name());
      add(parameter, locals(caller, *call.spread),
          universe_.filter({.wanted = wanted, .not_wanted = {}, .is_cast = true}));
      if (call.unknown_too && !universe_.has_bodies(wanted)) add(parameter, universe_.unknown(wanted));
    }
    if (call.flavor == CallFlavor::Spawn) return;
    if (call.result && procedure.result) add(locals(caller, *call.result), locals(callee, *procedure.result));
    add(locals(caller, call.raised), locals(callee, procedure.thrown));
  }

  void initialise(jvm::ClassId type) {
    if (!result_.initialised.insert(type).second || !universe_.has_bodies(type)) {
      if (const auto again = universe_.class_initialiser(type)) reach({*again, ContextTable::empty()});
      return;
    }
    changed_ = true;
    jvm::ClassHierarchy& hierarchy = universe_.hierarchy();
    if (const auto super = hierarchy.superclass(type)) initialise(*super);
    for (jvm::ClassId interface : hierarchy.superinterfaces(type))
      for (jvm::MethodId method : hierarchy.methods(interface))
        if (const auto access = hierarchy.member(method).access; !access.is_abstract() && !access.is_static())
          initialise(interface);
    if (const auto procedure = universe_.class_initialiser(type)) reach({*procedure, ContextTable::empty()});
  }

  Universe& universe_;
  NaivePointsTo result_;
  bool changed_ = false;
};

std::string set_difference_text(const Universe& universe, const ObjectSet& fast, const Objects& slow) {
  for (ObjectId object : fast.list())
    if (!slow.contains(object)) return "only the fast one has " + object_text(universe, object);
  for (ObjectId object : slow)
    if (!fast.contains(object)) return "only the slow one has " + object_text(universe, object);
  return {};
}

}  // namespace

NaivePointsTo naive_points_to(const PointsTo& result, const EntryPoint& entry) {
  return FixedPoint{result.universe()}.run(entry);
}

std::string difference(const PointsTo& fast, const NaivePointsTo& slow) {
  const Universe& universe = fast.universe();
  if (fast.copies().size() != slow.copies.size())
    return "copies: " + std::to_string(fast.copies().size()) + " and " + std::to_string(slow.copies.size());
  std::set<std::tuple<NaivePointsTo::Copy, CallId, NaivePointsTo::Copy>> calls;
  const auto key_of = [&](CopyId copy) {
    return NaivePointsTo::Copy{fast.copies()[copy].procedure, fast.copies()[copy].context};
  };
  for (CopyId copy : fast.copies().keys()) {
    const NaivePointsTo::Copy key = key_of(copy);
    if (!slow.copies.contains(key)) return "only the fast one reaches " + copy_text(fast, copy);
    for (std::size_t i = 0; i < fast.procedure(copy).local_count; ++i) {
      const auto found = slow.locals.find({key, Local{i}});
      const auto text = set_difference_text(universe, fast.objects(copy, Local{i}),
                                            found == slow.locals.end() ? Objects{} : found->second);
      if (!text.empty()) return copy_text(fast, copy) + " local " + std::to_string(i) + ": " + text;
    }
    for (const CallEdge& edge : fast.calls_of(copy)) calls.emplace(key, edge.call, key_of(edge.callee));
  }
  if (calls != slow.calls) return "the calls differ";
  for (const auto& [place, objects] : slow.fields)
    if (const auto text = set_difference_text(universe, fast.objects(place.first, place.second), objects);
        !text.empty())
      return object_text(universe, place.first) + " " + field_text(universe, place.second) + ": " + text;
  for (const auto& [field, objects] : slow.statics)
    if (const auto text = set_difference_text(universe, fast.static_objects(field), objects); !text.empty())
      return field_text(universe, field) + ": " + text;
  return {};
}

}  // namespace lockwood::java::reference
