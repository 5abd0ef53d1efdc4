#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "base/process/standard_streams.hpp"
#include "base/process/text_file.hpp"
#include "base/process/watchdog.hpp"
#include "base/text/suggestion.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/options/set_options.hpp"
#include "frontend/cli/output/report_writer.hpp"
#include "frontend/cli/repl/line_editor.hpp"
#include "frontend/report/dot/svg_picture.hpp"
#include "frontend/sets/constructs.hpp"
#include "frontend/sets/parser.hpp"
#include "frontend/sets/session.hpp"

namespace lockwood::frontend {
namespace {

struct ReplOptions {
  CommonOptions common;
  std::string path;
  SetOptions sets;
  Limits limits;  // of each input; those of `common` would end the session
};

void declare(CLI::App& app, ReplOptions& options) {
  app.add_option("FILE", options.path, "a model or program to begin with")->type_name("FILE")->group(section::input);
  declare_program_options(app, options.common.program);
  declare_set_options(app, options.sets);
  declare_limits(app, options.limits);
  declare_general(app, options.common.general);
}

constexpr std::string_view prompt = "lockwood> ";
constexpr std::string_view further_prompt = "     ...> ";

constexpr std::string_view greeting =
    "Sets of execution trees. `help` lists what can be written, `help post*` tells about one thing, Tab completes, "
    "Ctrl-C interrupts, Ctrl-D leaves.\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string_view verb_of(std::string_view line) { return line.substr(0, line.find_first_of(" \t")); }

// Other programs are left by this.
bool is_exit(std::string_view line) { return line == "exit" || line == "exit()" || line == "quit()"; }

std::string counted(std::size_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + '"';
}

// The answer to `help …`; empty if there is nothing of that name.
std::string help_text(std::string_view topic) {
  if (topic.empty()) return sets::help_overview() + "in this dialogue:\n  help CONSTRUCT\n  quit\n";
  if (topic == "help") return "help, help CONSTRUCT\n    what can be written, and what it means\n";
  if (topic == "quit") return "quit\n    leaves; so does Ctrl-D\n";
  return sets::help_on(topic);
}

// A dialogue: one input after the other, each a statement or more.
class Conversation {
 public:
  Conversation(const ReplOptions& options, Run& run)
      : options_{options},
        run_{run},
        person_{is_terminal(STDIN_FILENO)},
        interruption_{
            run.supervisor, interrupt_,
            person_ ? Supervisor::Interruption::Dialogue::WithPerson : Supervisor::Interruption::Dialogue::WithProgram},
        writer_{run},
        session_{{.limits = {.states = options.sets.states, .stop = StopToken{interrupt_}},
                  .way = options.sets.way,
                  .folder = {},
                  .load = [this](const std::string& path) { return loaded(path); },
                  .report = [this](sets::Result result) { report(std::move(result)); },
                  .warn = [this](const Diagnostic& warning) { run_.warn(warning); },
                  .svg = to_svg}},
        editor_{{.stop = StopToken{interrupt_}, .history = history_path(), .complete = [this](std::string_view line) {
                   return completion(line);
                 }}} {
    writer_.expect_script();
  }

  ExitStatus talk() {
    if (!options_.path.empty()) evaluate("load " + in_quotes(options_.path), "<command line>", 1);
    if (person_ && !options_.common.general.quiet) write_text_file("-", greeting);
    while (!run_.stop.stop_requested() && !left_ && hear()) {
    }
    run_.stop.check();
    writer_.finish();
    return person_ ? ExitStatus::Nothing : status_;
  }

 private:
  // Takes a line, and obeys if it completes an input. Whether there may be more.
  bool hear() {
    interrupt_.reset();
    const LineEvent event = editor_.next(std::string{input_.empty() ? prompt : further_prompt});
    if (std::holds_alternative<DroppedLine>(event)) {
      begin_input();
      return true;
    }
    if (std::holds_alternative<EndOfLines>(event)) {
      if (!input_.empty()) obey();
      return false;
    }
    const std::string& line = std::get<TypedLine>(event).text;
    // Several at once are recalled.
    lines_ += 1 + static_cast<std::uint32_t>(std::ranges::count(line, '\n'));
    // A blank line ends what nothing else would: then the error is told.
    const bool gives_up = person_ && !input_.empty() && trimmed(line).empty();
    const bool is_for_us =
        input_.empty() && (verb_of(trimmed(line)) == "help" || trimmed(line) == "quit" || is_exit(trimmed(line)));
    input_ += line + '\n';
    if (gives_up || is_for_us || !sets::is_unfinished(input_)) obey();
    return true;
  }

  void begin_input() {
    input_.clear();
    first_line_ = lines_ + 1;
  }

  void obey() {
    const std::string text = input_;
    const std::uint32_t line = first_line_;
    begin_input();
    const std::string_view content = trimmed(text);
    if (content.empty()) return;
    editor_.remember(std::string{content});
    if (const std::string_view verb = verb_of(content); verb == "help")
      return help(trimmed(content.substr(verb.size())));
    if (content == "quit") {
      left_ = true;
      return;
    }
    if (is_exit(content)) {
      put_message("`quit` leaves, and so does Ctrl-D\n");
      return;
    }
    try {
      evaluate(text, "<stdin>", line);
    } catch (const InputError& error) {
      status_ = combined(status_, ExitStatus::BadInput);
      put_message(error.what());
    }
  }

