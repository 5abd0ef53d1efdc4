#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/process/stop.hpp"

namespace lockwood::frontend {

// A line that `lockwood batch` wrote.
struct AnswerLine {
  std::string id;       // as JSON
  std::string query;    // empty if it was refused
  std::string verdict;  // empty if it was refused
  std::string model;    // which one it is about; empty if the line does not tell
  std::string text;     // the line itself, without its end
  // A verdict that another run would only repeat.
  [[nodiscard]] bool decided() const { return verdict == "reachable" || verdict == "unreachable"; }
};

struct AnswerFile {
  std::vector<AnswerLine> lines;
  std::string model;                   // which one the answers are about; empty if no line tells
  std::size_t without_model = 0;       // answers that do not tell
  std::optional<std::size_t> cut_off;  // bytes up to the end of the last whole line, if something is left after it
};

// How an answer contradicts another one of the same id, up to a word that tells where that is: "it is another query".
[[nodiscard]] std::optional<std::string> contradiction_of(const AnswerLine& here, const AnswerLine& there);

// Reads answers; a last line without its end, which a crash may leave, does not count. Throws InputError, with all
// errors found up to a limit, if there are other lines that are no answers, or answers that contradict each other or
// are about different models; and Interrupted.
[[nodiscard]] AnswerFile read_answers(const std::string& path, StopToken stop = {});

}  // namespace lockwood::frontend
