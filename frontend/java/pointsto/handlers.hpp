#pragma once

#include "jvm/code/method_body.hpp"

namespace lockwood::java {

// The instruction of a handler that catches: phis may be before it.
[[nodiscard]] const jvm::Instruction& catch_of(const jvm::MethodBody& body, jvm::Block handler);

}  // namespace lockwood::java
