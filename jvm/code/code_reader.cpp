#include "jvm/code/code_reader.hpp"

#include <algorithm>
#include <cassert>

#include "jvm/classfile/code_attribute.hpp"
#include "jvm/code/control_flow.hpp"
#include "jvm/code/dominators.hpp"
#include "jvm/code/ssa_form.hpp"
#include "jvm/code/translation.hpp"

namespace lockwood::jvm {
namespace {

struct MethodInput {
  const ClassFile& file;
  const Member& method;
  const CodeAttribute& code;
  const std::vector<BytecodeInstruction>& instructions;
  const std::vector<std::uint32_t>& index_at;
  const std::vector<BootstrapMethod>& bootstraps;
  const LocalNames& names;
};

// The blocks with their edges, in the order of the nodes.
MethodBody blocks_of(const ControlFlow& flow, const std::vector<FlowNode>& order,
                     const IdVector<FlowNode, Block>& block_of) {
  MethodBody body;
  const auto blocks = [&](const std::vector<FlowNode>& nodes) {
    std::vector<Block> result;
    result.reserve(nodes.size());
    for (FlowNode node : nodes) result.push_back(block_of[node]);
    return result;
  };
  for (FlowNode id : order) {
    const ControlFlow::Node& node = flow.nodes[id];
    BasicBlock block;
    block.offset = node.offset;
    block.successors = blocks(node.successors);
    block.handlers = blocks(node.handlers);
    block.throws = node.throws;
    block.leaves_by_exception = node.leaves_by_exception;
    body.blocks.push_back(std::move(block));
  }
  for (Block id : body.blocks.keys()) {
    const auto add = [&](Block target) {
      // Edges come block by block, so a double can only be the last one.
      auto& predecessors = body.blocks[target].predecessors;
      if (predecessors.empty() || predecessors.back() != id) predecessors.push_back(id);
    };
    for (std::size_t i = 0; i < body.blocks[id].successors.size(); ++i) add(body.blocks[id].successors[i]);
    for (std::size_t i = 0; i < body.blocks[id].handlers.size(); ++i) add(body.blocks[id].handlers[i]);
  }
  return body;
}

std::vector<FlowNode> ordered_nodes(const ControlFlow& flow) {
  Successors successors(flow.nodes.size());
  for (FlowNode node : flow.nodes.keys())
    for (const auto* targets : {&flow.nodes[node].successors, &flow.nodes[node].handlers})
      for (FlowNode target : *targets) successors[node.index()].push_back(static_cast<std::uint32_t>(target.index()));
  std::vector<FlowNode> order;
  for (std::uint32_t node : reverse_postorder(successors)) order.emplace_back(node);
  assert(order.size() == flow.nodes.size());  // control_flow makes nodes of reachable code only
  return order;
}

MethodBody body_of(const MethodInput& input, const std::vector<bool>& exit_throws) {
  const ControlFlow flow =
      control_flow({input.file.constants, input.code, input.instructions, input.index_at, exit_throws});
  const auto order = ordered_nodes(flow);
  IdVector<FlowNode, Block> block_of(flow.nodes.size(), Block{0});
  for (std::size_t i = 0; i < order.size(); ++i) block_of[order[i]] = Block{i};
  Translation translation = translate({input.file, input.method, input.code, input.instructions, input.index_at,
                                       input.bootstraps, flow, order, block_of, input.names});
  MethodBody body = ssa_form(std::move(translation), blocks_of(flow, order, block_of), input.code, input.names);
  body.synchronized = input.method.access.is_synchronized();
  body.is_static = input.method.access.is_static();
#ifndef NDEBUG
  check_invariants(body);
#endif
  return body;
}

// A monitorexit of a monitor that is surely held does not throw; above all, that of the innermost one. Compilers let
// the handler of a synchronized statement cover the exit, and the handler cover itself: with these edges no method
// would be structured. Whether a monitor is held is only known when the code is there, and the code depends on what
// throws. So assume that no exit throws. An exit that then need not be held throws, and all is done again. What is
// assumed of the others at the end is what was found, so it is true of every run of the method, by induction on its
// length.
MethodCode code_of(const MethodInput& input, const UnchangingField& is_unchanging) {
  constexpr std::size_t max_rounds = 8;
  std::vector<bool> exit_throws(input.instructions.size());
  for (std::size_t round = 0;; ++round) {
    MethodBody body = body_of(input, exit_throws);
    ValueNumbers numbers = value_numbers(body, input.file.constants, is_unchanging);
    MonitorRegions monitors = monitor_regions(body, numbers);
    bool changed = false;
    for (InstructionId exit : monitors.throwing_exits) {
      const std::uint32_t index = input.index_at[body.instructions[exit].offset];
      changed = changed || !exit_throws[index];
      exit_throws[index] = true;
    }
    if (!changed) return {std::move(body), std::move(numbers), std::move(monitors)};
    if (round == max_rounds)
      for (std::size_t i = 0; i < input.instructions.size(); ++i)
        exit_throws[i] = input.instructions[i].opcode == Opcode::Monitorexit;
  }
}

}  // namespace

std::optional<MethodCode> CodeReader::read(const Member& method) {
  return read(method, final_fields_of(file_, method));
}

std::optional<MethodCode> CodeReader::read(const Member& method, const UnchangingField& is_unchanging) {
  const auto code = read_code(file_, method);
  if (!code) return std::nullopt;
  if (!bootstraps_) bootstraps_ = bootstrap_methods(file_);
  const auto instructions = instructions_of(file_, method, *code);
  try {
    const auto index_at = indices_by_offset(*code, instructions);
    const LocalNames names{*code};
    return code_of({file_, method, *code, instructions, index_at, *bootstraps_, names}, is_unchanging);
  } catch (MalformedBytes& malformed) {
    throw ClassFormatError{{.origin = file_.bytes.origin,
                            .class_name = std::string{file_.name},
                            .method = std::string{method.name} + std::string{method.descriptor},
                            .byte = code->begin + malformed.offset,
                            .bytecode = malformed.offset},
                           malformed.message};
  }
}

}  // namespace lockwood::jvm
