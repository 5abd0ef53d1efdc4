#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/ids/sequence_table.hpp"
#include "frontend/java/java_program.hpp"
#include "frontend/java/library/library.hpp"
#include "frontend/java/pointsto/context.hpp"
#include "frontend/java/pointsto/gap.hpp"
#include "frontend/java/pointsto/implicit_throws.hpp"
#include "frontend/java/pointsto/object.hpp"
#include "frontend/java/pointsto/object_set.hpp"
#include "frontend/java/pointsto/options.hpp"
#include "frontend/java/pointsto/procedure.hpp"
#include "jvm/hierarchy/class_hierarchy.hpp"

namespace lockwood::java {

// Which objects go through a cast or into a handler.
struct TypeFilter {
  std::optional<jvm::ClassId> wanted;    // a subtype of this
  std::vector<jvm::ClassId> not_wanted;  // and of none of these
  bool is_cast = false;                  // an unknown object that may fit becomes an unknown object of the type
};

// All that the analysis gives a number to, and what does not depend on its progress: code as statements, objects,
// contexts, fields, which method a call selects, which objects a filter lets through. Everything is made when it is
// asked for. A second analysis on the same universe gets the same numbers.
class Universe {
 public:
  Universe(JavaProgram& program, const library::Library& models, PointsToOptions options);

  [[nodiscard]] jvm::ClassHierarchy& hierarchy() { return hierarchy_; }
  [[nodiscard]] const jvm::ClassHierarchy& hierarchy() const { return hierarchy_; }
  [[nodiscard]] const PointsToOptions& options() const { return options_; }
  [[nodiscard]] const library::Library& models() const { return models_; }
  [[nodiscard]] ContextTable& contexts() { return contexts_; }
  [[nodiscard]] const ContextTable& contexts() const { return contexts_; }

  // ---- classes
  // Its bodies are analysed: neither of the JDK nor absent nor modelled, or asked for by an option.
  [[nodiscard]] bool has_bodies(jvm::ClassId id);
  // Its findings are reported.
  [[nodiscard]] bool is_application(jvm::ClassId id);
  // By the hierarchy, and by the models for classes that are absent.
  [[nodiscard]] bool is_subtype(jvm::ClassId sub, jvm::ClassId super);
  [[nodiscard]] jvm::ClassId array_of(jvm::ClassId component);
  // A thread or a task: such objects keep the whole context in which they are made.
  [[nodiscard]] bool is_task(jvm::ClassId id);

  // ---- objects
  [[nodiscard]] ObjectId string_constant(std::string_view text);
  [[nodiscard]] ObjectId class_object(jvm::ClassId id);
  [[nodiscard]] ObjectId unknown(jvm::ClassId type);
  [[nodiscard]] ObjectId implicit(ImplicitThrow kind);
  [[nodiscard]] ObjectId reflected_method(jvm::ClassId type, std::string_view name);
  [[nodiscard]] ObjectId reflected_constructor(jvm::ClassId type);
  [[nodiscard]] ObjectId allocation(SiteId site, ContextId heap);
  [[nodiscard]] const IdVector<ObjectId, AbstractObject>& objects() const { return objects_; }
  SiteId new_site(AllocationSite site);
  // The objects that reflection in this procedure makes of a class.
  SiteId reflection_site(ProcedureId procedure, jvm::ClassId type);
  [[nodiscard]] ObjectId library_constant(std::string_view field, jvm::ClassId type);
  [[nodiscard]] const IdVector<SiteId, AllocationSite>& sites() const { return sites_; }

  // ---- fields
  [[nodiscard]] FieldKey field(jvm::ClassId user, jvm::ConstantIndex constant);  // of code of the class `user`
  [[nodiscard]] FieldKey field(const jvm::MemberRef& ref);                       // of code
  [[nodiscard]] FieldKey named_field(std::string_view name);  // of a model, "[]" for elements, "capture 0"
  [[nodiscard]] FieldKey static_model_field(std::string_view owner, std::string_view name);
  [[nodiscard]] FieldKey elements() { return elements_; }
  [[nodiscard]] const IdVector<FieldKey, Field>& fields() const { return fields_; }

  // ---- filters
  [[nodiscard]] FilterId filter(const TypeFilter& filter);
  [[nodiscard]] const IdVector<FilterId, TypeFilter>& filters() const { return filters_; }
  // What comes out of the filter for this object: itself, another one, or nothing.
  [[nodiscard]] std::optional<ObjectId> passed(FilterId filter, ObjectId object);

