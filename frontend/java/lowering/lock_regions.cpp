#include "frontend/java/lowering/lock_regions.hpp"

#include <algorithm>
#include <cassert>
#include <map>

#include "jvm/code/monitor_structure.hpp"

namespace lockwood::java {
namespace {

using namespace jvm;

// The effect of a model on the lock of its receiver, outside of conditions.
const library::Effect* lock_effect(const Procedure& model) {
  for (const ModelEvent& event : model.events) {
    const auto* acquire = std::get_if<library::LockAcquire>(&event.effect->kind);
    const auto* release = std::get_if<library::LockRelease>(&event.effect->kind);
    if (acquire != nullptr || release != nullptr) return event.effect;
  }
  return nullptr;
}

// A stretch of a block that ends with an action, or with the block.
struct Segment {
  Block block;
  InstructionId begin{0};
  InstructionId end{0};
  std::optional<InstructionId> action;
  std::optional<TriedEdge> tried;  // no instruction: the edge behind `action`, a tryLock()
};

// The locks of one method as a flow graph of segments.
class LockFlow {
 public:
  LockFlow(const Facts& facts, ProcedureId id)
      : facts_{facts}, id_{id}, procedure_{facts.flow.universe().procedure(id)}, body_{procedure_.code->body} {
    for (Block block : body_.blocks.keys()) {
      first_.push_back(static_cast<std::uint32_t>(segments_.size()));
      split(block);
    }
    for (Block block : body_.blocks.keys()) add_tried_edge(block);
    for (std::uint32_t i = 0; i < segments_.size(); ++i) flow_.nodes.push_back(node(i));
  }
  [[nodiscard]] bool has_actions() const { return has_actions_; }

  LockRegions result() const {
    const MonitorStructure structure = monitor_structure(flow_);
    LockRegions regions;
    regions.around.resize(body_.instructions.size());
    std::vector<std::optional<LockRegionId>> region_of(segments_.size());
    for (std::uint32_t i = 0; i < segments_.size(); ++i) {
      if (flow_.nodes[i].action != MonitorFlow::Action::Enter) continue;
      if (std::ranges::binary_search(structure.ignored_enters, i)) {
        regions.ignored.push_back(*segments_[i].action);
        continue;
      }
      region_of[i] = regions.regions.push_back({*segments_[i].action,
                                                {},
                                                locked_value(facts_, id_, *segments_[i].action),
                                                std::nullopt,
                                                segments_[i].tried});
    }
    for (std::uint32_t node : structure.ignored_exits) regions.ignored.push_back(*segments_[node].action);
    for (std::uint32_t i = 0; i < segments_.size(); ++i) {
      if (const auto enter = structure.enter_of[i])
        regions.regions[*region_of[*enter]].exits.push_back(*segments_[i].action);
      std::optional<LockRegionId> inner;
      if (const auto stack = structure.held[i]) inner = region_of[structure.stacks[*stack].enter];
      if (region_of[i]) regions.regions[*region_of[i]].parent = inner;
      for (std::size_t at = segments_[i].begin.index(); at < segments_[i].end.index(); ++at)
        regions.around[InstructionId{at}] = inner;
    }
    std::ranges::sort(regions.ignored);
    return regions;
  }

