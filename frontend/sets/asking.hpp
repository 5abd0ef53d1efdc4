#pragma once

#include <optional>
#include <string>

#include "dpn/execution_tree.hpp"
#include "frontend/sets/automata.hpp"
#include "frontend/sets/set.hpp"

namespace lockwood::sets {

// How questions about sets are answered.
enum class Way {
  Automatic,  // by the engine if the set is of its shape, else by automata
  Automata,
};

// Some tree of the set, a small one; nothing if the set is empty. Throws Interrupted.
[[nodiscard]] std::optional<dpn::ExecutionTree> some_tree(const SetPtr& set, Way way, Automata& automata);

// Which way some_tree takes, and why: sentences for people.
[[nodiscard]] std::vector<std::string> way_of(const SetPtr& set, Way way, const Limits& limits);

}  // namespace lockwood::sets
