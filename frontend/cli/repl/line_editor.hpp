#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/process/stop.hpp"
#include "frontend/sets/completion.hpp"

namespace lockwood::frontend {

struct TypedLine {
  std::string text;  // without its end
};
struct DroppedLine {};  // the person changed their mind, or a stop was requested
struct EndOfLines {};
using LineEvent = std::variant<TypedLine, DroppedLine, EndOfLines>;

struct LineEditorOptions {
  StopToken stop;
  std::string history;  // the file; empty: none is kept
  std::function<sets::Completion(std::string_view before_cursor)> complete;
};

// Lines from standard input. On a terminal they are edited, completed and remembered, by libedit; if the program was
// built without it, or the terminal is dumb, or there is none, lines are taken as they come. Without a terminal no
// prompt is shown. At most one editor lives at a time.
class LineEditor {
 public:
  explicit LineEditor(LineEditorOptions options);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Waits for a line. Throws InputError if the input cannot be read.
  [[nodiscard]] LineEvent next(const std::string& prompt);
  // Puts what was typed, which may be several lines, into the history. They are recalled together.
  void remember(const std::string& text);

 private:
  class Terminal;
  class Plain;
  std::unique_ptr<Terminal> terminal_;
  std::unique_ptr<Plain> plain_;
};

// $XDG_STATE_HOME/lockwood/history, or where that is by default; empty if there is no such place.
[[nodiscard]] std::string history_path();

}  // namespace lockwood::frontend
