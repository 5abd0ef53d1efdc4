#include "frontend/cli/commands/show_java.hpp"

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <string_view>
#include <vector>

#include "frontend/cli/commands/show_java_analysis.hpp"
#include "frontend/cli/input/java_input.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/java/inventory.hpp"
#include "frontend/java/method_pattern.hpp"
#include "frontend/java/monitor_list.hpp"
#include "frontend/report/report.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/code/body_text.hpp"
#include "jvm/code/code_reader.hpp"

namespace lockwood::frontend {
namespace {

constexpr std::size_t max_warnings = 20;

void show_warnings(const std::vector<Diagnostic>& warnings, const Run& run) {
  for (std::size_t i = 0; i < warnings.size() && i < max_warnings; ++i) run.warn(warnings[i]);
  if (warnings.size() > max_warnings) run.note(fmt::format("{} more warnings", warnings.size() - max_warnings));
}

std::string text_of(const java::CodeLocation& at) {
  if (!at.line) return at.source;
  return fmt::format("{}:{}", at.source.empty() ? "line" : at.source, *at.line);
}

PropertyList program_section(const java::JavaProgram& program, const java::Inventory& inventory) {
  const java::ArchiveCounts total = inventory.total();
  return {.key = "program",
          .title = "Program",
          .properties = {{"path", program.path},
                         {"jdk", program.jdk ? program.jdk_home : std::string{"none"}},
                         {"release", count(static_cast<std::size_t>(program.release))},
                         {"archives", count(inventory.archives.size())},
                         {"classes", count(total.classes)},
                         {"methods", count(total.methods)},
                         {"methods_with_code", count(total.bodies)},
                         {"instructions", count(total.instructions)},
                         {"main_classes", count(inventory.mains.size())},
                         {"thread_starts", count(inventory.starts.size())},
                         {"synchronized_methods", count(total.synchronized_methods)},
                         {"monitor_enters", count(total.monitor_enters)},
                         {"jdk_classes_used", count(inventory.jdk_classes)},
                         {"classes_left_out", count(total.unread)},
                         {"duplicate_classes", count(program.application->duplicates().size())},
                         {"missing_classes", count(inventory.missing.size())}}};
}

Table archive_section(const java::JavaProgram& program, const java::Inventory& inventory) {
  Table table{.key = "archives",
              .title = "Archives",
              .columns = {"archive", "classes", "methods", "instructions", "monitors"},
              .rows = {}};
  for (jvm::ArchiveId id : inventory.archives.keys()) {
    const java::ArchiveCounts& counts = inventory.archives[id];
    table.rows.push_back({program.application->archives()[id].origin(), count(counts.classes), count(counts.methods),
                          count(counts.instructions), count(counts.synchronized_methods + counts.monitor_enters)});
  }
  return table;
}

Table main_section(const java::Inventory& inventory) {
  Table table{
      .key = "mains", .title = "Main classes", .columns = {"class", "archive", "named_by_manifest"}, .rows = {}};
  for (const java::MainClass& main : inventory.mains)
    table.rows.push_back({main.name, main.archive, main.named_by_manifest});
  return table;
}

Table start_section(const java::Inventory& inventory) {
  Table table{.key = "starts", .title = "Threads started", .columns = {"by", "in", "at"}, .rows = {}};
  for (const java::ThreadStart& start : inventory.starts)
    table.rows.push_back({start.callee, start.at.method, text_of(start.at)});
  return table;
}

Table missing_section(const java::Inventory& inventory) {
  Table table{.key = "missing", .title = "Missing classes", .columns = {"class", "users", "first_user"}, .rows = {}};
  for (const java::MissingClass& missing : inventory.missing)
    table.rows.push_back({missing.name, count(missing.used_by), missing.first_use});
  return table;
}

Table duplicate_section(const java::JavaProgram& program) {
  Table table{
      .key = "duplicates", .title = "Classes in several archives", .columns = {"class", "used", "hidden"}, .rows = {}};
  const auto& archives = program.application->archives();
  for (const jvm::Duplicate& duplicate : program.application->duplicates())
    table.rows.push_back(
        {jvm::java_class_name(duplicate.name), archives[duplicate.used].origin(), archives[duplicate.hidden].origin()});
  return table;
}

void show_inventory(java::JavaProgram& program, ReportWriter& writer, const Run& run) {
  run.progress.show("reading " + program.path);
  const java::Inventory inventory = java::inventory(program, run.stop);
  show_warnings(inventory.warnings, run);
  writer.add(program_section(program, inventory));
  if (inventory.archives.size() > 1) writer.add(archive_section(program, inventory));
  if (!inventory.mains.empty()) writer.add(main_section(inventory));
  if (!inventory.starts.empty()) writer.add(start_section(inventory));
  if (!program.application->duplicates().empty()) writer.add(duplicate_section(program));
  if (!inventory.missing.empty()) writer.add(missing_section(inventory));
  if (!program.jdk)
    run.note("no JDK is found, so its classes are not looked at; name one by --jdk=DIR, or set JAVA_HOME");
}

void show_monitors(java::JavaProgram& program, ReportWriter& writer, const Run& run) {
  run.progress.show("reading the code of " + program.path);
  const java::MonitorList list = java::monitor_list(program, run.stop);
  show_warnings(list.warnings, run);
  using Kind = java::MonitorRow::Kind;
  Table table{.key = "monitors",
              .title = "Monitors",
              .columns = {"kind", "in", "at", "object", "depth", "exits", "note"},
              .rows = {}};
  std::array<std::size_t, 3> counts{};
  constexpr std::array<std::string_view, 3> kinds = {"method", "region", "ignored"};
  for (const java::MonitorRow& row : list.rows) {
    ++counts[static_cast<std::size_t>(row.kind)];
    table.rows.push_back({std::string{kinds[static_cast<std::size_t>(row.kind)]}, row.at.method, text_of(row.at),
                          row.object, count(row.depth), count(row.exits), row.note});
  }
  const auto of = [&](Kind kind) { return count(counts[static_cast<std::size_t>(kind)]); };
  writer.add(PropertyList{.key = "monitor_counts",
                          .title = "Monitors in numbers",
                          .properties = {{"synchronized_methods", of(Kind::SynchronizedMethod)},
                                         {"regions", of(Kind::Region)},
                                         {"ignored", of(Kind::Ignored)},
                                         {"unstructured_methods", count(list.unstructured_methods)}}});
  if (!table.rows.empty()) writer.add(std::move(table));
}

void show_code(java::JavaProgram& program, const std::string& name, ReportWriter& writer) {
  const java::NamedMethods named = java::named_methods(program, name);
  jvm::CodeReader reader{*named.file};
  Listing listing{.key = "code", .title = "Code", .lines = {}};
  for (const jvm::Member* method : named.methods) {
    if (!listing.lines.empty()) listing.lines.emplace_back();
    const auto code = reader.read(*method);
    if (!code) {
      listing.lines.push_back(fmt::format("{}{}.{}{} has no code", jvm::words_of(method->access, jvm::AccessOf::Method),
                                          jvm::java_class_name(named.file->name), method->name,
                                          jvm::java_parameters(method->descriptor)));
      continue;
    }
    std::istringstream lines{jvm::to_text(*named.file, *method, *code)};
    for (std::string line; std::getline(lines, line);) listing.lines.push_back(line);
  }
  writer.add(std::move(listing));
}

}  // namespace

void declare_show_java(CLI::App& app, ShowJavaOptions& options) {
  auto* ir =
      app.add_option("--ir", options.code,
                     "show the code of a method of a Java program, such as pkg.Main.run, in registers and blocks")
          ->type_name("METHOD")
          ->group(section::output);
  app.add_flag("--monitors", options.monitors, "list the monitors of a Java program: what is locked where")
      ->excludes(ir)
      ->group(section::output);
  declare_show_analysis(app, options);
}

ExitStatus show_java(const std::string& path, const ShowJavaOptions& options, const std::optional<std::string>& dot,
                     Run& run) {
  JavaInput input = open_java_input(path, run);
  java::JavaProgram& program = input.program;
  show_warnings(program.warnings, run);
  ReportWriter writer{run};
  if (options.analyses())
    show_analysis(input, options, dot, writer, run);
  else if (options.code)
    show_code(program, *options.code, writer);
  else if (options.monitors)
    show_monitors(program, writer, run);
  else
    show_inventory(program, writer, run);
  writer.finish();
  return ExitStatus::Nothing;
}

}  // namespace lockwood::frontend
