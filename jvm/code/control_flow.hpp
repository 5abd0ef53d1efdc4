#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "jvm/classfile/code_attribute.hpp"

namespace lockwood::jvm {

// A copy of an instruction. The code of a subroutine (jsr) is there once for each call; all other code is there once.
using CodePoint = Id<struct CodePointTag>;
using FlowNode = Id<struct FlowNodeTag>;

// The reachable code of a method as basic blocks, before registers are made.
//
// Node 0 is the entry: it has no instructions and no predecessors. Each exceptional edge leads to a node without
// instructions, which stands for the catch and goes on to the code of the handler. Rows of the exception table with the
// same target and type are one such node.
struct ControlFlow {
  struct Point {
    std::uint32_t context;      // a subroutine and its callers; 0 outside of subroutines
    std::uint32_t instruction;  // index in the instructions of the method
    friend auto operator<=>(const Point&, const Point&) = default;
  };
  struct Node {
    CodePoint begin{0};
    CodePoint end{0};  // one past the last
    std::uint32_t offset = 0;
    std::vector<FlowNode> successors;  // of a branch: if it is taken, if it is not; of a switch: distinct ones
    std::vector<FlowNode> handlers;    // catches, up to the first that surely matches; empty if nothing throws
    bool throws = false;               // some instruction may throw an exception
    bool leaves_by_exception = false;  // and no handler surely takes it
    bool is_catch = false;
    std::optional<ConstantIndex> catch_type;  // of a catch; nothing: any
  };
  IdVector<CodePoint, Point> points;  // sorted
  IdVector<FlowNode, Node> nodes;
  IdVector<CodePoint, std::optional<FlowNode>> node_at;  // of points that begin a node

  // The node that the instruction begins, in the context of the point. Requires that there is one.
  [[nodiscard]] FlowNode target(CodePoint from, std::uint32_t instruction) const;
};

struct ControlFlowInput {
  const ConstantPool& constants;
  const CodeAttribute& code;
  const std::vector<BytecodeInstruction>& instructions;
  const std::vector<std::uint32_t>& index_at;  // by offset: the instruction that begins there, or `no_instruction`
  const std::vector<bool>& exit_throws;        // by instruction: this monitorexit may throw, others do not
};
inline constexpr std::uint32_t no_instruction = 0xFFFFFFFF;

// Subroutines are copied for each call, up to this many instructions.
inline constexpr std::size_t max_copied_instructions = 10'000;
// Work and edges that the exception table of one method may ask for. The greatest method of a JDK needs a thousandth.
inline constexpr std::size_t max_handler_work = 50'000'000;
inline constexpr std::size_t max_exceptional_edges = 2'000'000;

// By offset: the index of the instruction that begins there.
[[nodiscard]] std::vector<std::uint32_t> indices_by_offset(const CodeAttribute& code,
                                                           const std::vector<BytecodeInstruction>& instructions);

// Throws MalformedBytes, whose offset is in the code, if control leaves the code, a target is not an instruction, or a
// limit is reached.
[[nodiscard]] ControlFlow control_flow(const ControlFlowInput& input);

}  // namespace lockwood::jvm
