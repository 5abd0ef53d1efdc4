#pragma once

#include <map>
#include <vector>

#include "frontend/java/facts/code_shape.hpp"

namespace lockwood::java {

// Where a method has found out that a value is not null: it was dereferenced or tested before, on every way.
class NullChecks {
 public:
  NullChecks(const jvm::MethodCode& code, const CodeShape& shape);
  [[nodiscard]] bool is_checked(jvm::Register value, jvm::InstructionId at) const;

 private:
  struct Branch {
    jvm::Block from;
    jvm::Block into;  // comes from there only
  };
  void add_branch(const jvm::Instruction& instruction, jvm::Block block);

  const jvm::MethodCode& code_;
  const CodeShape& shape_;
  std::map<jvm::ValueNumber, std::vector<jvm::InstructionId>> dereferences_;
  std::map<jvm::ValueNumber, std::vector<Branch>> branches_;
};

// The int that the register always holds, if it is a constant.
[[nodiscard]] std::optional<std::int64_t> constant_number(const jvm::MethodBody& body, jvm::Register value);
// It starts at a constant that is not negative and only grows, or is a length.
[[nodiscard]] bool is_never_negative(const jvm::MethodBody& body, jvm::Register value);
// On every way to the instruction `index` was found to be below the other register: one for each test.
[[nodiscard]] std::vector<jvm::Register> greater_registers(const jvm::MethodBody& body, const CodeShape& shape,
                                                           jvm::Register index, jvm::InstructionId at);

}  // namespace lockwood::java
