#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/process/stop.hpp"
#include "base/process/watchdog.hpp"
#include "frontend/lsp/java_diagnostics.hpp"
#include "frontend/lsp/java_settings.hpp"

namespace lockwood::lsp {

// A saved source, and the program that it is a part of.
struct JavaRequest {
  std::string file;       // absolute, as all paths here
  std::string workspace;  // a folder
  std::string root;       // the folder that the package of the source is in
  std::string classes;    // where the classes go, or are
  std::string main_class;
  bool all_sources = false;  // compile all below the root, not only this one
  JavaSettings settings;
  Limits limits;  // of each analysis
};

// What happens, and what is known so far.
struct JavaWatcher {
  std::function<void(const std::string& stage)> on_stage;
  std::function<void(const JavaDiagnostics&)> on_remarks;
};

// Compiles the source, looks for races, then for deadlocks: each by a process, which ends as soon as a stop is
// requested. Whatever goes wrong is a remark. Throws Interrupted.
void check_java(const JavaRequest& request, const JavaWatcher& watcher, StopToken stop);

// Writes the page of the findings of this rule. Why not, if it cannot be done.
[[nodiscard]] std::string write_java_page(const JavaRequest& request, const std::string& rule, const std::string& page,
                                          StopToken stop);

// Whether the source has something that looks like a main.
[[nodiscard]] bool has_main(std::string_view source);

}  // namespace lockwood::lsp
