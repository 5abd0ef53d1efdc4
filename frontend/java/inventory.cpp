#include "frontend/java/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/class_file.hpp"
#include "jvm/classfile/code_attribute.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/hierarchy/class_hierarchy.hpp"

namespace lockwood::java {
namespace {

// A method of the library by which a thread begins to run code of the program.
struct Starter {
  std::string_view owner;
  std::string_view name;
};

constexpr auto starters = std::to_array<Starter>({
    {"java/lang/Thread", "start"},
    {"java/lang/Thread", "startVirtualThread"},
    {"java/lang/Thread$Builder", "start"},
    {"java/lang/Thread$Builder$OfVirtual", "start"},
    {"java/lang/Thread$Builder$OfPlatform", "start"},
    {"java/lang/Runtime", "addShutdownHook"},
    {"java/util/Timer", "schedule"},
    {"java/util/Timer", "scheduleAtFixedRate"},
    {"java/util/concurrent/Executor", "execute"},
    {"java/util/concurrent/ExecutorService", "submit"},
    {"java/util/concurrent/ExecutorService", "invokeAll"},
    {"java/util/concurrent/ExecutorService", "invokeAny"},
    {"java/util/concurrent/ScheduledExecutorService", "schedule"},
    {"java/util/concurrent/ScheduledExecutorService", "scheduleAtFixedRate"},
    {"java/util/concurrent/ScheduledExecutorService", "scheduleWithFixedDelay"},
    {"java/util/concurrent/ForkJoinTask", "fork"},
    {"java/util/concurrent/ForkJoinPool", "invoke"},
    {"java/util/concurrent/CompletableFuture", "runAsync"},
    {"java/util/concurrent/CompletableFuture", "supplyAsync"},
    {"javax/swing/SwingUtilities", "invokeLater"},
    {"javax/swing/SwingUtilities", "invokeAndWait"},
    {"java/awt/EventQueue", "invokeLater"},
    {"java/awt/EventQueue", "invokeAndWait"},
});

bool is_invoke(jvm::Opcode opcode) {
  using jvm::Opcode;
  return opcode == Opcode::Invokevirtual || opcode == Opcode::Invokespecial || opcode == Opcode::Invokestatic ||
         opcode == Opcode::Invokeinterface;
}

// The class of an array's elements, or the class itself; nothing for arrays of numbers.
std::optional<std::string_view> element_class(std::string_view name) {
  if (!name.starts_with('[')) return name;
  name.remove_prefix(std::min(name.find_first_not_of('['), name.size()));
  if (!name.starts_with('L') || !name.ends_with(';')) return std::nullopt;
  return name.substr(1, name.size() - 2);
}

// The line of an offset: of the rows that begin at or before it, the nearest. Rows are in any order.
std::optional<std::uint32_t> line_at(const jvm::CodeAttribute& code, std::uint32_t offset) {
  const jvm::LineNumber* best = nullptr;
  for (const jvm::LineNumber& row : code.lines)
    if (row.begin <= offset && (best == nullptr || row.begin >= best->begin)) best = &row;
  return best == nullptr ? std::nullopt : std::optional<std::uint32_t>{best->line};
}

bool is_main(const jvm::Member& method) {
  return method.name == "main" && method.descriptor == "([Ljava/lang/String;)V" && method.access.is_public() &&
         method.access.is_static();
}

void add(ArchiveCounts& sum, const ArchiveCounts& more) {
  sum.classes += more.classes;
  sum.methods += more.methods;
  sum.bodies += more.bodies;
  sum.instructions += more.instructions;
  sum.synchronized_methods += more.synchronized_methods;
  sum.monitor_enters += more.monitor_enters;
  sum.unread += more.unread;
}

class InventoryReading {
 public:
  InventoryReading(JavaProgram& program, StopToken stop)
      : program_{program}, hierarchy_{*program.classes}, stop_{stop} {
    result_.archives.resize(program.application->archives().size());
  }

  Inventory read() {
    program_.application->for_each_class([this](std::string_view name) {
      stop_.check();
      const jvm::ArchiveId archive = program_.application->archive_of(name).value();
      try {
        read_class(name, archive);
      } catch (const InputError& error) {
        ++result_.archives[archive].unread;
        for (Diagnostic warning : error.diagnostics()) {
          warning.severity = Severity::Warning;
          warning.message += fmt::format("; class {} is left out", jvm::java_class_name(name));
          result_.warnings.push_back(std::move(warning));
        }
      }
    });
    mark_mains();
    list_missing();
    return std::move(result_);
  }

 private:
  // What a class has is added when all of it was read: one that is broken is left out as a whole.
  void read_class(std::string_view name, jvm::ArchiveId archive) {
    auto bytes = program_.application->find(name);
    assert(bytes);
    const jvm::ClassFile file = jvm::read_class_file(std::move(*bytes));
    if (file.name != name)
      throw InputError{file.bytes.origin, fmt::format("class {} is where class {} should be",
                                                      jvm::java_class_name(file.name), jvm::java_class_name(name))};
    if (auto warning = jvm::newer_version(file)) result_.warnings.push_back(std::move(*warning));
    ArchiveCounts counts{.classes = 1};
    std::vector<ThreadStart> starts;
    bool has_main = false;
    for (const jvm::Member& method : file.methods) {
      ++counts.methods;
      if (method.access.is_synchronized()) ++counts.synchronized_methods;
      has_main = has_main || is_main(method);
      read_method(file, method, counts, starts);
    }
    note_references(file);
    assert(counts.bodies <= counts.methods && counts.monitor_enters <= counts.instructions);
    add(result_.archives[archive], counts);
    std::ranges::move(starts, std::back_inserter(result_.starts));
    if (has_main)
      result_.mains.push_back({jvm::java_class_name(name), program_.application->archives()[archive].origin(), false});
  }

