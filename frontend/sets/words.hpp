#pragma once

#include <array>
#include <string_view>

namespace lockwood::sets {

// The words of the language. They cannot be defined by a script; in lists of symbols they stand for themselves.
inline constexpr std::array<std::string_view, 46> words{
    "actions", "automaton", "avoiding", "check",   "count",   "depth",  "dot",     "empty",  "enumerate", "explain",
    "false",   "finite",    "fired",    "for",     "holding", "in",     "init",    "let",    "limit",     "load",
    "locks",   "member",    "nodes",    "nolocks", "only",    "post*",  "pre*",    "reduce", "sample",    "save",
    "seed",    "show",      "size",     "stand",   "states",  "svg",    "symbols", "table",  "thread",    "threads",
    "time",    "true",      "union",    "vars",    "wanting", "witness"};

}  // namespace lockwood::sets