 private:
  [[nodiscard]] MonitorFlow::Action action_of(InstructionId at) const {
    const Operation& operation = body_.instructions[at].operation;
    if (std::holds_alternative<MonitorEnter>(operation)) return MonitorFlow::Action::Enter;
    if (std::holds_alternative<MonitorExit>(operation)) return MonitorFlow::Action::Exit;
    switch (lock_call(facts_, id_, at).action) {
      case LockAction::Acquire: return MonitorFlow::Action::Enter;
      case LockAction::Release: return MonitorFlow::Action::Exit;
      default: return MonitorFlow::Action::None;
    }
  }
  void split(Block block) {
    InstructionId begin = body_.blocks[block].begin;
    for (InstructionId at : body_.instructions_of(block)) {
      if (action_of(at) == MonitorFlow::Action::None) continue;
      segments_.push_back({block, begin, InstructionId{at.index() + 1}, at});
      begin = InstructionId{at.index() + 1};
      has_actions_ = true;
    }
    segments_.push_back({block, begin, body_.blocks[block].end, std::nullopt});
  }
  // A tryLock() whose result this block branches on, with nothing between that could take a lock or throw.
  [[nodiscard]] std::optional<InstructionId> tried_in(Block block) const {
    const InstructionId last{body_.blocks[block].end.index() - 1};
    const auto* branch = std::get_if<jvm::Branch>(&body_.instructions[last].operation);
    if (branch == nullptr || (branch->opcode != Opcode::Ifeq && branch->opcode != Opcode::Ifne)) return std::nullopt;
    const Register asked = body_.operands_of(body_.instructions[last]).front();
    for (std::size_t i = last.index(); i-- > body_.blocks[block].begin.index();) {
      const Instruction& instruction = body_.instructions[InstructionId{i}];
      if (std::holds_alternative<Invoke>(instruction.operation)) {
        const bool is_asked =
            instruction.result && procedure_.code->numbers[*instruction.result] == procedure_.code->numbers[asked];
        if (!is_asked || lock_call(facts_, id_, InstructionId{i}).action != LockAction::Try) return std::nullopt;
        return InstructionId{i};
      }
      if (std::holds_alternative<MonitorEnter>(instruction.operation) ||
          std::holds_alternative<MonitorExit>(instruction.operation))
        return std::nullopt;
    }
    return std::nullopt;
  }
  void add_tried_edge(Block block) {
    const auto call = tried_in(block);
    const auto& successors = body_.blocks[block].successors;
    if (!call || successors.size() != 2 || successors.front() == successors.back()) return;
    const InstructionId last{body_.blocks[block].end.index() - 1};
    const bool taken = std::get<jvm::Branch>(body_.instructions[last].operation).opcode == Opcode::Ifne;
    const TriedEdge edge{block, taken ? successors.front() : successors.back()};
    edges_.emplace(block, static_cast<std::uint32_t>(segments_.size()));
    segments_.push_back({block, body_.blocks[block].end, body_.blocks[block].end, *call, edge});
    has_actions_ = true;
  }
  // Some instruction of the segment but its last action may really throw.
  [[nodiscard]] bool throws(const Segment& segment) const {
    for (std::size_t i = segment.begin.index(); i < segment.end.index(); ++i) {
      if (segment.action && segment.action->index() == i && flow_action_is_exit(segment)) continue;
      for (CopyId copy : facts_.calls.copies_of(id_))
        if (!facts_.exceptions.thrown_at(copy, InstructionId{i}).empty()) return true;
    }
    return false;
  }
  [[nodiscard]] bool flow_action_is_exit(const Segment& segment) const {
    return action_of(*segment.action) == MonitorFlow::Action::Exit;
  }
  [[nodiscard]] MonitorFlow::Node node(std::uint32_t number) const {
    const Segment& segment = segments_[number];
    const BasicBlock& block = body_.blocks[segment.block];
    MonitorFlow::Node node;
    if (segment.action) {
      node.action = segment.tried ? MonitorFlow::Action::Enter : action_of(*segment.action);
      const LockedValue locked = locked_value(facts_, id_, *segment.action);
      const auto object = static_cast<std::uint32_t>(procedure_.code->numbers[locked.value].index());
      // Other kinds of locks of the same object are other locks.
      node.object = object * 8 + (locked.kind == LockKind::Lock ? 4U : 0U) + (locked.is_view ? 2U : 0U) +
                    (locked.shared ? 1U : 0U);
    }
    if (segment.tried) {
      node.successors.push_back(first_[segment.tried->to.index()]);
      return node;
    }
    const bool last = segment.end == block.end;
    if (!last) node.successors.push_back(number + 1);
    if (last)
      for (Block next : block.successors) node.successors.push_back(entry_of(segment.block, next));
    if (throws(segment)) {
      for (Block handler : block.handlers) node.handlers.push_back(first_[handler.index()]);
      node.leaves_by_exception = block.leaves_by_exception;
    }
    node.leaves =
        last && std::holds_alternative<Return>(body_.instructions[InstructionId{block.end.index() - 1}].operation);
    return node;
  }

  // The segment that an edge leads to.
  [[nodiscard]] std::uint32_t entry_of(Block from, Block to) const {
    const auto edge = edges_.find(from);
    if (edge != edges_.end() && segments_[edge->second].tried->to == to) return edge->second;
    return first_[to.index()];
  }

