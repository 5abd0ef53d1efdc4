#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "frontend/java/pointsto/points_to.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::java {

// Exceptions that the same handlers of the program take are one class: the model tells these classes apart, and not
// their members, so that code behind a handler is reached only by what the handler takes.
class ExceptionClasses {
 public:
  explicit ExceptionClasses(const PointsTo& flow);

  [[nodiscard]] program::ExceptionClass of(ObjectId exception);
  // Of all members, ascending, each once.
  [[nodiscard]] std::vector<program::ExceptionClass> of(const ObjectSet& exceptions);

  // Whether a handler of this type takes the exceptions of the class; nothing: a handler of any type.
  enum class Match : std::uint8_t { No, Maybe, Yes };
  [[nodiscard]] Match match(program::ExceptionClass thrown, std::optional<jvm::ClassId> caught) const;
  [[nodiscard]] std::size_t size() const { return signatures_.size(); }

 private:
  using Signature = std::vector<Match>;  // by caught type
  [[nodiscard]] Signature signature(ObjectId exception) const;

  const PointsTo& flow_;
  std::map<jvm::ClassId, std::size_t> caught_;  // types of handlers in code that is reached
  std::map<Signature, program::ExceptionClass> by_signature_;
  std::vector<Signature> signatures_;  // by class
  std::map<ObjectId, program::ExceptionClass> known_;
};

}  // namespace lockwood::java
