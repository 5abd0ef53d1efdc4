#include "frontend/java/lowering/exception_classes.hpp"

#include <algorithm>

#include "frontend/java/pointsto/handlers.hpp"

namespace lockwood::java {

ExceptionClasses::ExceptionClasses(const PointsTo& flow) : flow_{flow} {
  std::vector<bool> seen(flow.universe().procedures().size());
  for (const ProcedureCopy& copy : flow.copies()) {
    if (seen[copy.procedure.index()]) continue;
    seen[copy.procedure.index()] = true;
    const Procedure& procedure = flow.universe().procedure(copy.procedure);
    if (!procedure.code) continue;
    const auto& constants = flow.universe().hierarchy().file(procedure.owner)->constants;
    for (const jvm::Instruction& instruction : procedure.code->body.instructions)
      if (const auto* caught = std::get_if<jvm::Catch>(&instruction.operation); caught != nullptr && caught->type)
        caught_.emplace(flow.universe().hierarchy().load(constants.class_name(*caught->type)), 0);
  }
  std::size_t number = 0;
  for (auto& [type, index] : caught_) index = number++;
}

ExceptionClasses::Signature ExceptionClasses::signature(ObjectId exception) const {
  Universe& universe = flow_.universe();
  const AbstractObject& object = universe.objects()[exception];
  Signature result(caught_.size(), Match::No);
  for (const auto& [type, index] : caught_) {
    if (universe.is_subtype(object.type, type))
      result[index] = Match::Yes;
    else if (object.kind == ObjectKind::Unknown && universe.is_subtype(type, object.type))
      result[index] = Match::Maybe;  // it may be of a subtype
  }
  return result;
}

program::ExceptionClass ExceptionClasses::of(ObjectId exception) {
  const auto known = known_.find(exception);
  if (known != known_.end()) return known->second;
  Signature own = signature(exception);
  const auto [row, is_new] = by_signature_.emplace(own, program::ExceptionClass{signatures_.size()});
  if (is_new) signatures_.push_back(std::move(own));
  known_.emplace(exception, row->second);
  return row->second;
}

std::vector<program::ExceptionClass> ExceptionClasses::of(const ObjectSet& exceptions) {
  std::vector<program::ExceptionClass> result;
  exceptions.for_each([&](ObjectId object) { result.push_back(of(object)); });
  std::ranges::sort(result);
  const auto rest = std::unique(result.begin(), result.end());
  result.erase(rest, result.end());
  return result;
}

ExceptionClasses::Match ExceptionClasses::match(program::ExceptionClass thrown,
                                                std::optional<jvm::ClassId> caught) const {
  if (!caught) return Match::Yes;
  const auto found = caught_.find(*caught);
  return found == caught_.end() ? Match::No : signatures_[thrown.index()][found->second];
}

}  // namespace lockwood::java
