#pragma once

#include "jvm/code/translation.hpp"

namespace lockwood::jvm {

// Phis and their operands, counted before useless ones are dropped, and dominance frontiers: what a hostile method
// could make quadratic.
inline constexpr std::size_t max_phi_operands = 4'000'000;

// Renames the variables between blocks into registers [cytron.91.efficiently, Sect. 5]. `body` has its blocks with
// edges, and nothing else yet. Lines are those of the code.
//
// Phis are put only where the variable is read later (pruned SSA), and a phi whose operands are all one value, apart
// from itself, is that value. Throws MalformedBytes, whose offset is in the code, if a local is read that need not be
// written, or a limit is reached.
[[nodiscard]] MethodBody ssa_form(Translation translation, MethodBody body, const CodeAttribute& code,
                                  const LocalNames& names);

}  // namespace lockwood::jvm
