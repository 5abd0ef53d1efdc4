#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/ids/symbol_table.hpp"
#include "base/text/diagnostic.hpp"
#include "jvm/archive/class_source.hpp"
#include "jvm/classfile/class_file.hpp"

namespace lockwood::jvm {

using ClassId = Id<struct ClassTag>;
using MethodId = Id<struct MethodTag>;
using FieldId = Id<struct FieldTag>;
// A name with a descriptor.
using Signature = Id<struct SignatureTag>;

// The classes of a program, read from a source when somebody asks for them, together with all their supertypes.
//
// A class that is found nowhere, or that cannot be used, is *absent*: it has the superclass Object, and no members that
// we know. So `load` always has an answer. What was wrong with a class is in `diagnostics`.
//
// Ids are numbered in the order of loading, a class after its supertypes, so the same questions give the same ids.
//
// Subtypes are decided without a search. A class knows its superclasses by their depth, and the set of its
// superinterfaces as bits [lindholm.21.jvm, Sect. 4.10.1.2 and 5.4.3 need both].
class ClassHierarchy {
 public:
  // The source must outlive the hierarchy.
  explicit ClassHierarchy(ClassSource& source) : source_{source} {}

  // The class of this name, such as java/lang/String, or [I for an array. Loads it if it is new.
  ClassId load(std::string_view internal_name);
  // The same, of what is loaded.
  [[nodiscard]] std::optional<ClassId> find(std::string_view internal_name) const { return names_.find(internal_name); }

  [[nodiscard]] IdRange<ClassId> classes() const { return rows_.keys(); }
  [[nodiscard]] std::string_view name(ClassId id) const { return names_.name(id); }
  // Everything up to the last slash; classes of one package may use each other's members that have no modifier.
  [[nodiscard]] std::string_view package(ClassId id) const;
  [[nodiscard]] bool is_absent(ClassId id) const { return rows_[id].absent; }
  [[nodiscard]] bool is_array(ClassId id) const { return name(id).starts_with('['); }
  [[nodiscard]] bool is_interface(ClassId id) const;
  // Nothing for arrays and absent classes.
  [[nodiscard]] const ClassFile* file(ClassId id) const { return rows_[id].file.get(); }
  // Nothing for java/lang/Object only; interfaces and arrays have Object.
  [[nodiscard]] std::optional<ClassId> superclass(ClassId id) const { return rows_[id].super; }
  // As declared.
  [[nodiscard]] std::span<const ClassId> interfaces(ClassId id) const { return rows_[id].interfaces; }
  // All of them, in the order of their ids; without the class itself.
  [[nodiscard]] std::vector<ClassId> superinterfaces(ClassId id) const;
  // Some superclass or superinterface, or the class itself, is absent: it may have members that we do not know.
  [[nodiscard]] bool has_absent_supertype(ClassId id) const { return rows_[id].absent_supertype; }

  // A value of the first class may be where the second is wanted. Each class is a subtype of itself.
  [[nodiscard]] bool is_subtype(ClassId sub, ClassId super) const;
  // An absent class that is thrown or caught must be a Throwable.
  void assume_throwable(ClassId id);

  // Members, of classes that have a file.
  [[nodiscard]] IdRange<MethodId> methods(ClassId id) const;
  [[nodiscard]] IdRange<FieldId> fields(ClassId id) const;
  [[nodiscard]] std::optional<MethodId> declared_method(ClassId id, std::string_view name,
                                                        std::string_view descriptor) const;
  [[nodiscard]] std::optional<MethodId> declared_method(ClassId id, Signature signature) const;
  [[nodiscard]] std::optional<FieldId> declared_field(ClassId id, std::string_view name,
                                                      std::string_view descriptor) const;
  [[nodiscard]] ClassId owner(MethodId id) const { return methods_[id].owner; }
  [[nodiscard]] ClassId owner(FieldId id) const { return fields_[id]; }
  [[nodiscard]] const Member& member(MethodId id) const;
  [[nodiscard]] const Member& member(FieldId id) const;
  [[nodiscard]] Signature signature(MethodId id) const { return methods_[id].signature; }

  // Warnings about classes, in the order of loading. Absent classes are not among them: who wants to know asks
  // is_absent.
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

  // The invariants of the tables, for debug builds and tests.
  void check_invariants() const;

 private:
  using Bits = std::vector<std::uint64_t>;
  struct MethodRow {
    ClassId owner;
    Signature signature;
  };
  struct Row {
    std::unique_ptr<ClassFile> file;
    std::optional<ClassId> super;
    std::vector<ClassId> interfaces;
    std::vector<ClassId> chain;  // superclasses from Object down to the class itself: chain[depth]
    Bits superinterfaces;        // by number of the interface; has the class itself if that has a number
    std::optional<std::uint32_t> interface_number;
    std::optional<ClassId> component;  // of an array
    std::uint32_t first_method = 0;
    std::uint32_t first_field = 0;
    std::vector<std::pair<Signature, MethodId>> by_signature;  // sorted
    bool absent = false;
    bool absent_supertype = false;
    bool throwable = false;  // of an absent class
  };
  // A class that is read, but whose supertypes are not all loaded yet.
  struct Pending {
    std::string name;
    std::unique_ptr<ClassFile> file;  // nothing if it is absent
    std::size_t next_supertype = 0;
    std::vector<std::string_view> cyclic;  // supertypes that lead back to the class: taken away
  };

  ClassId load_array(std::string_view name);
  [[nodiscard]] std::unique_ptr<ClassFile> read(std::string_view name);
  void add(Pending pending);
  void add_supertypes(Row& row, const Pending& pending);
  void inherit(Row& row, ClassId id) const;
  void add_members(Row& row, ClassId id);
  void warn(std::string origin, std::string message);

  ClassSource& source_;
  SymbolTable<ClassId> names_;
  IdVector<ClassId, Row> rows_;
  std::vector<ClassId> numbered_interfaces_;  // by number
  SymbolTable<Signature> signatures_;
  IdVector<MethodId, MethodRow> methods_;
  IdVector<FieldId, ClassId> fields_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace lockwood::jvm
