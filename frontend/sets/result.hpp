#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "base/text/text_list.hpp"

namespace lockwood::sets {

// What statements have to say.
enum class Outcome { Holds, Fails, Unknown };
[[nodiscard]] const char* to_string(Outcome outcome);
struct Checked {
  Outcome outcome;
  std::string because;                    // a tree that shows it, or the limit that was reached; may be empty
  std::string sentence = {};              // "only in A" of two sets that were compared; may be empty
  std::vector<std::string> details = {};  // of a tree: its schedule, line by line
};
struct Shown {
  std::string type;                                               // "a set", …
  std::variant<bool, std::int64_t, std::string, TextList> value;  // numbers that do not fit are texts
  std::vector<std::string> details;                               // of a tree: its schedule, line by line
};
struct Timed {
  Shown shown;
};
struct Explained {
  std::vector<std::string> lines;
};
// A row for each choice of the variables. What a limit kept from being known has no cell, and the reason is told.
struct Tabulated {
  struct Row {
    std::vector<std::string> choice;  // by variable
    std::vector<std::optional<Shown>> cells;
  };
  std::vector<std::string> variables;
  std::vector<std::string> columns;  // as written
  std::vector<Row> rows;
  std::string because;
};
struct Loaded {
  std::string path;
};
struct Written {
  std::string path;
};
struct GaveUp {
  std::string reason;
};

struct Result {
  std::string statement;  // as written, on one line
  Position at;
  std::vector<std::pair<std::string, std::string>> variables;  // of the loops around it
  std::variant<Checked, Shown, Timed, Explained, Tabulated, Loaded, Written, GaveUp> what;
  std::optional<double> seconds;
};

}  // namespace lockwood::sets
