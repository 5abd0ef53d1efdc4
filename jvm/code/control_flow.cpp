#include "jvm/code/control_flow.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>
#include <unordered_set>

namespace lockwood::jvm {
namespace {

using Point = ControlFlow::Point;

struct Handler {
  std::uint32_t instruction;  // where its code begins
  std::optional<ConstantIndex> type;
};

// The handlers of each instruction: rows of the exception table that cover it, in order, up to the first that surely
// matches. Instructions between two boundaries of the table share a list, which is made when it is asked for.
class HandlerLists {
 public:
  explicit HandlerLists(const ControlFlowInput& input) : input_{input} {
    for (const ExceptionHandler& row : input.code.handlers) {
      require_instruction(row.begin);
      require_instruction(row.target);
      if (row.end < input.code.code.size()) require_instruction(row.end);
      boundaries_.push_back(row.begin);
      boundaries_.push_back(row.end);
    }
    std::ranges::sort(boundaries_);
    boundaries_.erase(std::unique(boundaries_.begin(), boundaries_.end()), boundaries_.end());
    lists_.resize(boundaries_.size() + 1);
  }

  struct List {
    std::vector<Handler> handlers;
    bool sure = false;  // the last one takes every exception
  };
  [[nodiscard]] std::size_t interval(std::uint32_t offset) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(boundaries_, offset) - boundaries_.begin());
  }
  const List& list(std::uint32_t offset) {
    auto& list = lists_[interval(offset)];
    if (!list) list = made(offset);
    return *list;
  }

 private:
  void require_instruction(std::uint32_t offset) const {
    if (input_.index_at[offset] == no_instruction)
      throw MalformedBytes{offset, "the exception table names an offset inside of an instruction"};
  }

  List made(std::uint32_t offset) {
    List list;
    work_ += input_.code.handlers.size();
    if (work_ > max_handler_work) throw MalformedBytes{offset, "the exception table is too large"};
    for (const ExceptionHandler& row : input_.code.handlers) {
      if (offset < row.begin || offset >= row.end) continue;
      const std::uint32_t target = input_.index_at[row.target];
      const bool known = std::ranges::any_of(list.handlers, [&](const Handler& handler) {
        return handler.instruction == target && handler.type == row.type;
      });
      work_ += list.handlers.size();
      if (!known) list.handlers.push_back({target, row.type});
      list.sure = !row.type || input_.constants.class_name(*row.type) == "java/lang/Throwable";
      if (list.sure) break;
    }
    return list;
  }

  const ControlFlowInput& input_;
  std::vector<std::uint32_t> boundaries_;
  std::vector<std::optional<List>> lists_;  // by interval
  std::size_t work_ = 0;
};

// Who called a subroutine. A call of a subroutine that is active already was made after it had been left by a jump
// (real recursion is forbidden), so the old call is forgotten: each subroutine is in a chain once, and chains are
// finite.
struct Context {
  std::uint32_t parent;
  std::uint32_t subroutine;            // instruction
  std::uint32_t return_to;             // instruction
  std::optional<std::uint16_t> local;  // that keeps the return address
};

bool changes_local(const BytecodeInstruction& instruction) {
  return is_between(Opcode::Istore, instruction.opcode, Opcode::Astore3) || instruction.opcode == Opcode::Iinc;
}

bool is_monitor(const BytecodeInstruction& instruction) {
  return instruction.opcode == Opcode::Monitorenter || instruction.opcode == Opcode::Monitorexit;
}

class Builder {
 public:
  explicit Builder(const ControlFlowInput& input) : input_{input}, handlers_{input} {
    contexts_.push_back({0, 0, 0, {}});
  }

  ControlFlow run() {
    explore();
    find_leaders();
    make_nodes();
    for (FlowNode node : IdRange<FlowNode>{1, code_nodes_}) link(node);
    return std::move(flow_);
  }

 private:
  [[nodiscard]] const BytecodeInstruction& at(Point point) const { return input_.instructions[point.instruction]; }
  [[nodiscard]] std::uint32_t index_of(std::uint32_t offset, std::uint32_t from) const {
    const std::uint32_t index = input_.index_at[offset];
    if (index == no_instruction)
      throw MalformedBytes{from, "the target " + std::to_string(offset) + " is inside of an instruction"};
    return index;
  }
  [[nodiscard]] bool throws(Point point) const {
    if (at(point).opcode == Opcode::Monitorexit) return input_.exit_throws[point.instruction];
    return layout_of(at(point).opcode).throws_exception;
  }
  [[nodiscard]] Point next(Point point) const {
    if (point.instruction + 1 == input_.instructions.size())
      throw MalformedBytes{at(point).offset, "control falls off the end of the code"};
    return {point.context, point.instruction + 1};
  }

  Point called(Point point, std::uint32_t target) {
    const std::uint32_t base = without(point.context, target);
    return {context(base, target, next(point).instruction), target};
  }

