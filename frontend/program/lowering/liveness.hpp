#pragma once

#include <vector>

#include "base/ids/id_vector.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::program {

// For each point, those of the given locals, ascending, whose value may still be read from there before it is set anew.
// Takes time linear in the size of the graph and of the result, however many locals there are.
[[nodiscard]] IdVector<Point, std::vector<Local>> live_locals(const Procedure& procedure,
                                                              const IdVector<Local, bool>& considered);

// The locals that the instruction reads, each as often as it does.
[[nodiscard]] std::vector<Local> used_locals(const Instruction& instruction);

// The local that it sets, if it sets one.
[[nodiscard]] std::optional<Local> set_local(const Instruction& instruction);

}  // namespace lockwood::program