  void read_method(const jvm::ClassFile& file, const jvm::Member& method, ArchiveCounts& counts,
                   std::vector<ThreadStart>& starts) {
    const auto code = jvm::read_code(file, method);
    if (!code) return;
    ++counts.bodies;
    for (const jvm::BytecodeInstruction& instruction : jvm::instructions_of(file, method, *code)) {
      ++counts.instructions;
      if (instruction.opcode == jvm::Opcode::Monitorenter) ++counts.monitor_enters;
      if (!is_invoke(instruction.opcode)) continue;
      const jvm::MemberRef callee =
          jvm::with_location(file, &method, [&] { return file.constants.member(instruction.constant_index()); });
      const Starter* const starter = starter_of(callee);
      if (starter == nullptr) continue;
      starts.push_back({.at = {.method = fmt::format("{}.{}{}", jvm::java_class_name(file.name), method.name,
                                                     jvm::java_parameters(method.descriptor)),
                               .line = line_at(*code, instruction.offset),
                               .source = std::string{jvm::source_file(file).value_or("")}},
                        .callee = fmt::format("{}.{}", jvm::java_class_name(starter->owner), starter->name)});
    }
  }

  // The class named by the call may be a subclass: `new Worker().start()` calls Worker.start.
  const Starter* starter_of(const jvm::MemberRef& callee) {
    for (const Starter& starter : starters) {
      if (starter.name != callee.name) continue;
      if (starter.owner == callee.owner) return &starter;
      if (!callee.owner.starts_with('[') &&
          hierarchy_.is_subtype(hierarchy_.load(callee.owner), hierarchy_.load(starter.owner)))
        return &starter;
    }
    return nullptr;
  }

  void note_references(const jvm::ClassFile& file) {
    std::set<std::string_view> seen;  // a class may have several constants for one class
    for (std::size_t i = 1; i < file.constants.size(); ++i) {
      const jvm::ConstantIndex index{i};
      if (file.constants.tag(index) != jvm::ConstantTag::Class) continue;
      const auto name = element_class(file.constants.class_name(index));
      if (!name || name->empty() || !seen.insert(*name).second) continue;
      auto& [used_by, first_use] = references_[std::string{*name}];
      if (used_by++ == 0) first_use = jvm::java_class_name(file.name);
    }
  }

  // A JDK that is not there misses nothing that could be told one by one.
  void list_missing() {
    for (const auto& [name, use] : references_) {
      stop_.check();
      if (program_.application->archive_of(name)) continue;
      const bool of_jdk = is_jdk_class(name);
      if (of_jdk) ++result_.jdk_classes;
      if (of_jdk && !program_.jdk) continue;
      if (program_.jdk && program_.jdk->find(name)) continue;
      assert(use.first > 0 && !use.second.empty());
      result_.missing.push_back({jvm::java_class_name(name), use.first, use.second});
    }
  }

  // Those that manifests and modules name come first; others stay in the order of archives.
  void mark_mains() {
    std::set<std::string> named;
    for (const auto& archive : program_.application->archives()) {
      const jvm::Manifest* const manifest = archive.manifest();
      if (manifest == nullptr) continue;
      named.insert({manifest->main_class, manifest->start_class});
    }
    try {
      if (auto bytes = program_.application->find("module-info")) {
        const jvm::ClassFile file = jvm::read_class_file(std::move(*bytes));
        if (const auto main = jvm::module_main_class(file)) named.insert(jvm::java_class_name(*main));
      }
    } catch (const InputError& error) {
      for (Diagnostic warning : error.diagnostics()) {
        warning.severity = Severity::Warning;
        result_.warnings.push_back(std::move(warning));
      }
    }
    for (MainClass& main : result_.mains) main.named_by_manifest = named.contains(main.name);
    assert(result_.mains.size() <= result_.total().classes);
    std::ranges::stable_sort(result_.mains, std::ranges::greater{}, &MainClass::named_by_manifest);
  }

  JavaProgram& program_;
  jvm::ClassHierarchy hierarchy_;
  StopToken stop_;
  Inventory result_;
  std::map<std::string, std::pair<std::size_t, std::string>> references_;  // to how many use it, and the first of them
};

}  // namespace

bool is_jdk_class(std::string_view internal_name) {
  constexpr std::array<std::string_view, 5> prefixes = {"java/", "javax/", "jdk/", "sun/", "com/sun/"};
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return internal_name.starts_with(prefix); });
}

ArchiveCounts Inventory::total() const {
  ArchiveCounts sum;
  for (const ArchiveCounts& counts : archives) add(sum, counts);
  return sum;
}

Inventory inventory(JavaProgram& program, StopToken stop) { return InventoryReading{program, stop}.read(); }

}  // namespace lockwood::java
