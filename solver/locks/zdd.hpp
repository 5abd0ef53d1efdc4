#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/id.hpp"
#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"

struct DdNode;  // of CUDD

namespace lockwood::solver {

// What the sets of a family are made of.
using Element = Id<struct ElementTag>;
using ElementSet = std::vector<Element>;  // ascending, without repetition

class FamilyTable;

// A family of finite sets, as a zero-suppressed decision diagram [minato.93.zero]. Equal families of a table are the
// same node, so comparing costs nothing. Must not outlive its table.
class SetFamily {
 public:
  SetFamily(const SetFamily& other);
  SetFamily(SetFamily&& other) noexcept : table_{other.table_}, node_{other.node_} { other.node_ = nullptr; }
  SetFamily& operator=(SetFamily other) noexcept;
  ~SetFamily();

  [[nodiscard]] bool empty() const;  // has no member, not even the empty set
  friend bool operator==(const SetFamily& a, const SetFamily& b) { return a.node_ == b.node_; }

 private:
  friend class FamilyTable;
  SetFamily(const FamilyTable& table, DdNode* node);
  const FamilyTable* table_;
  DdNode* node_;  // null only after a move
};

// Families of sets over the elements 0, …, n - 1, which are tested in this order: families are small where elements
// that depend on each other are near each other. All operations are remembered, and take time in the sizes of the
// diagrams, not in the numbers of sets. They throw Interrupted if asked to stop, and std::bad_alloc; after that, a
// table is good for nothing but its end.
//
// Some elements may be *exclusive*: a join has no set that gets such an element from both sides.
class FamilyTable {
 public:
  explicit FamilyTable(IdVector<Element, bool> exclusive, StopToken stop = {});
  ~FamilyTable();
  FamilyTable(const FamilyTable&) = delete;
  FamilyTable& operator=(const FamilyTable&) = delete;

  [[nodiscard]] SetFamily none() const;                          // ∅
  [[nodiscard]] SetFamily unit() const;                          // {∅}
  [[nodiscard]] SetFamily only(const ElementSet& member) const;  // {member}

  [[nodiscard]] SetFamily unite(const SetFamily& a, const SetFamily& b) const;
  [[nodiscard]] SetFamily intersect(const SetFamily& a, const SetFamily& b) const;
  [[nodiscard]] SetFamily subtract(const SetFamily& a, const SetFamily& b) const;
  // { a ∪ b | a and b members, without a common exclusive element }
  [[nodiscard]] SetFamily join(const SetFamily& a, const SetFamily& b) const;
  // { a ∪ set | a a member }, whatever is exclusive. `set`: a family of one set.
  [[nodiscard]] SetFamily add(const SetFamily& a, const SetFamily& set) const;
  // { a \ set | a a member }
  [[nodiscard]] SetFamily remove(const SetFamily& a, const SetFamily& set) const;
  // The members that contain the element, or do not.
  [[nodiscard]] SetFamily containing(const SetFamily& a, Element element) const;
  [[nodiscard]] SetFamily lacking(const SetFamily& a, Element element) const;
  // The members that have no proper subset among the members.
  [[nodiscard]] SetFamily minimal(const SetFamily& a) const;
  // The members of a that have no subset among those of b.
  [[nodiscard]] SetFamily without_supersets(const SetFamily& a, const SetFamily& b) const;
  // The members that are subsets of the set.
  [[nodiscard]] SetFamily within(const SetFamily& a, const SetFamily& set) const;

  // The elements that occur in members, and those that occur in all of them (of no member: none).
  struct Support {
    ElementSet some;
    ElementSet all;
  };
  [[nodiscard]] Support support(const SetFamily& a) const;
  // How many members there are, or the largest number there is.
  [[nodiscard]] std::size_t size(const SetFamily& a) const;
  // All members, in no particular order. For small families.
  [[nodiscard]] std::vector<ElementSet> members(const SetFamily& a) const;

 private:
  friend class SetFamily;
  class Kernel;
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace lockwood::solver
