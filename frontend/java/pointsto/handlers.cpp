#include "frontend/java/pointsto/handlers.hpp"

#include <cassert>

namespace lockwood::java {

const jvm::Instruction& catch_of(const jvm::MethodBody& body, jvm::Block handler) {
  const jvm::Instruction* found = nullptr;
  for (jvm::InstructionId id : body.instructions_of(handler)) {
    found = &body.instructions[id];
    if (!std::holds_alternative<jvm::Phi>(found->operation)) break;
  }
  assert(found != nullptr && std::holds_alternative<jvm::Catch>(found->operation) && found->result);
  return *found;
}

}  // namespace lockwood::java
