#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lockwood::jvm {

// A flow graph on 0, …, n - 1, where 0 is the entry and all others are reachable from it.
using Successors = std::vector<std::vector<std::uint32_t>>;

// The vertices in reverse postorder: the entry first, and each vertex before its successors except along back edges.
// Vertices that are not reachable are left out.
[[nodiscard]] std::vector<std::uint32_t> reverse_postorder(const Successors& successors);

// By vertex: the one that is nearest to it among those on every way from the entry [cooper.06.simple, Fig. 3]. That of
// the entry is itself. Requires that numbers are a reverse postorder, and predecessors of each vertex.
[[nodiscard]] std::vector<std::uint32_t> immediate_dominators(const Successors& predecessors);

// By vertex: where its dominance ends [cooper.06.simple, Fig. 5]. Stops and returns an empty list if there are more
// than `limit` together: nested loops may have a quadratic number.
[[nodiscard]] Successors dominance_frontiers(const Successors& predecessors, std::span<const std::uint32_t> dominators,
                                             std::size_t limit);

}  // namespace lockwood::jvm
