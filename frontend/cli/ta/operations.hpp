#pragma once

#include <vector>

#include "frontend/cli/command.hpp"

// The operations of `lockwood ta`, by what they give.
namespace lockwood::frontend::ta {

// An automaton: union, intersect, minus, complement, determinize, minimize, reduce, trim.
[[nodiscard]] std::vector<Command> computing_operations();

// What becomes of the trees of an automaton: project, rename, image, preimage.
[[nodiscard]] std::vector<Command> mapping_operations();

// An automaton out of nothing: random.
[[nodiscard]] std::vector<Command> making_operations();

// Yes or no: empty, universal, finite, member, included, equivalent.
[[nodiscard]] std::vector<Command> asking_operations();

// Trees, or how many: witness, enumerate, count, sample.
[[nodiscard]] std::vector<Command> tree_operations();

// The same automaton for other readers: info, convert, dot.
[[nodiscard]] std::vector<Command> showing_operations();

}  // namespace lockwood::frontend::ta
