#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/process/exit_status.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/cli/run.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/shared_tree.hpp"
#include "treeauto/formats/transducer_text.hpp"

// What the operations of `lockwood ta` have in common: how they read automata, and how they give their answers.
namespace lockwood::frontend::ta {

enum class AutomatonFormat {
  ByName,  // input: JSON if the name ends in .json or the text begins with a brace; output: by the name
  Timbuk,
  Json,
};

struct SessionOptions {
  CommonOptions common;
  AutomatonFormat from = AutomatonFormat::ByName;
  bool strict = false;
  bool stats = false;
};

// Of operations that write an automaton.
struct ComputingOptions : SessionOptions {
  AutomatonFormat to = AutomatonFormat::ByName;
};

// The options that every operation has; those of the output differ.
void declare_session(CLI::App& app, SessionOptions& options);
void declare_format(CLI::App& app, AutomatonFormat& to);
// All that an operation has which writes an automaton, besides its input.
void declare_computing(CLI::App& app, ComputingOptions& options);
// A positional argument that is an automaton.
CLI::Option* declare_automaton(CLI::App& app, const std::string& name, std::string& path,
                               const std::string& description);
// `FILE`, of the operations on one automaton.
void declare_only_automaton(CLI::App& app, std::string& path);
// `--over`: an automaton whose symbols count, too.
void declare_over(CLI::App& app, std::string& path);
// How large a tree may be to be written down, `--max-nodes`.
void declare_tree_limit(CLI::App& app, std::size_t& nodes);
constexpr std::size_t default_tree_limit = 1'000'000;

// One operation at work. With --stats, it tells what each step was about and how long it took.
class Session {
 public:
  Session(const SessionOptions& options, Run& run) : options_{options}, run_{run} {}

  // `-` is standard input, and can be read once. Throws InputError.
  [[nodiscard]] treeauto::Automaton read(const std::string& path);
  [[nodiscard]] std::string read_text(const std::string& path);
  // The text is what messages about rules quote.
  [[nodiscard]] treeauto::TransducerText read_transducer(const std::string& path, const std::string& text);
  // The automaton, over the symbols of both; `over` may be empty.
  [[nodiscard]] treeauto::Automaton read_over(const std::string& path, const std::string& over);

  // What `computation` returns, given the token that stops it.
  template <class Computation>
  [[nodiscard]] auto compute(Computation&& computation) {
    run_.progress.show("computing");
    const auto start = std::chrono::steady_clock::now();
    auto result = std::forward<Computation>(computation)(run_.stop);
    run_.stop.check();
    computing_ += std::chrono::steady_clock::now() - start;
    return result;
  }

  // These end the operation: the answer is written to the place of the output. Throws OutputError, and InputError if a
  // name cannot be written in that format.
  [[nodiscard]] ExitStatus finish(const treeauto::Automaton& result, AutomatonFormat to);
  [[nodiscard]] ExitStatus finish(std::string_view answer);
  // `yes` or `no`, and perhaps a tree that shows why on the next line. One that is too large is only told about.
  [[nodiscard]] ExitStatus finish(bool answer, const std::optional<treeauto::SharedTree>& reason = {},
                                  std::size_t tree_limit = 0);

  void note(std::string_view text) const { run_.note(text); }
  // For those that write their answer piece by piece.
  void note_computation() const;
  [[nodiscard]] StopToken stop() const { return run_.stop; }

 private:
  [[nodiscard]] bool tells_stats() const { return options_.stats || options_.common.general.verbose; }
  void note_size(std::string_view what, const treeauto::Automaton& automaton, std::string_view done,
                 std::chrono::duration<double> time) const;

  const SessionOptions& options_;
  Run& run_;
  bool input_read_ = false;
  std::chrono::duration<double> computing_{0};
};

// "<stdin>" for `-`: what messages call a file.
[[nodiscard]] std::string shown_name(const std::string& path);

}  // namespace lockwood::frontend::ta