  const Facts& facts_;
  ProcedureId id_;
  const Procedure& procedure_;
  const MethodBody& body_;
  std::vector<Segment> segments_;
  std::map<Block, std::uint32_t> edges_;  // segments of edges behind a tryLock(), by the block that they leave
  std::vector<std::uint32_t> first_;      // segment of each block
  MonitorFlow flow_;
  bool has_actions_ = false;
};

}  // namespace

namespace {

// What a lock effect takes is its object itself, or what the object belongs to.
bool is_of_owner(const library::Effect& effect) {
  const auto* acquire = std::get_if<library::LockAcquire>(&effect.kind);
  return !(acquire != nullptr ? acquire->lock : std::get<library::LockRelease>(effect.kind).lock).path.empty();
}

LockCall lock_call_of(const Procedure& model) {
  const library::Effect* effect = lock_effect(model);
  if (effect == nullptr) return {};
  LockCall found{.effect = effect, .of_owner = is_of_owner(*effect)};
  if (const auto* acquire = std::get_if<library::LockAcquire>(&effect->kind)) {
    found.action = acquire->blocks ? LockAction::Acquire : LockAction::Try;
    found.shared = acquire->is_shared;
  } else {
    found.action = LockAction::Release;
    found.shared = std::get<library::LockRelease>(effect->kind).is_shared;
  }
  return found;
}

// The model makes a new object that belongs to the receiver, and returns it.
bool makes_view(const Procedure& procedure) {
  const auto* origin = std::get_if<ModelOrigin>(&procedure.origin);
  if (origin == nullptr || procedure.is_static) return false;
  std::optional<library::ModelLocal> made;
  bool owned = false;
  for (const library::Effect& effect : origin->model->effects) {
    if (const auto* allocation = std::get_if<library::Allocation>(&effect.kind)) {
      made = allocation->local;
    } else if (const auto* store = std::get_if<library::FieldStore>(&effect.kind)) {
      owned = std::holds_alternative<library::This>(store->value.root) && store->value.path.empty();
    } else if (const auto* result = std::get_if<library::ReturnValue>(&effect.kind)) {
      const auto* local = std::get_if<library::LocalValue>(&result->value.root);
      if (local == nullptr || made != local->local) return false;
    } else {
      return false;
    }
  }
  return made && owned;
}

}  // namespace

LockCall lock_call(const Facts& facts, ProcedureId procedure, InstructionId at) {
  const MethodBody& body = facts.flow.universe().procedure(procedure).code->body;
  const auto* invoke = std::get_if<Invoke>(&body.instructions[at].operation);
  if (invoke == nullptr || invoke->kind == InvokeKind::Static) return {};
  std::optional<LockCall> result;
  for (const ProcedureCall& call : facts.calls.calls_at(facts.flow.universe(), procedure, at)) {
    const LockCall here = lock_call_of(facts.flow.universe().procedure(call.callee));
    if (!result) {
      result = here;
    } else if (here.action != result->action || here.shared != result->shared) {
      return {.action = LockAction::Unclear};
    } else {
      result->of_owner = result->of_owner || here.of_owner;
    }
  }
  return result.value_or(LockCall{});
}

LockedValue locked_value(const Facts& facts, ProcedureId id, InstructionId at) {
  const MethodBody& body = facts.flow.universe().procedure(id).code->body;
  const Register value = body.operands_of(body.instructions[at]).front();
  if (!std::holds_alternative<Invoke>(body.instructions[at].operation)) return {.value = value};
  const LockCall call = lock_call(facts, id, at);
  LockedValue locked{.value = value, .kind = LockKind::Lock, .shared = call.shared};
  if (!call.of_owner) return locked;
  locked.is_owner = true;
  const InstructionId definition = body.registers[value].definition;
  const auto* invoke = std::get_if<Invoke>(&body.instructions[definition].operation);
  if (invoke == nullptr || invoke->kind == InvokeKind::Static) return locked;
  const auto makers = facts.calls.calls_at(facts.flow.universe(), id, definition);
  const bool views = !makers.empty() && std::ranges::all_of(makers, [&](const ProcedureCall& maker) {
    return makes_view(facts.flow.universe().procedure(maker.callee));
  });
  if (!views) return locked;
  locked.value = body.operands_of(body.instructions[definition]).front();
  locked.is_view = true;
  locked.is_owner = false;
  return locked;
}

LockRegions lock_regions(const Facts& facts, ProcedureId procedure) {
  const LockFlow flow{facts, procedure};
  if (flow.has_actions()) return flow.result();
  LockRegions none;
  none.around.resize(facts.flow.universe().procedure(procedure).code->body.instructions.size());
  return none;
}

}  // namespace lockwood::java
