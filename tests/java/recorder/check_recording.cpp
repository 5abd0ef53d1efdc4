// Compares what a run of a Java program did (Recorder.java) with what the analysis allows: call graph, starts of
// threads, objects of accesses and monitors, ownership, once-only executions, unique objects, exceptions. What was seen
// and is not allowed is an error of the analysis or of a model.
//
//     check_recording CLASSES (MAIN RECORDING)...
//
// Writes a line for each violation and the number of events for each program. Status 1 if there is a violation.

#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "frontend/java/facts/facts.hpp"
#include "frontend/java/java_program.hpp"
#include "frontend/java/library/model_reader.hpp"
#include "frontend/java/pointsto/points_to.hpp"

namespace java = lockwood::java;
namespace jvm = lockwood::jvm;
using nlohmann::json;

namespace {

class RecordingChecker {
 public:
  explicit RecordingChecker(const java::PointsTo& flow) : flow_{flow}, universe_{flow.universe()}, facts_{flow} {
    for (java::CopyId copy : flow_.copies().keys())
      if (flow_.procedure(copy).is_code()) copies_[name_of(flow_.procedure(copy))].push_back(copy);
    for (java::CopyId copy : flow_.copies().keys())
      for (const java::CallEdge& edge : flow_.calls_of(copy))
        if (flow_.call(edge).flavor == java::CallFlavor::Spawn) reach_code(edge.callee, spawned_);
  }

  // What is wrong with the event; empty if it is allowed.
  std::string check(const json& event) {
    const std::string kind = event.at("kind");
    if (kind == "call") return check_call(event);
    if (kind == "root") return check_root(event);
    if (kind == "access") return check_access(event);
    if (kind == "shared") return check_shared(event.at("object"));
    if (kind == "made") return check_made(event);
    if (kind == "entered") return check_entered(event);
    if (kind == "monitor") return check_monitor(event);
    if (kind == "exception") return check_exception(event);
    return "unknown event";
  }

 private:
  using Copies = std::set<java::CopyId>;

  [[nodiscard]] std::string name_of(const java::Procedure& procedure) const {
    return std::string{universe_.hierarchy().name(procedure.owner)} + "." + procedure.name + procedure.descriptor;
  }
  [[nodiscard]] const std::vector<java::CopyId>& copies_of(const std::string& method) const {
    static const std::vector<java::CopyId> none;
    const auto found = copies_.find(method);
    return found == copies_.end() ? none : found->second;
  }

  // The copies of code that this copy leads to through the library, in the same thread.
  void reach_code(java::CopyId from, Copies& reached) const {
    Copies seen;
    std::vector<java::CopyId> open{from};
    while (!open.empty()) {
      const java::CopyId copy = open.back();
      open.pop_back();
      if (!seen.insert(copy).second) continue;
      if (flow_.procedure(copy).is_code()) {
        reached.insert(copy);
        continue;
      }
      for (const java::CallEdge& edge : flow_.calls_of(copy))
        if (flow_.call(edge).flavor != java::CallFlavor::Spawn) open.push_back(edge.callee);
    }
  }
  // The copies of code that threads run which are started from here through the library.
  void reach_threads(java::CopyId from, Copies& reached) const {
    Copies seen;
    std::vector<java::CopyId> open{from};
    while (!open.empty()) {
      const java::CopyId copy = open.back();
      open.pop_back();
      if (!seen.insert(copy).second || flow_.procedure(copy).is_code()) continue;
      for (const java::CallEdge& edge : flow_.calls_of(copy)) {
        if (flow_.call(edge).flavor == java::CallFlavor::Spawn) reach_code(edge.callee, reached);
        open.push_back(edge.callee);
      }
    }
  }
  // The callees of the calls at this place.
  [[nodiscard]] std::vector<java::CopyId> callees_at(const json& place) const {
    std::vector<java::CopyId> callees;
    for (java::CopyId copy : copies_of(place.at("method"))) {
      const jvm::MethodBody& body = flow_.procedure(copy).code->body;
      for (const java::CallEdge& edge : flow_.calls_of(copy)) {
        const auto& at = flow_.call(edge).instruction;
        if (at && body.instructions[*at].offset == place.at("offset")) callees.push_back(edge.callee);
      }
    }
    return callees;
  }
  [[nodiscard]] bool has(const Copies& reached, const std::string& method) const {
    for (java::CopyId copy : reached)
      if (name_of(flow_.procedure(copy)) == method) return true;
    return false;
  }

