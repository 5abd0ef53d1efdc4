#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "frontend/java/facts/facts.hpp"
#include "frontend/java/lowering/isolated.hpp"
#include "frontend/java/lowering/java_model.hpp"
#include "frontend/java/lowering/lock_regions.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::java {

// What an access to a field or to elements may touch, and what a monitor may lock.
//
// In every execution one object that is not unique is singled out: the *isolated* one. Objects that are unique have
// cells and locks of their own; all others together have those of the isolated object, which an access touches and a
// monitor takes only if its object is that one.
template <class What>
struct Targets {
  std::vector<What> unique;      // of unique objects, each once
  std::optional<What> isolated;  // if some object is not unique
  bool none = false;             // may be something that takes no part
};

// The variables and locks of the model, each made when it is asked for.
class Cells {
 public:
  Cells(const Facts& facts, program::Program& program, const JavaLoweringOptions& options);

  // Accesses to fields of these objects. `index`: a constant index of an array.
  [[nodiscard]] Targets<program::Variable> fields(const ObjectSet& objects, FieldKey field,
                                                  std::optional<std::int32_t> index = {});
  [[nodiscard]] program::Variable static_field(FieldKey field);
  [[nodiscard]] program::Lock unique_lock(ObjectId object, LockKind kind);
  // Of the isolated object with this number. For deadlocks a lock for each object that it may be.
  [[nodiscard]] std::vector<program::Lock> isolated_locks(std::size_t number, const ObjectSet& objects, LockKind kind);
  // The lock that the isolated object has in a final field.
  [[nodiscard]] program::Lock final_field_lock(std::size_t number, FieldKey field, LockKind kind);
  [[nodiscard]] program::Lock initialiser_lock(jvm::ClassId type);

  [[nodiscard]] bool is_unique(ObjectId object) const { return facts_.unique.unique[object]; }
  // Whether some object of the set may be the isolated one.
  [[nodiscard]] bool may_be_isolated(const ObjectSet& objects) const;
  // All accesses to elements of the array have constant indices.
  [[nodiscard]] bool has_constant_indices(ObjectId array) const { return !mixed_arrays_.contains(array); }

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;  // object + 1 or 0, field, index
  void find_mixed_arrays();
  program::Variable variable(const Key& key, const std::string& shown, bool is_volatile, bool one_place);
  // By isolated object or nothing, by object or field, and by kind.
  using LockKey = std::tuple<std::size_t, std::uint32_t, LockKind>;
  program::Lock lock(std::map<LockKey, program::Lock>& locks, const LockKey& key, const std::string& name);
  // One of two locks that stand for many, if it is about deadlocks.
  program::Lock lock_of_many(std::map<LockKey, program::Lock>& locks, const LockKey& key, const std::string& name);
  [[nodiscard]] std::string lock_name(ObjectId object) const;

  const Facts& facts_;
  const PointsTo& flow_;
  program::Program& program_;
  const JavaLoweringOptions& options_;
  std::set<ObjectId> mixed_arrays_;
  std::map<Key, program::Variable> variables_;
  std::map<std::string, std::uint32_t> names_;  // how often a name was given
  std::map<LockKey, program::Lock> unique_locks_;
  std::map<LockKey, program::Lock> isolated_locks_;
  std::map<LockKey, program::Lock> final_locks_;
  std::map<LockKey, program::Lock> initialiser_locks_;
  std::uint32_t kinds_ = 0;
};

}  // namespace lockwood::java
