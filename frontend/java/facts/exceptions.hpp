#pragma once

#include <map>
#include <vector>

#include "frontend/java/facts/held_receivers.hpp"
#include "frontend/java/facts/implicit_facts.hpp"
#include "frontend/java/facts/threads.hpp"

namespace lockwood::java {

// Which exceptions instructions and copies can really throw: explicit ones by points-to, those of the machine that
// could not be excluded, and of calls exactly what their callees throw. Exceptions that are caught and thrown again,
// as `synchronized` and `finally` do, are only those that can come there.
class Exceptions {
 public:
  Exceptions(const PointsTo& flow, const ProcedureCalls& calls, const CodeShapes& shapes, const Nullness& nullness,
             const ImplicitFacts& implicit, const ThreadFacts& threads, const HeldReceivers& held, StopToken stop = {});

  // Exceptions that leave the copy.
  [[nodiscard]] const ObjectSet& thrown(CopyId copy) const { return thrown_[copy]; }
  // Exceptions of the instruction, before any handler. Of code.
  [[nodiscard]] ObjectSet thrown_at(CopyId copy, jvm::InstructionId at) const;
  // What the handler that begins with this block may catch. Of code.
  [[nodiscard]] const ObjectSet& caught(CopyId copy, jvm::Block handler) const;

 private:
  bool update(CopyId copy);
  [[nodiscard]] ObjectSet thrown_by_library(CopyId copy) const;
  [[nodiscard]] bool is_possible(CopyId copy, const ModelEvent& event) const;
  [[nodiscard]] ObjectSet value(CopyId copy, jvm::Register exception, std::size_t depth) const;
  // What handlers take from `raised`, and what is left.
  ObjectSet pass_handlers(CopyId copy, jvm::Block block, ObjectSet raised, bool& changed);
  [[nodiscard]] ObjectSet filtered(const TypeFilter& filter, const ObjectSet& objects) const;

  const PointsTo& flow_;
  const ProcedureCalls& calls_;
  const CodeShapes& shapes_;
  const Nullness& nullness_;
  const ImplicitFacts& implicit_;
  const ThreadFacts& threads_;
  const HeldReceivers& held_;
  IdVector<CopyId, ObjectSet> thrown_;
  IdVector<CopyId, std::map<jvm::Block, ObjectSet>> caught_;
};

}  // namespace lockwood::java
