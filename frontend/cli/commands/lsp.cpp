#include <fmt/format.h>

#include "base/text/quantity.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/lsp/server.hpp"
#include "frontend/report/version.hpp"

namespace lockwood::frontend {
namespace {

struct LspOptions {
  CommonOptions common;
  Limits analysis{.timeout = std::chrono::seconds{30}, .memory = std::size_t{4} << 30U};
  bool standard_streams = true;  // there is nothing else to talk over
  std::chrono::milliseconds pause = lsp::ServerOptions{}.pause;
  std::size_t max_diagnostics = lsp::ServerOptions{}.max_diagnostics;
};

void declare(CLI::App& app, LspOptions& options) {
  app.add_flag("--stdio", options.standard_streams,
               "talk over standard input and output; that is what it does anyway, but editors say so")
      ->group(section::input);
  declare_program_options(app, options.common.program);
  const auto set_pause = [&options](const std::string& text) {
    const auto pause = parse_duration(text);
    if (!pause) throw CLI::ValidationError("--pause", fmt::format("'{}' is not a time such as 500ms or 2s", text));
    options.pause = *pause;
  };
  app.add_option_function<std::string>("--pause", set_pause,
                                       "look for races and deadlocks after such a pause in typing (default 500ms)")
      ->type_name("TIME")
      ->group(section::analysis);
  const auto set_most = [&options](const std::string& text) {
    options.max_diagnostics = number_in("--max-diagnostics", text);
  };
  app.add_option_function<std::string>("--max-diagnostics", set_most,
                                       "tell so many diagnostics of a file at most (default 200); 0: all")
      ->type_name("N")
      ->group(section::output);
  declare_limits(app, options.analysis);
}

const char* exceptions_text(java::ThrownExceptions exceptions) {
  switch (exceptions) {
    case java::ThrownExceptions::All: return "all";
    case java::ThrownExceptions::Explicit: return "explicit";
    case java::ThrownExceptions::None: return "none";
  }
  return "all";
}

// What is said of Java programs on the command line, until the editor says something else.
lsp::JavaSettings java_settings(const JavaInputOptions& options) {
  lsp::JavaSettings settings{.main_class = options.analysis.main.value_or(""),
                             .class_path = options.surroundings.class_path,
                             .source_path = options.lowering.source_path,
                             .jdk = options.surroundings.jdk.value_or("")};
  const auto pass = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) settings.arguments.insert(settings.arguments.end(), {option, value});
  };
  pass("--models", options.models);
  pass("--jdk-bodies", options.analysis.jdk_bodies);
  pass("--library-code", options.analysis.library_code);
  if (options.library.wanted && options.library.classes.empty())
    settings.arguments.insert(settings.arguments.end(), {"--library", "-"});
  pass("--library", options.library.classes);
  pass("--entry", options.library.entries);
  pass("--exceptions", {exceptions_text(options.lowering.exceptions)});
  pass("--max-contexts", {std::to_string(options.analysis.max_contexts)});
  return settings;
}

ExitStatus run(const LspOptions& options, Run& run) {
  const lsp::ServerOptions server{
      .reading = {.lowering = options.common.program.lowering, .silenced = options.common.program.silenced},
      .pause = options.pause,
      .limits = options.analysis,
      .max_diagnostics = options.max_diagnostics,
      .version = version(),
      .java = java_settings(options.common.program.java)};
  return lsp::serve(server, run.stop) == lsp::Ending::InOrder ? ExitStatus::Nothing : ExitStatus::Finding;
}

}  // namespace

Command lsp_command() {
  return make_command<LspOptions>(
      {.name = "lsp",
       .group = CommandGroup::Look,
       .summary = "serve an editor that speaks the Language Server Protocol",
       .description =
           "Talks to an editor about the programs and models that are open in it: errors and warnings while typing, "
           "races, deadlocks and verdicts after a pause or when saving, and what is asked about a place. Java sources "
           "are compiled and looked at when they are saved. Editors start it by themselves; docs/editors.md tells how. "
           "The limits are those of each analysis (30s and 4G by default).",
       .examples = {{"lockwood lsp", "what an editor runs"},
                    {"lockwood lsp --pause=2s --timeout=2m", "wait longer, and look longer"}},
       .exits = ExitTable::Conversation},
      declare, run);
}

}  // namespace lockwood::frontend
