#include "frontend/lsp/java_check.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "base/process/child_process.hpp"
#include "base/process/exit_status.hpp"
#include "base/process/temporary_folder.hpp"
#include "base/process/text_file.hpp"
#include "frontend/java/java_compiler.hpp"
#include "frontend/java/source_files.hpp"

namespace lockwood::lsp {
namespace fs = std::filesystem;
namespace {

std::string absolute(const std::string& path, const std::string& folder) {
  return path.empty() || path.starts_with('/') ? path : folder + '/' + path;
}

std::vector<std::string> absolute(std::vector<std::string> paths, const std::string& folder) {
  for (std::string& path : paths) path = absolute(path, folder);
  return paths;
}

std::optional<std::string> jdk_of(const JavaRequest& request) {
  if (request.settings.jdk.empty()) return std::nullopt;
  return absolute(request.settings.jdk, request.workspace);
}

// Where sources are looked for: the folder of the package first.
std::vector<std::string> source_path(const JavaRequest& request) {
  std::vector<std::string> folders = absolute(request.settings.source_path, request.workspace);
  if (std::ranges::find(folders, request.root) == folders.end()) folders.insert(folders.begin(), request.root);
  return folders;
}

Diagnostic remark(Severity severity, std::string message) {
  return {.severity = severity, .message = std::move(message), .excerpt = {}};
}

int exit_status(const CommandOutput& output) { return WIFEXITED(output.status) ? WEXITSTATUS(output.status) : -1; }

CommandOutput run_to_its_end(const std::vector<std::string>& words, const StopToken& stop) {
  auto output = run_program(words, stop);
  stop.check();
  return output ? *std::move(output) : CommandOutput{{}, -1};
}

// The command that compiles; nothing if there is no compiler.
std::optional<std::vector<std::string>> compile_command(const JavaRequest& request) {
  const std::string& command = request.settings.compile_command;
  if (!command.empty())
    return std::vector<std::string>{"sh", "-c", "cd \"$0\" && " + command, request.workspace, request.file};
  const auto javac = java::find_javac(jdk_of(request));
  if (!javac) return std::nullopt;
  std::vector<std::string> class_path = absolute(request.settings.class_path, request.workspace);
  class_path.insert(class_path.begin(), request.classes);
  return java::command_of(*javac,
                          {.sources = request.all_sources ? java::sources_in(request.root) : std::vector{request.file},
                           .source_path = source_path(request),
                           .class_path = std::move(class_path),
                           .output = request.classes});
}

// Whether there are new classes; what was wrong, if there are not.
bool compile(const JavaRequest& request, JavaDiagnostics& remarks, const StopToken& stop) {
  const auto command = compile_command(request);
  if (!command) {
    remarks.add({remark(Severity::Warning,
                        "there is no javac to compile this: set the JDK (jdk) or a command "
                        "(compileCommand)")},
                request.file, request.root, "java");
    return false;
  }
  const CommandOutput output = run_to_its_end(*command, stop);
  if (exit_status(output) == 0) return true;
  std::vector<Diagnostic> errors = java::errors_of_javac(output.text);
  if (errors.empty()) errors.push_back(remark(Severity::Error, "this is not compiled: " + output.text));
  remarks.add(errors, request.file, request.workspace, "javac");
  return false;
}

// One of our own commands, about the classes. Its answer goes to the file, and what it complains about is printed.
std::vector<std::string> question(const JavaRequest& request, const std::string& command, const std::string& answer,
                                  const std::string& format) {
  std::vector<std::string> words{"sh",
                                 "-c",
                                 "exec \"$@\" > \"$0\"",
                                 answer,
                                 fs::read_symlink("/proc/self/exe"),
                                 command,
                                 request.classes,
                                 "--config=none",
                                 format};
  const auto add = [&](const char* option, const std::string& value) { words.insert(words.end(), {option, value}); };
  const bool library = std::ranges::find(request.settings.arguments, "--library") != request.settings.arguments.end();
  if (!request.main_class.empty() && !library) add("--main", request.main_class);
  for (const std::string& entry : absolute(request.settings.class_path, request.workspace)) add("--class-path", entry);
  for (const std::string& folder : source_path(request)) add("--source-path", folder);
  if (const auto jdk = jdk_of(request)) add("--jdk", *jdk);
  if (request.limits.timeout) add("--timeout", fmt::format("{}ms", request.limits.timeout->count()));
  if (request.limits.memory) add("--max-memory", std::to_string(*request.limits.memory));
  words.insert(words.end(), request.settings.arguments.begin(), request.settings.arguments.end());
  return words;
}

// What the command says on standard error without its own name.
std::string complaint(const CommandOutput& output) {
  std::string text = output.text;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? fmt::format("lockwood ended with status {}", exit_status(output)) : text;
}

void ask(const JavaRequest& request, const std::string& command, JavaDiagnostics& remarks, const StopToken& stop) {
  const TemporaryFolder folder;
  const std::string report = folder.path() + "/report.json";
  const CommandOutput output = run_to_its_end(question(request, command, report, "--json"), stop);
  if (const Json answer = Json::parse(read_text_file(report), nullptr, false); answer.is_object())
    remarks.add_report(answer);
  const int status = exit_status(output);
  if (status == 0 || status == 1) return;
  const bool cut_off = status == static_cast<int>(ExitStatus::GaveUp);
  remarks.add({remark(cut_off ? Severity::Note : Severity::Warning, complaint(output))}, request.file, request.root,
              command);
}

}  // namespace

void check_java(const JavaRequest& request, const JavaWatcher& watcher, StopToken stop) {
  JavaDiagnostics remarks;
  watcher.on_stage("compiling");
  if (compile(request, remarks, stop))
    for (const auto& [command, stage] :
         {std::pair{"race", "looking for races"}, std::pair{"deadlock", "looking for deadlocks"}}) {
      watcher.on_stage(stage);
      ask(request, command, remarks, stop);
      watcher.on_remarks(remarks);
    }
  else
    watcher.on_remarks(remarks);
}

std::string write_java_page(const JavaRequest& request, const std::string& rule, const std::string& page,
                            StopToken stop) {
  const std::string command = rule == "race" ? "race" : "deadlock";
  const CommandOutput output = run_to_its_end(question(request, command, page, "--html=-"), stop);
  const int status = exit_status(output);
  return status == 0 || status == 1 ? "" : complaint(output);
}

bool has_main(std::string_view source) {
  constexpr std::string_view word = "main";
  for (std::size_t at = source.find(word); at != std::string_view::npos; at = source.find(word, at + 1)) {
    const std::size_t before = source.find_last_not_of(" \t\r\n", at == 0 ? 0 : at - 1);
    const std::size_t behind = source.find_first_not_of(" \t\r\n", at + word.size());
    if (before != std::string_view::npos && behind != std::string_view::npos && source[behind] == '(' &&
        source.substr(0, before + 1).ends_with("void"))
      return true;
  }
  return false;
}

}  // namespace lockwood::lsp
