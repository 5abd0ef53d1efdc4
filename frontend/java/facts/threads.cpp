#include "frontend/java/facts/threads.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace lockwood::java {
namespace {

using namespace jvm;

// All objects that may be interrupted.
ObjectSet interrupted_objects(const PointsTo& flow) {
  ObjectSet result;
  for (CopyId copy : flow.copies().keys())
    for (const ModelEvent& event : flow.procedure(copy).events)
      if (std::holds_alternative<library::ThreadInterrupt>(event.effect->kind) && event.object)
        result.unite(flow.objects(copy, *event.object));
  return result;
}

std::vector<AbstractThread> find_threads(const PointsTo& flow, const CodeShapes& shapes, const Executions& executions) {
  std::vector<AbstractThread> threads;
  for (CopyId copy : flow.copies().keys())
    for (const CallEdge& edge : flow.calls_of(copy)) {
      const Call& call = flow.call(edge);
      if (call.flavor != CallFlavor::Spawn) continue;
      AbstractThread thread{.spawn = edge, .handles = {}, .starts = places_in_code(flow, copy)};
      for (Local handle : call.handles) thread.handles.unite(flow.objects(copy, handle));
      thread.once = executions.once[copy] && !in_loop(flow, shapes, edge);
      threads.push_back(std::move(thread));
    }
  return threads;
}

// Who runs what: along calls, not along spawns.
void mark(const PointsTo& flow, CopyId root, std::uint32_t thread, ThreadFacts& facts) {
  std::vector<CopyId> stack{root};
  while (!stack.empty()) {
    const CopyId copy = stack.back();
    stack.pop_back();
    auto& known = facts.run_by[copy];
    if (!known.empty() && known.back() == thread) continue;
    known.push_back(thread);
    for (const CallEdge& edge : flow.calls_of(copy))
      if (flow.call(edge).flavor != CallFlavor::Spawn) stack.push_back(edge.callee);
  }
}

void mark_all(const PointsTo& flow, ThreadFacts& facts) {
  facts.run_by.resize(flow.copies().size());
  for (std::uint32_t i = 0; i < facts.threads.size(); ++i) mark(flow, facts.threads[i].spawn.callee, i, facts);
  const auto main = static_cast<std::uint32_t>(facts.threads.size());
  for (CopyId root : flow.entries()) mark(flow, root, main, facts);
  // Any thread may be the first to use a class.
  for (const auto& [type, root] : flow.initialisers())
    for (std::uint32_t i = 0; i <= main; ++i) mark(flow, root, i, facts);
}

void find_interruptible(const PointsTo& flow, ThreadFacts& facts) {
  const ObjectSet interrupted = interrupted_objects(flow);
  bool unknown = false;
  interrupted.for_each(
      [&](ObjectId object) { unknown = unknown || flow.universe().objects()[object].kind == ObjectKind::Unknown; });
  std::vector<bool> by_thread(facts.threads.size() + 1, unknown);
  for (std::size_t i = 0; i < facts.threads.size(); ++i) {
    bool handle_unknown = false;
    facts.threads[i].handles.for_each([&](ObjectId object) {
      handle_unknown = handle_unknown || flow.universe().objects()[object].kind == ObjectKind::Unknown;
    });
    if (facts.threads[i].handles.intersects(interrupted) || (handle_unknown && !interrupted.empty()))
      by_thread[i] = true;
  }
  facts.interruptible.resize(flow.copies().size());
  for (CopyId copy : flow.copies().keys())
    facts.interruptible[copy] =
        std::ranges::any_of(facts.run_by[copy], [&](std::uint32_t thread) { return by_thread[thread]; });
}

// Of a call with a receiver.
Register receiver_of(const PointsTo& flow, const CodePlace& place) {
  const MethodBody& body = flow.procedure(place.copy).code->body;
  return body.operands_of(body.instructions[place.instruction]).front();
}

bool has_receiver(const PointsTo& flow, const CodePlace& place) {
  const MethodBody& body = flow.procedure(place.copy).code->body;
  const Instruction& instruction = body.instructions[place.instruction];
  const auto* invoke = std::get_if<Invoke>(&instruction.operation);
  return invoke != nullptr && invoke->kind != InvokeKind::Static;
}

// What one can join after the start: the object that is started, or the result of the call, such as a future.
// `handles` are those of all threads that the place starts.
std::optional<Register> started_value(const PointsTo& flow, const ObjectSet& handles, const CodePlace& start) {
  const Instruction& instruction = flow.procedure(start.copy).code->body.instructions[start.instruction];
  const auto is_handle = [&](Register value) {
    ObjectSet others = flow.objects(start.copy, value);
    if (others.empty()) return false;
    others.remove_all(handles);
    return others.empty();
  };
  if (instruction.result && flow.procedure(start.copy).local_of[*instruction.result] && is_handle(*instruction.result))
    return *instruction.result;
  if (has_receiver(flow, start) && is_handle(receiver_of(flow, start))) return receiver_of(flow, start);
  return std::nullopt;
}

// Start and join of one value, the start on every way to the join.
bool same_value(const PointsTo& flow, const CodeShapes& shapes, const ObjectSet& handles, const CodePlace& start,
                const CodePlace& join) {
  if (start.copy != join.copy || !has_receiver(flow, join)) return false;
  const auto started = started_value(flow, handles, start);
  const auto& numbers = flow.procedure(start.copy).code->numbers;
  if (!started || numbers[*started] != numbers[receiver_of(flow, join)]) return false;
  return shapes[flow.copies()[start.copy].procedure].passes(start.instruction, join.instruction);
}

std::optional<LoopExit> all_elements(const PointsTo& flow, const CodeShapes& shapes, const ThreadFacts& facts,
                                     const CodePlace& start, const CodePlace& join) {
  if (start.copy != join.copy || !has_receiver(flow, start) || !has_receiver(flow, join)) return std::nullopt;
  const ProcedureId id = flow.copies()[join.copy].procedure;
  const Procedure& procedure = flow.universe().procedure(id);
  const auto& constants = flow.universe().hierarchy().file(procedure.owner)->constants;
  return joined_with_array(procedure, shapes[id], constants, start.instruction, join.instruction,
                           facts.interruptible[join.copy]);
}

void match_joins(const PointsTo& flow, const CodeShapes& shapes, const Executions& executions, ThreadFacts& facts) {
  std::map<CodePlace, ObjectSet> handles_at;
  for (const AbstractThread& thread : facts.threads)
    for (const CodePlace& start : thread.starts) handles_at[start].unite(thread.handles);
  for (CopyId copy : flow.copies().keys())
    for (const ModelEvent& event : flow.procedure(copy).events) {
      if (!std::holds_alternative<library::ThreadJoin>(event.effect->kind) || !event.object) continue;
      const ObjectSet& joined = flow.objects(copy, *event.object);
      for (const CodePlace& join : places_in_code(flow, copy)) {
        bool matched = false;
        for (std::size_t i = 0; i < facts.threads.size(); ++i) {
          const AbstractThread& thread = facts.threads[i];
          if (!thread.handles.intersects(joined)) continue;
          for (const CodePlace& start : thread.starts) {
            if (same_value(flow, shapes, handles_at[start], start, join)) {
              facts.joins.push_back({JoinMatch::Kind::SameValue, i, start, join, start.copy});
              matched = true;
            } else if (const auto loop = all_elements(flow, shapes, facts, start, join)) {
              facts.joins.push_back({JoinMatch::Kind::AllElements, i, start, join, start.copy, loop});
              matched = true;
            } else if (joined.is_single() && thread.handles == joined && thread.once && thread.starts.size() == 1 &&
                       executions.once[start.copy]) {
              facts.joins.push_back({JoinMatch::Kind::UniqueObject, i, start, join});
              matched = true;
            }
          }
        }
        if (!matched) facts.unmatched_joins.push_back(join);
      }
    }
}

}  // namespace

std::vector<CodePlace> places_in_code(const PointsTo& flow, CopyId copy) {
  std::set<CodePlace> places;
  std::set<CopyId> seen;
  std::vector<CopyId> stack{copy};
  while (!stack.empty()) {
    const CopyId next = stack.back();
    stack.pop_back();
    if (!seen.insert(next).second) continue;
    for (const CallEdge& edge : flow.callers(next)) {
      const Call& call = flow.call(edge);
      if (flow.procedure(edge.caller).code && call.instruction)
        places.insert({edge.caller, *call.instruction});
      else
        stack.push_back(edge.caller);
    }
  }
  return {places.begin(), places.end()};
}

ThreadFacts thread_facts(const PointsTo& flow, const CodeShapes& shapes, const Executions& executions) {
  ThreadFacts facts;
  facts.threads = find_threads(flow, shapes, executions);
  mark_all(flow, facts);
  find_interruptible(flow, facts);
  match_joins(flow, shapes, executions, facts);
  return facts;
}

}  // namespace lockwood::java
