#pragma once

#include <memory>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "frontend/java/pointsto/points_to.hpp"

namespace lockwood::java {

// The control flow of a method in the terms in which facts ask: exceptional edges count like others.
class CodeShape {
 public:
  explicit CodeShape(const jvm::MethodBody& body);

  [[nodiscard]] jvm::Block block_of(jvm::InstructionId id) const { return block_of_[id]; }
  // The block can be reached from itself.
  [[nodiscard]] bool in_loop(jvm::Block block) const { return in_loop_[block]; }
  [[nodiscard]] bool in_loop(jvm::InstructionId id) const { return in_loop_[block_of_[id]]; }
  // Every way from the entry to the second comes by the first, and it is another instruction.
  [[nodiscard]] bool dominates(jvm::InstructionId above, jvm::InstructionId below) const;
  [[nodiscard]] bool dominates(jvm::Block above, jvm::Block below) const;
  // Every way to the second comes by the first and goes on from it normally: an exception of the first, or of what
  // is before it in its block, does not lead there.
  [[nodiscard]] bool passes(jvm::InstructionId first, jvm::InstructionId second) const;
  // After the first has begun, the second may be executed. An instruction in a loop may follow itself.
  [[nodiscard]] bool may_follow(jvm::InstructionId first, jvm::InstructionId second) const;
  [[nodiscard]] bool reaches(jvm::Block from, jvm::Block to) const;  // by at least one edge

 private:
  const jvm::MethodBody& body_;
  IdVector<jvm::InstructionId, jvm::Block> block_of_;
  IdVector<jvm::Block, bool> in_loop_;
  // By block, when somebody asked: all that follow.
  mutable IdVector<jvm::Block, std::vector<bool>> reached_;
};

// The shapes of procedures with code, each made when it is asked for.
class CodeShapes {
 public:
  explicit CodeShapes(const Universe& universe) : universe_{universe} {}
  [[nodiscard]] const CodeShape& operator[](ProcedureId id) const;

 private:
  const Universe& universe_;
  mutable std::vector<std::unique_ptr<CodeShape>> shapes_;
};

}  // namespace lockwood::java