  // ---- procedures
  [[nodiscard]] const std::deque<Procedure>& procedures() const { return procedures_; }
  [[nodiscard]] const Procedure& procedure(ProcedureId id) const { return procedures_[id.index()]; }
  [[nodiscard]] ProcedureId method(jvm::MethodId method);
  [[nodiscard]] std::optional<ProcedureId> class_initialiser(jvm::ClassId id);
  // The procedure that a call runs; of virtual calls, for this receiver. Nothing: the receiver does not fit.
  [[nodiscard]] std::optional<ProcedureId> target(ProcedureId caller, CallId call, std::optional<ObjectId> receiver);
  // The methods that an object overrides from the library.
  [[nodiscard]] const std::vector<ProcedureId>& overriding(ObjectId object);
  // All methods of this name that an object of the class has, for reflection.
  // What a method of the library declares to throw, as far as its class is there.
  [[nodiscard]] std::vector<std::string_view> declared_exceptions(jvm::ClassId owner, std::string_view name,
                                                                  std::string_view descriptor) const;
  [[nodiscard]] std::vector<ProcedureId> methods_named(jvm::ClassId type, std::string_view name);

  // ---- contexts
  // Procedures that have one copy for all contexts: these, or all.
  void give_up_contexts(std::vector<bool> by_procedure) {
    insensitive_ = std::move(by_procedure);
    all_insensitive_ = false;
  }
  void give_up_all_contexts() { all_insensitive_ = true; }
  [[nodiscard]] bool is_insensitive(ProcedureId id) const {
    return all_insensitive_ || (id.index() < insensitive_.size() && insensitive_[id.index()]);
  }
  [[nodiscard]] ContextId callee_context(ProcedureId callee, ProcedureId caller, CallId call, ContextId context,
                                         std::optional<ObjectId> receiver);
  [[nodiscard]] ContextId heap_context(SiteId site, ContextId context);

  // ---- what was left out or assumed, in the order of discovery
  void add_gap(Gap gap);
  [[nodiscard]] const std::vector<Gap>& gaps() const { return gaps_; }
  [[nodiscard]] std::string place(const Procedure& procedure, std::optional<jvm::InstructionId> instruction) const;
  [[nodiscard]] std::string name(const Procedure& procedure) const;
  // The call with this number among the calls of all procedures.
  [[nodiscard]] std::pair<ProcedureId, CallId> call_at(std::uint32_t number) const;
  // Keeps a text for names that point to it.
  [[nodiscard]] std::string_view keep(std::string text);

 private:
  struct Select {  // a call as far as selection is concerned
    jvm::ClassId owner;
    std::string_view name;
    std::string_view descriptor;
    std::size_t parameter_count;
  };
  ProcedureId add_procedure(Procedure procedure);
  std::optional<ProcedureId> select(jvm::ClassId type, const Select& call, bool is_static);
  std::optional<ProcedureId> select_uncached(jvm::ClassId type, const Select& call, bool is_static);
  std::optional<ProcedureId> of_model(jvm::ClassId type, const Select& call);
  ProcedureId of_lambda(SiteId site);
  ProcedureId of_library(const Select& call, bool is_static);
  ObjectId add_object(AbstractObject object, std::string key);

  JavaProgram& program_;
  const library::Library& models_;
  PointsToOptions options_;
  jvm::ClassHierarchy hierarchy_;
  ContextTable contexts_;
  std::map<std::pair<jvm::ClassId, jvm::ClassId>, bool> subtype_of_model_;
  IdVector<jvm::ClassId, std::int8_t> has_bodies_;  // -1: not asked yet
  IdVector<jvm::ClassId, std::int8_t> is_task_;
  std::unordered_map<std::uint32_t, std::unique_ptr<jvm::CodeReader>> readers_;  // by class

  IdVector<ObjectId, AbstractObject> objects_;
  SymbolTable<ObjectId> object_keys_;  // of all but allocations: rows of keyed_objects_
  std::vector<ObjectId> keyed_objects_;
  SequenceTable<std::uint32_t> allocations_;
  std::vector<ObjectId> allocation_objects_;  // by number in allocations_
  IdVector<SiteId, AllocationSite> sites_;
  std::map<std::pair<ProcedureId, jvm::ClassId>, SiteId> reflection_sites_;
  IdVector<FieldKey, Field> fields_;
  std::unordered_map<std::string, FieldKey> field_keys_;
  std::unordered_map<std::uint64_t, FieldKey> field_constants_;  // by class and constant
  FieldKey elements_{0};
  IdVector<FilterId, TypeFilter> filters_;
  SequenceTable<std::uint32_t> filter_keys_;

  std::deque<Procedure> procedures_;  // references stay
  std::uint32_t call_count_ = 0;
  std::unordered_map<std::uint32_t, ProcedureId> of_method_;
  std::unordered_map<std::uint32_t, ProcedureId> of_lambda_;  // by site
  std::unordered_map<std::string, ProcedureId> of_library_;   // models, unmodelled methods, reflection
  std::unordered_map<std::string, std::optional<ProcedureId>> selected_;
  std::unordered_map<std::uint64_t, std::optional<ProcedureId>> targets_;   // by call number and type
  std::unordered_map<std::uint32_t, std::vector<ProcedureId>> overriding_;  // by class, or by lambda site
  std::vector<bool> insensitive_;
  bool all_insensitive_ = false;
  std::vector<Gap> gaps_;
  std::set<Gap> known_gaps_;
  std::set<std::string, std::less<>> kept_;
};

}  // namespace lockwood::java
