#include "frontend/java/monitor_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>

#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/class_file.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/classfile/modified_utf8.hpp"
#include "jvm/code/body_text.hpp"
#include "jvm/code/code_reader.hpp"

namespace lockwood::java {
namespace {

// The register's name in the source, or else the instruction that computes it.
std::string object_text(const jvm::ClassFile& file, const jvm::MethodBody& body, jvm::Register object) {
  const jvm::RegisterInfo& info = body.registers[object];
  if (!info.name.empty()) return jvm::utf8_of(info.name);
  return jvm::to_text(file, body, body.instructions[info.definition]);
}

class MonitorReading {
 public:
  MonitorReading(JavaProgram& program, StopToken stop) : program_{program}, stop_{stop} {}

  MonitorList read() {
    program_.application->for_each_class([this](std::string_view name) {
      stop_.check();
      attempt([&] {
        auto bytes = program_.application->find(name);
        assert(bytes);
        read_class(jvm::read_class_file(std::move(*bytes)));
      });
    });
    return std::move(result_);
  }

 private:
  // What is broken is left out, and the rest is read.
  template <class Action>
  void attempt(const Action& action) {
    try {
      action();
    } catch (const InputError& error) {
      for (Diagnostic warning : error.diagnostics()) {
        warning.severity = Severity::Warning;
        result_.warnings.push_back(std::move(warning));
      }
    }
  }

  void read_class(const jvm::ClassFile& file) {
    jvm::CodeReader reader{file};
    const std::string source{jvm::source_file(file).value_or("")};
    for (const jvm::Member& method : file.methods) {
      const CodeLocation at{.method = fmt::format("{}.{}{}", jvm::java_class_name(file.name), jvm::utf8_of(method.name),
                                                  jvm::java_parameters(method.descriptor)),
                            .line = {},
                            .source = source};
      attempt([&] { read_method(file, method, reader, at); });
    }
  }

  void read_method(const jvm::ClassFile& file, const jvm::Member& method, jvm::CodeReader& reader,
                   const CodeLocation& at) {
    const auto code = reader.read(method);
    if (method.access.is_synchronized())
      result_.rows.push_back(
          {.kind = MonitorRow::Kind::SynchronizedMethod,
           .at = {at.method, code ? first_line(code->body) : std::nullopt, at.source},
           .object = method.access.is_static() ? fmt::format("class {}", jvm::java_class_name(file.name)) : "this"});
    if (!code) return;
    add_regions(file, *code, at);
    assert(code->monitors.structured() == code->monitors.notes.empty());  // there is a note for each that is ignored
    if (!code->monitors.structured()) ++result_.unstructured_methods;
    for (const jvm::MonitorNote& note : code->monitors.notes)
      result_.rows.push_back({.kind = MonitorRow::Kind::Ignored,
                              .at = {at.method, note.line, at.source},
                              .object = {},
                              .note = note.text});
  }

  void add_regions(const jvm::ClassFile& file, const jvm::MethodCode& code, const CodeLocation& at) {
    const auto depths = depths_of(code);
    for (const jvm::MonitorRegion& region : code.monitors.regions) {
      const jvm::Instruction& enter = code.body.instructions[region.enter];
      const std::size_t around = code.body.synchronized ? 1 : 0;
      result_.rows.push_back({.kind = MonitorRow::Kind::Region,
                              .at = {at.method, enter.line, at.source},
                              .object = object_text(file, code.body, region.object),
                              .depth = depths.at(region.enter) + around,
                              .exits = region.exits.size()});
    }
  }

  // The regions around each enter: those held where its block begins, changed by what is before it in the block.
  static std::map<jvm::InstructionId, std::size_t> depths_of(const jvm::MethodCode& code) {
    std::map<jvm::InstructionId, bool> is_enter;  // of regions: else an exit
    for (const jvm::MonitorRegion& region : code.monitors.regions) {
      is_enter.emplace(region.enter, true);
      for (jvm::InstructionId exit : region.exits) is_enter.emplace(exit, false);
    }
    std::map<jvm::InstructionId, std::size_t> depths;
    if (is_enter.empty()) return depths;
    for (jvm::Block block : code.body.blocks.keys()) {
      std::size_t depth = code.monitors.held[block].size();
      for (jvm::InstructionId id : code.body.instructions_of(block)) {
        const auto found = is_enter.find(id);
        if (found == is_enter.end()) continue;
        assert(found->second || depth > 0);  // regions nest
        if (found->second)
          depths.emplace(id, depth++);
        else
          --depth;
      }
    }
    assert(depths.size() <= code.monitors.regions.size());
    return depths;
  }

  static std::optional<std::uint32_t> first_line(const jvm::MethodBody& body) {
    const auto with_line = std::ranges::find_if(body.instructions, [](const auto& i) { return i.line.has_value(); });
    return with_line == body.instructions.end() ? std::nullopt : std::optional<std::uint32_t>{*with_line->line};
  }

  JavaProgram& program_;
  StopToken stop_;
  MonitorList result_;
};

}  // namespace

MonitorList monitor_list(JavaProgram& program, StopToken stop) { return MonitorReading{program, stop}.read(); }

}  // namespace lockwood::java
