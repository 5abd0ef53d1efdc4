#pragma once

#include <string>
#include <string_view>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// An automaton as JSON:
//     {"format": "lockwood/tree-automaton/1", "name": "A",
//      "symbols": [{"name": "f", "rank": 2}, …], "states": ["q0", …], "final": ["q0", …],
//      "transitions": [{"symbol": "f", "children": ["q0", "q0"], "target": "q0"}, …]}
// The rank of a transition's symbol is the number of its children. All members but `name` are required.

// The same bytes for equal automata, one transition a line. Throws InputError for names that are not UTF-8.
[[nodiscard]] std::string to_json(const Automaton& automaton);

// Reading what to_json wrote gives an equal automaton. Throws InputError with all errors, up to a limit, each with its
// place in the text and, if it is JSON, its path such as `/transitions/3/target`.
[[nodiscard]] Automaton read_json(std::string_view text, std::string_view file, StopToken stop = {});

}  // namespace lockwood::treeauto
