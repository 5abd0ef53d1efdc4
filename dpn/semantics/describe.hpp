#pragma once

#include <string>

#include "dpn/model/network.hpp"
#include "dpn/semantics/configuration.hpp"
#include "dpn/semantics/small_step.hpp"

// Text for people about the parts of a model and its runs, with the model's own names (labels where there are any), as
// far as a terminal can show them.
// Control states are left out where the model has only one: then nobody wrote them. So is one with an empty label.
namespace lockwood::dpn {

// `p g`, or `g`.
[[nodiscard]] std::string describe(const Network& network, Head head);

// `g1 -- a --> g2`; a call `g1 -- a --> f1 [returns to g2]`, with a lock `[acquires x, returns to g2]`; a return
// `g1 -- a --> return`; a spawn `g1 -- a --> g2 [spawns t1]`, with groups `[spawns t1 into h, as all k]`; further
// remarks about groups: `[opens h]`, `[joins h]`, `[forgets h]`.
[[nodiscard]] std::string describe(const Network& network, const Rule& rule);

// `main.1: g1 -- a --> g2 [acquires x]`: the move as it happens in the configuration, in which it need not be enabled
// but whose thread exists. Says what happens to locks: `[acquires x]`, `[acquires x again]`, `[releases x]`, and
// `[spawns main.1.2 at t1]`, `[ends]`; and what happens to groups.
[[nodiscard]] std::string describe(const Network& network, const Configuration& configuration, Move move);

// `main.1 at p f1, then g2, then m3; holds x, y`: the stack, top first; `main.1 has ended`. Long stacks are shortened
// in the middle.
[[nodiscard]] std::string describe(const Network& network, const Configuration& configuration, ThreadId thread);

// One line per thread, in the order of creation, each ended by a newline.
[[nodiscard]] std::string describe(const Network& network, const Configuration& configuration);

// Why a move is not possible: `main.1 waits for lock x, held by main.2`, `main waits for main.1 to end`.
[[nodiscard]] std::string describe(const Network& network, const Configuration& configuration, Move move,
                                   const Blocked& blocked);

}  // namespace lockwood::dpn
