#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "frontend/java/facts/program_text.hpp"
#include "frontend/java/pointsto/object_text.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/classfile/modified_utf8.hpp"
#include "jvm/code/body_text.hpp"

namespace lockwood::java {
namespace {

using namespace jvm;

std::string register_text(const MethodBody& body, Register value) {
  const std::string_view name = body.registers[value].name;
  return fmt::format("r{}{}{}", value.index(), name.empty() ? "" : "'", utf8_of(name));
}

std::string line_text(const Instruction& instruction) {
  return instruction.line ? fmt::format("line {}", *instruction.line) : fmt::format("offset {}", instruction.offset);
}

std::vector<CopyId> copies_of(const PointsTo& flow, ProcedureId id) {
  std::vector<CopyId> copies;
  for (CopyId copy : flow.copies().keys())
    if (flow.copies()[copy].procedure == id) copies.push_back(copy);
  return copies;
}

// The facts of one copy, line by line.
class FactWriter {
 public:
  FactWriter(const Facts& facts, CopyId copy)
      : facts_{facts},
        flow_{facts.flow},
        copy_{copy},
        id_{facts.flow.copies()[copy].procedure},
        procedure_{facts.flow.procedure(copy)},
        body_{procedure_.code->body} {}

  std::vector<std::string> write() {
    lines_.push_back(copy_text(flow_, copy_));
    const std::string& reason = facts_.executions.reason[copy_];
    add("runs at most once", "may run more than once: " + reason, reason.empty());
    write_parameters();
    write_synchronized();
    for (Block block : body_.blocks.keys())
      for (InstructionId at : body_.instructions_of(block)) write_instruction(at);
    write_thrown();
    return std::move(lines_);
  }

 private:
  void add(const std::string& yes, const std::string& no, bool holds) { lines_.push_back("  " + (holds ? yes : no)); }

  void write_parameters() {
    for (InstructionId at : body_.instructions_of(Block{0})) {
      const Instruction& instruction = body_.instructions[at];
      const auto* parameter = std::get_if<Parameter>(&instruction.operation);
      if (parameter == nullptr) continue;
      std::vector<std::string> words;
      if (body_.registers[*instruction.result].type == ValueType::Reference) {
        words.emplace_back(facts_.nullness.is_parameter_not_null(id_, parameter->number) ? "not null" : "may be null");
        if (facts_.ownership.is_parameter_owned(id_, parameter->number)) words.emplace_back("owned");
        if (facts_.ownership.lets_escape(id_, parameter->number)) words.emplace_back("escapes");
      }
      if (facts_.booleans.parameters[id_.index()][parameter->number]) words.emplace_back("tracked boolean");
      if (!words.empty())
        lines_.push_back(fmt::format("  {}: {}", register_text(body_, *instruction.result), fmt::join(words, ", ")));
    }
  }

  void write_synchronized() {
    if (!body_.synchronized) return;
    lines_.emplace_back("    synchronized on");
    if (body_.is_static) {
      lines_.push_back("      " + object_text(flow_.universe(), flow_.universe().class_object(procedure_.owner)) +
                       ": unique");
    } else {
      write_objects(flow_.objects(copy_, procedure_.parameters.front().value()), true);
    }
  }

  // Each object on a line of its own, with what makes it a lock or not.
  void write_objects(const ObjectSet& objects, bool with_uniqueness) {
    if (objects.empty()) lines_.emplace_back("      nothing");
    objects.for_each([&](ObjectId object) {
      std::string text = "      " + object_text(flow_.universe(), object);
      if (with_uniqueness)
        text += facts_.unique.unique[object] ? ": unique" : ": not unique, since " + facts_.unique.reason[object];
      else if (facts_.thread_local_objects[object])
        text += ": only one thread has it";
      lines_.push_back(std::move(text));
    });
  }

