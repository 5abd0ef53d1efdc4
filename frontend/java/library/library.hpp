#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/ids/symbol_table.hpp"
#include "base/text/diagnostic.hpp"
#include "frontend/java/library/effect.hpp"

namespace lockwood::java::library {

// A method of a model.
struct MethodModel {
  std::string name;
  std::vector<TypeName> parameters;  // of `*` none
  std::optional<TypeName> result;    // nothing for void, or if the model does not tell it
  bool is_static = false;
  bool is_synchronized = false;  // on `this`, or on the class object if it is static
  bool is_abstract = false;      // has no effects: only what a subclass has can run
  bool never_null = false;       // `not-null`: the result is not null
  bool is_wildcard = false;      // `*`: stands for all methods of the class that have no entry in it or its supertypes
  IdVector<ModelLocal, std::string> locals;  // their names
  Effects effects;
  std::string file;  // of the model
  Position at;

  // (Ljava/lang/Object;I), the beginning of the descriptor.
  [[nodiscard]] std::string parameter_descriptor() const;
  // Helpers have a name that begins with `$`: no class of the library has them, and only models call them.
  [[nodiscard]] bool is_helper() const { return name.starts_with('$'); }
};

// A static field of the library that a program may read, such as System.out: holds one object of this type, which is
// unique and not null.
struct ConstantField {
  std::string name;
  TypeName type;
  friend bool operator==(const ConstantField&, const ConstantField&) = default;
};

struct TypedField {
  ModelField field;
  TypeName type;
  friend bool operator==(const TypedField&, const TypedField&) = default;
};

struct ClassModel {
  std::string name;  // java/util/ArrayList
  bool is_interface = false;
  std::optional<std::string> superclass;  // of all but java/lang/Object; of interfaces java/lang/Object
  std::vector<std::string> interfaces;
  std::vector<ModelField> states;  // that a race may be on, as declared in this class
  std::vector<TypedField> fields;  // with a declared type
  std::vector<ConstantField> constants;
  std::vector<MethodModel> methods;  // in the order of the text; those of `like` first
  std::string file;
  Position at;
};

// The models of library classes, with everything that programs without a JDK need of these classes.
//
// Invariant: names of classes are distinct, and so are names with parameters of the methods of a class. Supertypes that
// have a model form no cycle.
class Library {
 public:
  [[nodiscard]] IdRange<ModelClass> classes() const { return names_.keys(); }
  [[nodiscard]] std::string_view name(ModelClass id) const { return names_.name(id); }
  [[nodiscard]] const ClassModel& operator[](ModelClass id) const { return rows_[id]; }
  [[nodiscard]] std::optional<ModelClass> find(std::string_view internal_name) const {
    return names_.find(internal_name);
  }

  // Fields and states by name.
  [[nodiscard]] IdRange<ModelField> fields() const { return fields_.keys(); }
  [[nodiscard]] std::string_view name(ModelField id) const { return fields_.name(id); }
  [[nodiscard]] std::optional<ModelField> find_field(std::string_view name) const { return fields_.find(name); }
  // The elements of arrays, `[]`.
  [[nodiscard]] ModelField array_elements() const { return ModelField{0}; }

  // The entry of the class itself for this name and descriptor, of which only the parameters count: a result may be
  // covariant. No wildcards.
  [[nodiscard]] const MethodModel* declared_method(ModelClass id, std::string_view name,
                                                   std::string_view descriptor) const;
  // What a method of this class does: its own entry, that of the nearest superclass, that of a superinterface (a
  // subtype before its supertypes, in the order of the text), and an abstract one only if there is no other; else the
  // first wildcard in the same order. Nothing: not modelled. Constructors are not inherited, nor are static methods of
  // interfaces.
  struct Found {
    ModelClass owner;
    const MethodModel* method;
  };
  [[nodiscard]] std::optional<Found> find_method(ModelClass id, std::string_view name,
                                                 std::string_view descriptor) const;
  // The class, then its superclasses, then all superinterfaces, each once, a subtype before its supertypes: the order
  // of find_method. Types without a model are left out.
  [[nodiscard]] std::vector<ModelClass> lookup_order(ModelClass id) const;
  // The state of this name is declared by the class or a supertype with a model.
  [[nodiscard]] bool has_state(ModelClass id, ModelField state) const;
  // The declared type of a field in objects of this class, if a class of the lookup order declares it.
  [[nodiscard]] std::optional<TypeName> field_type(ModelClass id, ModelField field) const;

  // For readers of models. A class with a name that is there already replaces the old one.
  ModelField intern_field(std::string_view name) { return fields_.intern(name); }
  ModelClass add(ClassModel model);

  Library();
  void check_invariants() const;

 private:
  [[nodiscard]] const MethodModel* own_method(ModelClass id, std::string_view name, std::string_view parameters) const;

  SymbolTable<ModelClass> names_;
  IdVector<ModelClass, ClassModel> rows_;
  SymbolTable<ModelField> fields_;
  // By name and parameters, for each class: positions in its methods.
  IdVector<ModelClass, std::map<std::pair<std::string, std::string>, std::size_t, std::less<>>> by_signature_;
};

// The descriptor without its result: (I)V gives (I).
[[nodiscard]] std::string_view parameters_of(std::string_view descriptor);

}  // namespace lockwood::java::library
