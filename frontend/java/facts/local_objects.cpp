#include "frontend/java/facts/local_objects.hpp"

#include <optional>

namespace lockwood::java {
namespace {

using namespace jvm;

// Nobody, one thread, or several.
struct Accessor {
  std::optional<std::uint32_t> thread;
  bool several = false;
  void add(std::uint32_t other) {
    if (thread && *thread != other) several = true;
    thread = other;
  }
};

bool is_access(const Operation& operation) {
  return std::holds_alternative<GetField>(operation) || std::holds_alternative<PutField>(operation) ||
         std::holds_alternative<ArrayLoad>(operation) || std::holds_alternative<ArrayStore>(operation);
}

}  // namespace

IdVector<ObjectId, bool> thread_local_objects(const PointsTo& flow, const ThreadFacts& threads) {
  const std::size_t count = flow.universe().objects().size();
  IdVector<ObjectId, Accessor> accessors(count);
  const auto main = static_cast<std::uint32_t>(threads.threads.size());
  const auto note = [&](CopyId copy, const ObjectSet& objects) {
    objects.for_each([&](ObjectId object) {
      for (std::uint32_t thread : threads.run_by[copy]) {
        accessors[object].add(thread);
        if (thread != main && !threads.threads[thread].once) accessors[object].several = true;
      }
    });
  };
  for (CopyId copy : flow.copies().keys()) {
    const Procedure& procedure = flow.procedure(copy);
    if (procedure.code)
      for (const Instruction& instruction : procedure.code->body.instructions)
        if (is_access(instruction.operation))
          note(copy, flow.objects(copy, procedure.code->body.operands_of(instruction)[0]));
    for (const ModelEvent& event : procedure.events)
      if (std::holds_alternative<library::StateAccess>(event.effect->kind) && event.object)
        note(copy, flow.objects(copy, *event.object));
  }
  IdVector<ObjectId, bool> result(count);
  for (ObjectId object : result.keys()) {
    // An unknown object stands for others that nobody here has seen.
    const bool known = flow.universe().objects()[object].kind == ObjectKind::Allocation;
    result[object] = known && !accessors[object].several;
  }
  return result;
}

}  // namespace lockwood::java
