#include "frontend/java/facts/local_objects.hpp"

#include <map>
#include <optional>
#include <vector>

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

// Objects that more than one thread may have: those of static fields, those that a thread is started with, those that
// the library may keep, and all that is in fields of these. Each other object is only in locals of the thread that has
// made it, and in fields of such objects, however many threads make some.
class SharedObjects {
 public:
  explicit SharedObjects(const PointsTo& flow) : flow_{flow}, shared_(flow.universe().objects().size()) {
    for (const auto& [owner, field] : flow.object_fields()) fields_[owner].push_back(field);
    for (ObjectId object : shared_.keys())
      if (flow.universe().objects()[object].kind != ObjectKind::Allocation) add(object);
    for (FieldKey field : flow.universe().fields().keys()) add(flow.static_objects(field));
    for (CopyId copy : flow.copies().keys()) add_of(copy);
    while (!worklist_.empty()) {
      const ObjectId owner = worklist_.back();
      worklist_.pop_back();
      if (const auto known = fields_.find(owner); known != fields_.end())
        for (FieldKey field : known->second) add(flow.objects(owner, field));
    }
  }
  [[nodiscard]] bool contains(ObjectId object) const { return shared_[object]; }

 private:
  void add(ObjectId object) {
    if (shared_[object]) return;
    shared_[object] = true;
    worklist_.push_back(object);
  }
  void add(const ObjectSet& objects) {
    objects.for_each([&](ObjectId object) { add(object); });
  }
  void add_parameters(CopyId copy) {
    for (const auto& parameter : flow_.procedure(copy).parameters)
      if (parameter) add(flow_.objects(copy, *parameter));
  }
  void add_of(CopyId copy) {
    const Procedure& procedure = flow_.procedure(copy);
    if (std::holds_alternative<UnmodelledOrigin>(procedure.origin) ||
        std::holds_alternative<ReflectionOrigin>(procedure.origin))
      add_parameters(copy);
    for (const CallEdge& edge : flow_.calls_of(copy)) {
      const Call& call = flow_.call(edge);
      if (call.flavor != CallFlavor::Spawn) continue;
      add_parameters(edge.callee);
      for (Local handle : call.handles) add(flow_.objects(copy, handle));
    }
  }

  const PointsTo& flow_;
  IdVector<ObjectId, bool> shared_;
  std::map<ObjectId, std::vector<FieldKey>> fields_;
  std::vector<ObjectId> worklist_;
};

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
  const SharedObjects shared{flow};
  IdVector<ObjectId, bool> result(count);
  for (ObjectId object : result.keys()) {
    // An unknown object stands for others that nobody here has seen.
    const bool known = flow.universe().objects()[object].kind == ObjectKind::Allocation;
    result[object] = known && (!accessors[object].several || !shared.contains(object));
  }
  return result;
}

}  // namespace lockwood::java