  std::uint32_t context(std::uint32_t parent, std::uint32_t subroutine, std::uint32_t return_to) {
    const auto [known, is_new] = context_ids_.try_emplace({parent, subroutine, return_to}, contexts_.size());
    if (is_new) {
      // Compilers begin a subroutine by storing the return address.
      const BytecodeInstruction& first = input_.instructions[subroutine];
      const bool stores = first.opcode == Opcode::Astore || is_between(Opcode::Astore0, first.opcode, Opcode::Astore3);
      contexts_.push_back({parent, subroutine, return_to, stores ? std::optional{first.local} : std::nullopt});
    }
    return known->second;
  }

  // The chain of calls without that of the subroutine. What was called by it stays.
  std::uint32_t without(std::uint32_t chain, std::uint32_t subroutine) {
    std::vector<std::uint32_t> above;
    std::uint32_t frame = chain;
    for (; frame != 0 && contexts_[frame].subroutine != subroutine; frame = contexts_[frame].parent)
      above.push_back(frame);
    if (frame == 0) return chain;
    std::uint32_t result = contexts_[frame].parent;
    for (; !above.empty(); above.pop_back())
      result = context(result, contexts_[above.back()].subroutine, contexts_[above.back()].return_to);
    return result;
  }

  // The innermost active subroutine whose return address is in the local.
  [[nodiscard]] Point returned(Point point) const {
    if (point.context == 0) throw MalformedBytes{at(point).offset, "ret stands outside of a subroutine"};
    for (std::uint32_t frame = point.context; frame != 0; frame = contexts_[frame].parent)
      if (contexts_[frame].local == at(point).local) return {contexts_[frame].parent, contexts_[frame].return_to};
    const Context& innermost = contexts_[point.context];
    return {innermost.parent, innermost.return_to};
  }

  // Calls back with each point that follows without an exception, in the order of the successors of a node.
  template <class Visit>
  void for_each_next(Point point, const Visit& visit) {
    const BytecodeInstruction& instruction = at(point);
    const auto jump = [&](std::uint32_t offset) { visit(Point{point.context, index_of(offset, instruction.offset)}); };
    switch (layout_of(instruction.opcode).flow) {
      case Flow::Next: visit(next(point)); return;
      case Flow::Branch:
        jump(instruction.target());
        visit(next(point));
        return;
      case Flow::Goto: jump(instruction.target()); return;
      case Flow::Switch: {
        const SwitchTable table = decode_switch(input_.code.code, instruction);
        for (const SwitchTable::Case& one : table.cases) jump(one.target);
        jump(table.otherwise);
        return;
      }
      case Flow::Jsr: visit(called(point, index_of(instruction.target(), instruction.offset))); return;
      case Flow::Ret: visit(returned(point)); return;
      case Flow::Return:
      case Flow::Throw: return;
    }
  }

  // All points that can be reached, and those that begin a node because some other point leads there.
  void explore() {
    std::vector<bool> seen_outside(input_.instructions.size());
    std::unordered_set<std::uint64_t> seen_inside;
    std::vector<Point> worklist;
    std::vector<Point> all;
    const auto reach = [&](Point point) {
      if (point.context == 0) {
        if (seen_outside[point.instruction]) return;
        seen_outside[point.instruction] = true;
      } else if (!seen_inside.insert(std::uint64_t{point.context} << 32U | point.instruction).second) {
        return;
      }
      if (contexts_.size() > 1 && all.size() >= max_copied_instructions)
        throw MalformedBytes{at(point).offset,
                             "with a copy of each subroutine for each call, the method has more than " +
                                 std::to_string(max_copied_instructions) + " instructions"};
      all.push_back(point);
      worklist.push_back(point);
    };
    reach({0, 0});
    while (!worklist.empty()) {
      const Point point = worklist.back();
      worklist.pop_back();
      for_each_next(point, reach);
      if (!throws(point)) continue;
      for (const Handler& handler : handlers_.list(at(point).offset).handlers)
        reach({point.context, handler.instruction});
    }
    std::ranges::sort(all);
    for (Point point : all) flow_.points.push_back(point);
  }

  [[nodiscard]] CodePoint id_of(Point point) const {
    const auto& rows = flow_.points.rows();
    const auto found = std::ranges::lower_bound(rows, point);
    assert(found != rows.end() && *found == point);
    return CodePoint{static_cast<std::size_t>(found - rows.begin())};
  }

  void find_leaders() {
    leader_ = IdVector<CodePoint, bool>(flow_.points.size());
    leader_[id_of({0, 0})] = true;
    for (CodePoint id : flow_.points.keys()) {
      const Point point = flow_.points[id];
      const bool ends = layout_of(at(point).opcode).flow != Flow::Next;
      if (ends || is_monitor(at(point))) for_each_next(point, [&](Point other) { leader_[id_of(other)] = true; });
      if (!throws(point)) continue;
      for (const Handler& handler : handlers_.list(at(point).offset).handlers)
        leader_[id_of({point.context, handler.instruction})] = true;
    }
    split_for_handlers();
  }