  std::string check_call(const json& event) {
    const std::string callee = event.at("callee");
    if (callee.find(".<clinit>()V") != std::string::npos) return check_initialiser(callee);
    Copies reached;
    for (java::CopyId copy : callees_at(event.at("caller"))) reach_code(copy, reached);
    return has(reached, callee) ? "" : "the call graph has no such call";
  }
  std::string check_initialiser(const std::string& method) {
    for (const auto& [type, copy] : flow_.initialisers())
      if (name_of(flow_.procedure(copy)) == method) return "";
    return "the initialiser is never run";
  }
  std::string check_root(const json& event) {
    const std::string callee = event.at("callee");
    if (callee.find(".<clinit>()V") != std::string::npos) return check_initialiser(callee);
    for (java::CopyId entry : flow_.entries())
      if (name_of(flow_.procedure(entry)) == callee) return "";
    if (!event.contains("start")) return has(spawned_, callee) ? "" : "no thread runs this";
    Copies reached;
    for (java::CopyId copy : callees_at(event.at("start"))) reach_threads(copy, reached);
    return has(reached, callee) ? "" : "the start leads to no such thread";
  }

  // ---- objects
  [[nodiscard]] bool is_made_at(java::ObjectId object, const json& seen) const {
    const java::AbstractObject& abstract = universe_.objects()[object];
    if (abstract.kind != java::ObjectKind::Allocation) return false;
    const java::AllocationSite& site = universe_.sites()[abstract.site];
    if (universe_.hierarchy().name(site.type) != seen.at("class")) return false;
    const java::Procedure& procedure = universe_.procedure(site.procedure);
    if (!site.instruction || !procedure.code || name_of(procedure) != seen.at("site").at("method")) return false;
    // The constructor is called behind the `new`.
    return procedure.code->body.instructions[*site.instruction].offset < seen.at("site").at("offset");
  }
  // Objects that the program has not made by `new` of a class of its own are known by their class only.
  [[nodiscard]] bool fits(java::ObjectId object, const json& seen) const {
    if (seen.contains("site")) return is_made_at(object, seen);
    const java::AbstractObject& abstract = universe_.objects()[object];
    const std::string name = seen.at("class");
    if (name == "java/lang/Class") return universe_.hierarchy().name(abstract.type) == name;
    if (name.find("$$Lambda") != std::string::npos) return true;
    return universe_.is_subtype(universe_.hierarchy().load(name), abstract.type);
  }
  [[nodiscard]] bool has_object(const java::ObjectSet& objects, const json& seen) const {
    bool found = false;
    objects.for_each([&](java::ObjectId object) { found = found || fits(object, seen); });
    return found;
  }
  [[nodiscard]] std::vector<java::ObjectId> objects_made_at(const json& seen) const {
    std::vector<java::ObjectId> all;
    if (!seen.contains("site")) return all;
    for (java::ObjectId object : universe_.objects().keys())
      if (is_made_at(object, seen)) all.push_back(object);
    return all;
  }

  // ---- accesses
  std::string check_access(const json& event) {
    const json& at = event.at("at");
    const auto& copies = copies_of(at.at("method"));
    if (copies.empty()) return "the method is never called";
    if (!event.contains("object")) return "";
    bool found = false;
    bool owned = true;
    for (java::CopyId copy : copies) {
      const jvm::MethodBody& body = flow_.procedure(copy).code->body;
      for (jvm::InstructionId id : body.instructions.keys()) {
        const jvm::Instruction& instruction = body.instructions[id];
        if (instruction.offset != at.at("offset") || !is_field_access(instruction.operation)) continue;
        const jvm::Register base = body.operands_of(instruction)[0];
        if (!has_object(flow_.objects(copy, base), event.at("object"))) continue;
        found = true;
        owned = owned && facts_.ownership.is_owned(flow_.copies()[copy].procedure, base, id);
      }
    }
    if (!found) return "points-to has no such object";
    if (owned && event.at("others")) return "the object is said to be owned, and another thread had it";
    return "";
  }
  [[nodiscard]] static bool is_field_access(const jvm::Operation& operation) {
    return std::holds_alternative<jvm::GetField>(operation) || std::holds_alternative<jvm::PutField>(operation);
  }
  std::string check_shared(const json& seen) {
    const auto objects = objects_made_at(seen);
    for (java::ObjectId object : objects)
      if (!facts_.thread_local_objects[object]) return "";
    return objects.empty() ? "" : "only one thread is said to have the object";
  }
  std::string check_made(const json& event) {
    const auto objects = objects_made_at(event.at("object"));
    for (java::ObjectId object : objects)
      if (!facts_.unique.unique[object]) return "";
    if (objects.empty()) return "points-to has no such object";
    return objects.size() < event.at("count") ? "the object is said to be unique" : "";
  }
  std::string check_entered(const json& event) {
    const auto& copies = copies_of(event.at("method"));
    for (java::CopyId copy : copies)
      if (!facts_.executions.once[copy]) return "";
    if (copies.empty()) return "the method is never called";
    return copies.size() < event.at("count") ? "the method is said to run at most once" : "";
  }

