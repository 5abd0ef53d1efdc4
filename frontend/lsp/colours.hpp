#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "frontend/lsp/model_names.hpp"
#include "frontend/lsp/shown_diagnostic.hpp"
#include "frontend/lw/program_text.hpp"

// What each word of a text is, for editors that colour them ("semantic tokens").
namespace lockwood::lsp {

// In the order of `colour_names`, which are those that the protocol proposes and themes know.
enum class Colour { Keyword, Comment, Number, Variable, Parameter, Function, Lock, Label, Event, Type, Group };
inline constexpr std::array<std::string_view, 11> colour_names{"keyword",   "comment",  "number",   "variable",
                                                               "parameter", "function", "class",    "enumMember",
                                                               "event",     "type",     "namespace"};

// Bits, in the order of `shade_names`.
enum Shade : unsigned { Plain = 0, Declares = 1, Shared = 2, Sets = 4, Thread = 8 };
inline constexpr std::array<std::string_view, 4> shade_names{"declaration", "static", "modification", "async"};

// A piece of the text; it may have several lines if it is a comment.
struct Coloured {
  TextRange range;
  Colour colour;
  unsigned shades = Plain;
};

// In the order of the text. `known`: the program of the text; or else, while the text has errors, of the last one that
// had none, in which words are looked up by what they are called.
[[nodiscard]] std::vector<Coloured> coloured(std::string_view text, const lw::ProgramText* known);

// The same for models. `network`: of the text or of an earlier one.
[[nodiscard]] std::vector<Coloured> coloured(const std::vector<ModelName>& names, const dpn::Network* network);

}  // namespace lockwood::lsp
