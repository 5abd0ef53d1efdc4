#include "jvm/code/monitor_regions.hpp"

#include <algorithm>
#include <cassert>

#include "jvm/code/monitor_structure.hpp"
#include "jvm/code/surely_held.hpp"

namespace lockwood::jvm {
namespace {

// An enter or exit ends its block, but for the jump: control_flow.hpp.
std::optional<InstructionId> monitor_action(const MethodBody& body, Block block) {
  std::optional<InstructionId> found;
  for (InstructionId id : body.instructions_of(block)) {
    const Operation& operation = body.instructions[id].operation;
    if (!std::holds_alternative<MonitorEnter>(operation) && !std::holds_alternative<MonitorExit>(operation)) continue;
    assert(!found);
    found = id;
  }
  return found;
}

MonitorFlow monitor_flow(const MethodBody& body, const ValueNumbers& numbers,
                         const IdVector<Block, std::optional<InstructionId>>& actions) {
  MonitorFlow flow;
  flow.nodes.reserve(body.blocks.size());
  const auto numbers_of = [](const std::vector<Block>& blocks) {
    std::vector<std::uint32_t> result;
    result.reserve(blocks.size());
    for (Block block : blocks) result.push_back(static_cast<std::uint32_t>(block.index()));
    return result;
  };
  for (Block id : body.blocks.keys()) {
    const BasicBlock& block = body.blocks[id];
    MonitorFlow::Node node;
    if (const auto action = actions[id]) {
      const Instruction& instruction = body.instructions[*action];
      node.action = std::holds_alternative<MonitorEnter>(instruction.operation) ? MonitorFlow::Action::Enter
                                                                                : MonitorFlow::Action::Exit;
      node.object = static_cast<std::uint32_t>(numbers[body.operands_of(instruction).front()].index());
    }
    node.successors = numbers_of(block.successors);
    node.handlers = numbers_of(block.handlers);
    // A throw that leaves the method is among those that leave by an exception.
    const Operation& last = body.instructions[InstructionId{block.end.index() - 1}].operation;
    node.leaves = std::holds_alternative<Return>(last);
    node.leaves_by_exception = block.leaves_by_exception;
    flow.nodes.push_back(std::move(node));
  }
  return flow;
}

MonitorNote note(const MethodBody& body, InstructionId id, std::string text) {
  const Instruction& instruction = body.instructions[id];
  return {instruction.offset, instruction.line, std::move(text)};
}

void add_notes(const MethodBody& body, const MonitorStructure& structure, MonitorRegions& result) {
  for (InstructionId enter : result.ignored_enters)
    result.notes.push_back(note(body, enter,
                                "this monitorenter is ignored: " + structure.reason +
                                    (structure.fewest ? "" : "; all monitors of the method are ignored")));
  for (InstructionId exit : result.ignored_exits)
    result.notes.push_back(note(body, exit, "this monitorexit is ignored: it belongs to no region"));
}

}  // namespace

MonitorRegions monitor_regions(const MethodBody& body, const ValueNumbers& numbers) {
  MonitorRegions result;
  result.held = IdVector<Block, std::vector<RegionId>>(body.blocks.size());
  IdVector<Block, std::optional<InstructionId>> actions(body.blocks.size());
  bool has_monitors = false;
  for (Block block : body.blocks.keys()) {
    actions[block] = monitor_action(body, block);
    has_monitors = has_monitors || actions[block];
  }
  if (!has_monitors) return result;

  const MonitorFlow flow = monitor_flow(body, numbers, actions);
  const MonitorStructure structure = monitor_structure(flow);
  const auto action_of = [&](std::uint32_t node) {
    assert(actions[Block{node}]);
    return *actions[Block{node}];
  };
  for (std::uint32_t node : structure.ignored_enters) result.ignored_enters.push_back(action_of(node));
  for (std::uint32_t node : structure.ignored_exits) result.ignored_exits.push_back(action_of(node));
  for (std::uint32_t node : unsure_exits(flow)) result.throwing_exits.push_back(action_of(node));
  IdVector<Block, std::optional<RegionId>> region_of(body.blocks.size());
  for (Block block : body.blocks.keys()) {
    if (!actions[block] || !std::holds_alternative<MonitorEnter>(body.instructions[*actions[block]].operation) ||
        std::ranges::binary_search(structure.ignored_enters, static_cast<std::uint32_t>(block.index())))
      continue;
    const Register object = body.operands_of(body.instructions[*actions[block]]).front();
    region_of[block] = result.regions.push_back({*actions[block], {}, object});
  }
  for (Block block : body.blocks.keys()) {
    if (const auto enter = structure.enter_of[block.index()])
      result.regions[*region_of[Block{*enter}]].exits.push_back(*actions[block]);
    auto& held = result.held[block];
    for (auto stack = structure.held[block.index()]; stack; stack = structure.stacks[*stack].around)
      held.push_back(*region_of[Block{structure.stacks[*stack].enter}]);
    std::ranges::reverse(held);
  }
  add_notes(body, structure, result);
  return result;
}

}  // namespace lockwood::jvm