  void write_instruction(InstructionId at) {
    const Instruction& instruction = body_.instructions[at];
    const auto operands = body_.operands_of(instruction);
    const auto header = [&](std::string_view text) {
      lines_.push_back(fmt::format("    {}: {}", line_text(instruction), text));
    };
    if (std::holds_alternative<MonitorEnter>(instruction.operation)) {
      header("monitor of " + register_text(body_, operands[0]));
      write_objects(flow_.objects(copy_, operands[0]), true);
    }
    if (is_access(instruction.operation)) write_access(instruction, at);
    if (std::holds_alternative<Invoke>(instruction.operation)) write_call(instruction, at);
    const ObjectSet raised = facts_.exceptions.thrown_at(copy_, at);
    if (!raised.empty() && !std::holds_alternative<Throw>(instruction.operation)) {
      header("may throw " + types_of(raised));
    }
  }
  static bool is_access(const Operation& operation) {
    return std::holds_alternative<GetField>(operation) || std::holds_alternative<PutField>(operation) ||
           std::holds_alternative<ArrayLoad>(operation) || std::holds_alternative<ArrayStore>(operation) ||
           std::holds_alternative<GetStatic>(operation) || std::holds_alternative<PutStatic>(operation);
  }
  void write_access(const Instruction& instruction, InstructionId at) {
    const ClassFile& file = *flow_.universe().hierarchy().file(procedure_.owner);
    std::string text = fmt::format("    {}: {}", line_text(instruction), to_text(file, body_, instruction));
    const bool is_static = std::holds_alternative<GetStatic>(instruction.operation) ||
                           std::holds_alternative<PutStatic>(instruction.operation);
    std::optional<FieldKey> field;
    std::visit(
        [&](const auto& operation) {
          if constexpr (requires { operation.field; })
            field = flow_.universe().field(procedure_.owner, operation.field);
        },
        instruction.operation);
    if (field && facts_.final_fields.contains(*field)) text += ", never changes after its initialisation";
    if (field && flow_.universe().fields()[*field].is_volatile) text += ", volatile";
    const bool owned = !is_static && facts_.ownership.is_owned(id_, body_.operands_of(instruction)[0], at);
    if (owned) text += ", owned";
    lines_.push_back(std::move(text));
    if (!is_static && !owned) write_objects(flow_.objects(copy_, body_.operands_of(instruction)[0]), false);
  }
  void write_call(const Instruction& instruction, InstructionId at) {
    const CodePlace here{copy_, at};
    for (const AbstractThread& thread : facts_.threads.threads)
      if (std::ranges::find(thread.starts, here) != thread.starts.end())
        lines_.push_back(fmt::format("    {}: starts {} that runs {}", line_text(instruction),
                                     thread.once ? "one thread" : "any number of threads",
                                     copy_text(flow_, thread.spawn.callee)));
    for (const JoinMatch& join : facts_.threads.joins)
      if (join.join == here)
        lines_.push_back(fmt::format("    {}: waits for the thread started in {}", line_text(instruction),
                                     flow_.universe().place(flow_.procedure(join.start.copy), join.start.instruction)));
    if (std::ranges::find(facts_.threads.unmatched_joins, here) != facts_.threads.unmatched_joins.end())
      lines_.push_back(fmt::format("    {}: joins a thread, but which one is not known", line_text(instruction)));
  }
  [[nodiscard]] std::string types_of(const ObjectSet& exceptions) const {
    std::set<std::string> names;
    exceptions.for_each([&](ObjectId object) {
      names.insert(java_class_name(flow_.universe().hierarchy().name(flow_.universe().objects()[object].type)));
    });
    return fmt::format("{}", fmt::join(names, ", "));
  }
  void write_thrown() {
    const ObjectSet& thrown = facts_.exceptions.thrown(copy_);
    add("throws nothing", "throws " + types_of(thrown), thrown.empty());
  }

  const Facts& facts_;
  const PointsTo& flow_;
  CopyId copy_;
  ProcedureId id_;
  const Procedure& procedure_;
  const MethodBody& body_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> points_to_lines(const PointsTo& flow, ProcedureId id) {
  std::vector<std::string> lines;
  const Procedure& procedure = flow.universe().procedure(id);
  const MethodBody& body = procedure.code->body;
  for (CopyId copy : copies_of(flow, id)) {
    lines.push_back(copy_text(flow, copy));
    for (Register value : body.registers.keys()) {
      if (body.registers[value].type != ValueType::Reference) continue;
      const Instruction& definition = body.instructions[body.registers[value].definition];
      lines.push_back(fmt::format("  {} = {}", register_text(body, value),
                                  to_text(*flow.universe().hierarchy().file(procedure.owner), body, definition)));
      flow.objects(copy, value).for_each([&](ObjectId object) {
        lines.push_back("      " + object_text(flow.universe(), object));
      });
    }
  }
  return lines;
}

std::vector<std::string> fact_lines(const Facts& facts, ProcedureId id) {
  std::vector<std::string> lines;
  for (CopyId copy : copies_of(facts.flow, id))
    std::ranges::move(FactWriter{facts, copy}.write(), std::back_inserter(lines));
  return lines;
}

}  // namespace lockwood::java
