#pragma once

#include <array>
#include <string_view>

namespace lockwood::sets {

// The words of the language. They cannot be defined by a script; in lists of symbols they stand for themselves.
inline constexpr std::array<std::string_view, 42> words{
    "actions", "automaton", "avoiding", "check",   "count",  "depth", "dot",   "empty",   "explain", "false", "finite",
    "fired",   "for",       "holding",  "in",      "init",   "let",   "load",  "locks",   "member",  "nodes", "nolocks",
    "only",    "post*",     "pre*",     "reduce",  "sample", "save",  "seed",  "show",    "size",    "stand", "states",
    "symbols", "table",     "thread",   "threads", "time",   "true",  "union", "wanting", "witness"};

}  // namespace lockwood::sets
