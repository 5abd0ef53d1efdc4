#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lockwood::frontend {

enum class ColorMode { Auto, Always, Never };

enum class Tone { Plain, Strong, Faint, Good, Bad, Doubtful };

// How text is marked up for one stream: by colours, or not at all.
class Style {
 public:
  explicit Style(bool colored) : colored_{colored} {}
  [[nodiscard]] std::string operator()(Tone tone, std::string_view text) const;
  [[nodiscard]] bool colored() const { return colored_; }

 private:
  bool colored_;
};

// Colours if asked for; by default if the stream is a terminal that is not dumb, and NO_COLOR is unset or empty.
[[nodiscard]] Style style_for(ColorMode mode, int descriptor);

[[nodiscard]] bool is_terminal(int descriptor);

// Columns of the terminal behind the stream; nothing if it is none.
[[nodiscard]] std::optional<std::size_t> terminal_width(int descriptor);

// Columns that a UTF-8 text takes, with one column for each character.
[[nodiscard]] std::size_t display_width(std::string_view text);

// The text if it fits, else its beginning and an ellipsis. Requires columns > 0.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t columns);

// The text if it fits, else its beginning, an ellipsis and its end, which is the larger part: of a path, what tells it
// from others, and the line behind it. Requires columns > 0.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t columns);

// The text in lines of at most `columns`, broken at spaces; words that are too long stay whole. Later lines are
// indented by `indent` columns, which the first line is taken to have already. Without the last end of line.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

}  // namespace lockwood::frontend