  // What is defined stays defined, however this ends. Only a limit or a signal ends it early, which was reported.
  void evaluate(std::string text, const std::string& file, std::uint32_t line) {
    const sets::Script script = sets::parse_script(std::move(text), file, line);
    one_result_ = script.statements.size() == 1 && !std::holds_alternative<sets::For>(script.statements.front().what);
    interrupt_.reset();
    const Watchdog watchdog{interrupt_, options_.limits};
    run_.progress.show("computing");
    struct Quiet {
      Progress& progress;
      ~Quiet() { progress.show(""); }
    } const quiet{run_.progress};
    try {
      session_.run(script);
    } catch (const Interrupted&) {
      status_ = combined(status_, ExitStatus::GaveUp);
    }
    session_.forget_unnamed();
  }

  void report(sets::Result result) {
    status_ = combined(status_, status_of(result));
    if (const auto* written = std::get_if<sets::Written>(&result.what)) run_.note("wrote " + written->path);
    // Whoever typed one statement knows which it was, and did not ask for times.
    if (person_ && one_result_) result.statement.clear();
    if (person_ && !std::holds_alternative<sets::Timed>(result.what)) result.seconds.reset();
    writer_.add(std::move(result));
  }

  sets::ModelPtr loaded(const std::string& path) {
    if (path == "-") throw InputError{"<stdin>", "standard input is the dialogue, so there is no model"};
    Run reading = run_;
    reading.stop = StopToken{interrupt_};
    ModelInput model = read_model(path, reading);
    if (person_)
      run_.note(fmt::format("{}: {}, {}, {}", path, counted(model.identity.rules, "rule"),
                            counted(model.identity.symbols, "stack symbol"), counted(model.identity.locks, "lock")));
    return set_model(std::move(model));
  }

  void help(std::string_view topic) {
    std::string text = help_text(topic);
    if (!text.empty()) return write_text_file("-", text);
    status_ = combined(status_, ExitStatus::BadInput);
    Suggestion suggestion{topic};
    for (std::string_view known : sets::help_topics()) suggestion.consider(known);
    const std::string hint = suggestion.hint();
    put_message(fmt::format("there is no help on '{}'; {}\n", topic, hint.empty() ? "help lists all" : hint));
  }

  [[nodiscard]] sets::Completion completion(std::string_view line) const {
    // Brackets of earlier lines count.
    sets::Completion found = sets::completion(session_, input_ + std::string{line});
    const std::string_view word = line.substr(line.size() - std::min(found.typed, line.size()));
    const std::string_view before = trimmed(line.substr(0, line.size() - word.size()));
    if (!input_.empty() || (!before.empty() && before != "help")) return found;
    if (before == "help") {
      found.choices.clear();
      for (std::string_view topic : sets::help_topics()) found.choices.emplace_back(topic);
      std::erase_if(found.choices, [&](const std::string& each) { return !each.starts_with(word); });
    } else {
      for (const char* verb : {"help", "quit"})
        if (std::string_view{verb}.starts_with(word)) found.choices.emplace_back(verb);
    }
    std::ranges::sort(found.choices);
    return found;
  }

  const ReplOptions& options_;
  Run& run_;
  bool person_;
  StopSource interrupt_;  // of the line that is being typed, or of what is being computed
  Supervisor::Interruption interruption_;
  ReportWriter writer_;
  sets::Session session_;
  LineEditor editor_;
  ExitStatus status_ = ExitStatus::Nothing;
  std::string input_;  // so far
  std::uint32_t first_line_ = 1;
  std::uint32_t lines_ = 0;
  bool one_result_ = false;  // the input has one statement, which gives one
  bool left_ = false;
};

ExitStatus run(const ReplOptions& options, Run& run) {
  if (is_terminal(STDIN_FILENO) && !is_terminal(STDOUT_FILENO))
    throw InputError{"lockwood repl", "this needs a terminal for its output, or a script as its input"};
  return Conversation{options, run}.talk();
}

}  // namespace

Command repl_command() {
  return make_command<ReplOptions>(
      {.name = "repl",
       .group = CommandGroup::Research,
       .summary = "a dialogue about sets of execution trees",
       .description =
           "Evaluates what is typed, in the language of `lockwood query`: sets of execution trees are named by let, "
           "combined, compared and shown. `help` lists what can be written. Ctrl-C drops the line, or interrupts what "
           "is being computed, and keeps all definitions; Ctrl-D leaves. Limits are those of each input. Without a "
           "terminal, lines are taken from standard input as a script. docs/sets.md describes the language.",
       .examples = {{"lockwood repl models/fig1.dpn", "then type: witness(post*(init) & stand({s2}))"},
                    {"echo 'show post*(init)' | lockwood repl models/fig1.dpn", "one question, without a terminal"}},
       .exits = ExitTable::Checks},
      declare, run);
}

}  // namespace lockwood::frontend
