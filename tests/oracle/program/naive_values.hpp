#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dpn/model/query.hpp"
#include "frontend/findings/analyses/races.hpp"
#include "frontend/program/lowering/lowering.hpp"

// Where values go, by the definition: all configurations are visited, each with what is known of the values in it.
// Nothing if there are too many.
namespace lockwood::findings::reference {

struct Reached {
  bool by_same = false;
  bool by_other = false;
  friend bool operator==(const Reached&, const Reached&) = default;
};

// For each definition and use of the variable, whether a thread can be before the use while the definition was the
// last one: the thread that did it, or another.
[[nodiscard]] std::optional<std::map<std::pair<AccessId, AccessId>, Reached>> def_use_pairs(
    const program::Lowered& lowered, program::Variable variable, dpn::Semantics semantics, std::size_t limit);

// Where values come from: writes, and places that make one.
struct Origins {
  std::vector<AccessId> sources;
  std::vector<dpn::StackSymbol> places = {};
};

// Whether a thread can be before one of the sinks while its variable has a value that was made, step by step, of one
// that comes from there: all locals and variables that have something of it are known at every moment.
[[nodiscard]] std::optional<bool> flows(const program::Program& program, const program::Lowered& lowered,
                                        const Origins& origins, const std::vector<AccessId>& sinks, std::size_t limit);

}  // namespace lockwood::findings::reference
