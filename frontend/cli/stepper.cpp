#include "frontend/cli/stepper.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"
#include "dpn/formats/schedule_text.hpp"
#include "dpn/formats/tree_text.hpp"
#include "dpn/semantics/describe.hpp"
#include "dpn/semantics/session.hpp"
#include "dpn/trees/tree_of_execution.hpp"

namespace lockwood::frontend {
namespace {

struct Verb {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<Verb, 9> verbs{{{"list", "the moves that can be made now; also an empty line"},
                                     {"undo", "take back the last move, or `undo 3` moves"},
                                     {"redo", "make again what was taken back, or `redo 3` moves"},
                                     {"restart", "back to the start; redo works"},
                                     {"threads", "the threads with their stacks and locks"},
                                     {"run", "the moves made so far"},
                                     {"tree", "the execution tree so far"},
                                     {"help", "this list"},
                                     {"quit", "end; also q, exit and the end of input"}}};

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// One line of input at a time, until done.
class Stepper {
 public:
  Stepper(const dpn::Network& network, dpn::Semantics semantics, const Dialogue& dialogue)
      : network_{network}, session_{network, semantics}, dialogue_{dialogue} {
    list();
  }

  [[nodiscard]] bool done() const { return done_; }

  // Does what the line says; or returns why it cannot be done.
  std::optional<std::string> obey(std::string_view line) {
    line = trimmed(line);
    const std::string_view verb = line.substr(0, line.find_first_of(" \t"));
    const std::string_view argument = trimmed(line.substr(verb.size()));
    if (const auto number = number_in(verb); number && argument.empty()) return make(*number);
    if (verb == "undo" || verb == "redo") return travel(verb == "undo", argument);
    if (!argument.empty()) return fmt::format("'{}' takes no argument; see help", verb);
    if (verb.empty() || verb == "list") {
      list();
    } else if (verb == "restart") {
      session_.rewind();
      list();
    } else if (verb == "threads") {
      dialogue_.write(dpn::describe(network_, session_.configuration()));
    } else if (verb == "run") {
      const auto moves = session_.moves();
      dialogue_.write(dpn::schedule_text(network_, {.moves = {moves.begin(), moves.end()}, .cuts = {}}));
    } else if (verb == "tree") {
      dialogue_.write(dpn::to_text(network_, dpn::tree_of_execution(network_, session_.moves())));
    } else if (verb == "help") {
      help();
    } else if (verb == "quit" || verb == "q" || verb == "exit") {
      done_ = true;
    } else {
      return unknown(verb);
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> make(std::size_t number) {
    const auto enabled = session_.enabled();
    if (number == 0 || number > enabled.size()) {
      if (enabled.empty()) return "no move can be made; undo takes one back";
      return fmt::format("there is no move {}; choose from 1 to {}", number, enabled.size());
    }
    const dpn::Move move = enabled[number - 1];
    dialogue_.write(dpn::describe(network_, session_.configuration(), move) + '\n');
    if (session_.make(move)) return "the move is not enabled";
    list();
    return std::nullopt;
  }

  std::optional<std::string> travel(bool back, std::string_view argument) {
    const auto times = argument.empty() ? std::optional<std::size_t>{1} : number_in(argument);
    if (!times) return fmt::format("'{}' is not a number of moves", argument);
    const std::size_t possible = back ? session_.moves().size() : session_.undone().size();
    if (possible == 0) return fmt::format("there is nothing to {}", back ? "undo" : "redo");
    if (*times > possible)
      return fmt::format("there {} only {} to {}", possible == 1 ? "is" : "are", possible, back ? "undo" : "redo");
    for (std::size_t i = 0; i < *times; ++i) back ? session_.undo() : session_.redo();
    list();
    return std::nullopt;
  }

  std::string unknown(std::string_view verb) const {
    Suggestion suggestion{verb};
    for (const Verb& known : verbs) suggestion.consider(known.name);
    const std::string hint = suggestion.hint();
    return fmt::format("unknown command '{}'; {}", printable(verb), hint.empty() ? "see help" : hint);
  }

  // After k moves: where the threads stand, and what can be done; also what cannot, for want of a lock.
  void list() const {
    const dpn::Configuration& configuration = session_.configuration();
    const auto enabled = session_.enabled();
    const std::size_t made = session_.moves().size();
    std::string text =
        dialogue_.style(Tone::Faint, fmt::format("-- after {} {}", made, made == 1 ? "move" : "moves")) + '\n';
    const std::size_t width = std::to_string(enabled.size()).size();
    for (std::size_t i = 0; i < enabled.size(); ++i)
      text += fmt::format("  {:>{}}  {}\n", i + 1, width, dpn::describe(network_, configuration, enabled[i]));
    text += waiting(configuration);
    if (enabled.empty()) text += "  no move can be made\n";
    dialogue_.write(text);
  }

  [[nodiscard]] std::string waiting(const dpn::Configuration& configuration) const {
    std::string text;
    for (dpn::ThreadId thread : configuration.threads.keys()) {
      if (configuration.threads[thread].ended()) continue;
      for (dpn::RuleId rule : network_.rules_from(configuration.threads[thread].head())) {
        const dpn::Move move{thread, rule};
        if (const auto blocked = dpn::blocked(network_, configuration, move, session_.semantics()))
          text += "  " + dialogue_.style(Tone::Doubtful, dpn::describe(network_, configuration, move, *blocked)) + '\n';
      }
    }
    return text;
  }

  void help() const {
    std::string text = "  1, 2, …   make the move with this number\n";
    for (const Verb& verb : verbs) text += fmt::format("  {:<9} {}\n", verb.name, verb.meaning);
    dialogue_.write(text);
  }

  const dpn::Network& network_;
  dpn::Session session_;
  const Dialogue& dialogue_;
  bool done_ = false;
};

}  // namespace

StepperResult step_by_hand(const dpn::Network& network, dpn::Semantics semantics, const Dialogue& dialogue,
                           OnRefusal on_refusal) {
  StepperResult result;
  Stepper stepper{network, semantics, dialogue};
  while (!stepper.done()) {
    const auto line = dialogue.read();
    if (!line) break;
    ++result.lines;
    if (auto refusal = stepper.obey(*line)) {
      if (on_refusal == OnRefusal::End) {
        result.refused = std::move(refusal);
        break;
      }
      dialogue.write(*refusal + '\n');
    }
  }
  return result;
}

}  // namespace lockwood::frontend
