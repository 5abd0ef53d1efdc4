#pragma once

#include <cstddef>
#include <string>

#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// Families of automata on which a simple algorithm takes quadratic time and a good one does not.

enum class Finals { Last, All };
// z -> q0, s(q0) -> q1, …, with another name for s.
[[nodiscard]] Automaton growing_chain(std::size_t states, const std::string& successor, Finals finals);

enum class SharedChild { BeforeOthers, AfterOthers };
// a -> q, and for each i: ci -> pi, f(q, q, pi) -> r. In a product with itself (q, q) is reached before or after
// others.
[[nodiscard]] Automaton growing_fan(std::size_t width, SharedChild shared);

}  // namespace lockwood::treeauto