  // Where handlers change, and so that a node with handlers has no change of a local: exceptions then find the locals
  // as they are when the node is entered.
  void split_for_handlers() {
    bool has_thrown = false;
    bool has_changed = false;
    for (CodePoint id : flow_.points.keys()) {
      const Point point = flow_.points[id];
      const std::uint32_t offset = at(point).offset;
      if (id.index() > 0) {
        const std::uint32_t before = at(flow_.points[CodePoint{id.index() - 1}]).offset;
        if (handlers_.interval(before) != handlers_.interval(offset)) leader_[id] = true;
      }
      if (leader_[id]) has_thrown = has_changed = false;
      if (handlers_.list(offset).handlers.empty()) continue;
      const bool now_throws = throws(point);
      const bool now_changes = changes_local(at(point));
      if ((now_throws && has_changed) || (now_changes && has_thrown)) {
        leader_[id] = true;
        has_thrown = has_changed = false;
      }
      has_thrown = has_thrown || now_throws;
      has_changed = has_changed || now_changes;
    }
  }

  void make_nodes() {
    flow_.nodes.push_back({});
    flow_.node_at = IdVector<CodePoint, std::optional<FlowNode>>(flow_.points.size());
    for (CodePoint id : flow_.points.keys()) {
      if (leader_[id])
        flow_.node_at[id] = flow_.nodes.push_back({.begin = id, .end = id, .offset = at(flow_.points[id]).offset});
      assert(flow_.nodes.size() > 1);  // the first point of a context is a target of a jump
      ControlFlow::Node& node = flow_.nodes[FlowNode{flow_.nodes.size() - 1}];
      node.end = CodePoint{id.index() + 1};
      node.throws = node.throws || throws(flow_.points[id]);
    }
    code_nodes_ = flow_.nodes.size();
    flow_.nodes[FlowNode{0}].successors = {*flow_.node_at[id_of({0, 0})]};
  }

  void link(FlowNode id) {
    const ControlFlow::Node& node = flow_.nodes[id];
    assert(node.begin < node.end);
    const Point last = flow_.points[CodePoint{node.end.index() - 1}];
    const bool is_switch = layout_of(at(last).opcode).flow == Flow::Switch;
    std::vector<FlowNode> successors;
    for_each_next(last, [&](Point point) {
      const auto target = flow_.node_at[id_of(point)];
      assert(target);
      successors.push_back(*target);
    });
    if (is_switch) {
      std::ranges::sort(successors);
      successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
    }
    flow_.nodes[id].successors = std::move(successors);
    if (!flow_.nodes[id].throws) return;
    const HandlerLists::List& list = handlers_.list(flow_.nodes[id].offset);
    flow_.nodes[id].leaves_by_exception = !list.sure;
    edges_ += list.handlers.size();
    if (edges_ > max_exceptional_edges)
      throw MalformedBytes{flow_.nodes[id].offset, "the exception table leads to too many edges"};
    std::vector<FlowNode> catches;
    catches.reserve(list.handlers.size());
    for (const Handler& handler : list.handlers) catches.push_back(catch_node(last.context, handler));
    flow_.nodes[id].handlers = std::move(catches);
  }

  FlowNode catch_node(std::uint32_t context, const Handler& handler) {
    const std::size_t type = handler.type ? handler.type->index() : 0;  // no constant has index 0
    const auto [known, is_new] =
        catches_.try_emplace({context, handler.instruction, type}, FlowNode{flow_.nodes.size()});
    if (is_new) {
      const CodePoint code = id_of({context, handler.instruction});
      assert(flow_.node_at[code]);
      flow_.nodes.push_back({.begin = code,
                             .end = code,
                             .offset = input_.instructions[handler.instruction].offset,
                             .successors = {*flow_.node_at[code]},
                             .is_catch = true,
                             .catch_type = handler.type});
    }
    return known->second;
  }

  const ControlFlowInput& input_;
  HandlerLists handlers_;
  std::vector<Context> contexts_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> context_ids_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t>, FlowNode> catches_;
  IdVector<CodePoint, bool> leader_;
  std::size_t code_nodes_ = 0;
  std::size_t edges_ = 0;
  ControlFlow flow_;
};

}  // namespace

FlowNode ControlFlow::target(CodePoint from, std::uint32_t instruction) const {
  const Point wanted{points[from].context, instruction};
  const auto found = std::ranges::lower_bound(points.rows(), wanted);
  assert(found != points.rows().end() && *found == wanted);
  const auto node = node_at[CodePoint{static_cast<std::size_t>(found - points.rows().begin())}];
  assert(node);
  return *node;
}

std::vector<std::uint32_t> indices_by_offset(const CodeAttribute& code,
                                             const std::vector<BytecodeInstruction>& instructions) {
  std::vector<std::uint32_t> indices(code.code.size(), no_instruction);
  for (std::uint32_t i = 0; i < instructions.size(); ++i) indices[instructions[i].offset] = i;
  return indices;
}

ControlFlow control_flow(const ControlFlowInput& input) { return Builder{input}.run(); }

}  // namespace lockwood::jvm