  // ---- monitors and exceptions
  std::string check_monitor(const json& event) {
    const auto& copies = copies_of(event.at("at").at("method"));
    if (copies.empty()) return "the method is never called";
    for (java::CopyId copy : copies) {
      const java::Procedure& procedure = flow_.procedure(copy);
      const jvm::MethodBody& body = procedure.code->body;
      if (body.synchronized && body.is_static && event.at("object").at("class") == "java/lang/Class") return "";
      if (body.synchronized && !body.is_static && procedure.parameters.front() &&
          has_object(flow_.objects(copy, *procedure.parameters.front()), event.at("object")))
        return "";
      for (const jvm::Instruction& instruction : body.instructions)
        if (std::holds_alternative<jvm::MonitorEnter>(instruction.operation) &&
            has_object(flow_.objects(copy, body.operands_of(instruction)[0]), event.at("object")))
          return "";
    }
    return "no monitor of the method has such an object";
  }
  std::string check_exception(const json& event) {
    const json& at = event.at("at");
    const jvm::ClassId type = universe_.hierarchy().load(event.at("class").get<std::string>());
    // Errors of the machine are left out by intention.
    const std::string name = event.at("class");
    if (name.starts_with("java/") && universe_.is_subtype(type, universe_.hierarchy().load("java/lang/Error")))
      return "";
    for (java::CopyId copy : copies_of(at.at("method"))) {
      const jvm::MethodBody& body = flow_.procedure(copy).code->body;
      for (jvm::InstructionId id : body.instructions.keys()) {
        if (body.instructions[id].offset != at.at("offset")) continue;
        bool found = false;
        facts_.exceptions.thrown_at(copy, id).for_each([&](java::ObjectId object) {
          found = found || universe_.is_subtype(type, universe_.objects()[object].type);
        });
        if (found) return "";
      }
    }
    return "the instruction is said not to throw this";
  }

  const java::PointsTo& flow_;
  java::Universe& universe_;
  java::Facts facts_;
  std::map<std::string, std::vector<java::CopyId>> copies_;  // of code
  Copies spawned_;
};

// The number of violations.
std::size_t check_recording(const std::string& classes, const std::string& main, const std::string& recording,
                            const java::library::Library& models) {
  java::JavaProgram program = java::open_java_program(classes, {});
  java::PointsToOptions options;
  options.main = main;
  const java::PointsTo flow = java::points_to(program, models, options);
  RecordingChecker checker{flow};
  std::map<std::string, std::size_t> counts;
  std::size_t violations = 0;
  std::ifstream file{recording};
  for (std::string line; std::getline(file, line);) {
    const json event = json::parse(line);
    ++counts[event.at("kind")];
    const std::string reason = checker.check(event);
    if (reason.empty()) continue;
    ++violations;
    std::cout << main << ": " << reason << ": " << line << "\n";
  }
  std::cout << main << ":";
  for (const auto& [kind, count] : counts) std::cout << " " << count << " " << kind;
  std::cout << ", " << violations << " violations\n";
  if (counts.empty()) std::cout << main << ": nothing was recorded\n";
  return violations + (counts.empty() ? 1 : 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc % 2 != 0) {
    std::cerr << "usage: check_recording CLASSES (MAIN RECORDING)...\n";
    return 2;
  }
  try {
    const java::library::Library models = java::library::library_with({});
    std::size_t violations = 0;
    for (int i = 2; i + 1 < argc; i += 2) violations += check_recording(argv[1], argv[i], argv[i + 1], models);
    return violations == 0 ? 0 : 1;
  } catch (const lockwood::InputError& error) {
    for (const lockwood::Diagnostic& diagnostic : error.diagnostics()) std::cerr << lockwood::to_text(diagnostic);
    return 2;
  }
}
