#pragma once

#include "explorer/search/source_sets.hpp"

namespace lockwood::explorer {

// Search without a store, by optimal dynamic partial order reduction with wakeup trees [abdulla.14.optimal, Alg. 2]:
// exactly one execution of each equivalence class of those that order dependent actions alike, and none that is given
// up. For programs whose runs end.
//
// A race is looked for when an execution is over: two events that depend on each other, the later one of a thread that
// was not ordered behind the earlier one before. What comes between and is not ordered behind the first event, and then
// the second one, is a sequence that turns the race round. It goes into the wakeup tree of the state before the first
// event, unless something that was explored there, or that is in the tree, stands for it.
//
// We differ from the printed algorithm in two points. An acquire races with an earlier one though the release orders
// them, since it could have come first; and so does an acquire that is blocked for ever. A step with several outcomes
// is executed with each of them; a sequence in a tree says which one it means.
[[nodiscard]] SourceSetResult wakeup_tree_search(Machine& machine, const SourceSetOptions& options);

}  // namespace lockwood::explorer
