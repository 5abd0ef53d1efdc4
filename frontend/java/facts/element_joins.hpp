#pragma once

#include <optional>

#include "frontend/java/facts/code_shape.hpp"

namespace lockwood::java {

// Where control leaves a loop that has joined all threads in an array.
struct LoopExit {
  jvm::Block header;
  jvm::Block exit;
  friend bool operator==(const LoopExit&, const LoopExit&) = default;
};

// The thread that is started by `start` is an element of an array that this activation has made, that nobody else gets,
// and whose elements are written once each; and `join` is in a loop that joins all elements of the array, from the
// first one on, unless an exception or a jump leaves it before its end. Both are calls with a receiver.
// `interruptible`: the join may end by an InterruptedException.
[[nodiscard]] std::optional<LoopExit> joined_with_array(const Procedure& procedure, const CodeShape& shape,
                                                        const jvm::ConstantPool& constants, jvm::InstructionId start,
                                                        jvm::InstructionId join, bool interruptible);

}  // namespace lockwood::java
