#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/java/lowering/lowering_context.hpp"

namespace lockwood::java {

// What the model knows about the registers of one copy of a method: whether they refer to an isolated object, and
// booleans that branches depend on. Each has a local of the model for that.
class TrackedValues {
 public:
  // The locals of parameters are there already, in the order of the signature; further ones are made.
  TrackedValues(LoweringContext& context, CopyId copy, Graph& graph);

  [[nodiscard]] IsolatedFlags isolated(jvm::Register value) const;
  [[nodiscard]] program::Expression boolean(jvm::Register value) const;
  // The value is tracked as such.
  [[nodiscard]] bool has_isolated(jvm::Register value) const { return !isolated_[value].empty(); }
  [[nodiscard]] std::optional<program::Local> boolean_local(jvm::Register value) const { return booleans_[value]; }
  [[nodiscard]] const std::vector<program::Local>& isolated_locals(jvm::Register value) const {
    return isolated_[value];
  }

  // The register gets a reference that nobody knows. With `after`, only what the first flag does not tell.
  program::Point set_unknown(jvm::Register value, program::Point next, std::uint32_t guess);
  program::Point set_further(jvm::Register value, program::Point next, std::uint32_t guess);
  // A new object, which may be an isolated one if none was chosen before.
  program::Point set_allocated(jvm::Register value, program::Point next);

  // Assignments at the same time.
  using Copies = std::vector<std::pair<program::Local, program::Expression>>;
  void add_copy(jvm::Register to, jvm::Register from, Copies& copies) const;
  program::Point assign(Copies copies, program::Point next);

 private:
  [[nodiscard]] bool is_wanted(jvm::Register value) const;
  [[nodiscard]] program::Point assign_flags(jvm::Register value, std::optional<std::size_t> which, program::Point next);

  LoweringContext& context_;
  CopyId copy_;
  ProcedureId id_;
  const Procedure& procedure_;
  const jvm::MethodBody& body_;
  Graph& graph_;
  IdVector<jvm::Register, std::vector<program::Local>> isolated_;  // one local for each isolated object, or nothing
  IdVector<jvm::Register, std::optional<program::Local>> booleans_;
  std::vector<program::Local> chosen_;  // that an isolated object was made; of copies that run once
};

// Makes locals of type Bool that are too many at some point into numbers, which nobody knows: each point would have a
// symbol for each of their values.
void limit_tracked_values(program::Procedure& procedure, std::size_t max_live);

}  // namespace lockwood::java
