#pragma once

#include <optional>
#include <string>

#include "frontend/verify/table.hpp"

namespace lockwood::verify {

// What is wrong with the table as a proof that the problem has no answer besides the conceded ones: the first violated
// rule instance, in the names of the model. Nothing if the table is such a proof.
//
// Why the check suffices. Let t be the tree of an execution, cut into phases, whose threads meet the goals, and let its
// collected symbols not be conceded. Each subtree s of t has a context c (where it begins), an outcome, what it shows
// of the goals, and a lock structure, which is consistent because t can be scheduled and consistency of t is that of
// all its parts (docs/theory.md, Sect. 4: all conditions are monotone). *If c is in the table, then the table has a
// fact of c that covers s*: with the same outcome and collected symbols, at least its goals, and a smaller or equal
// structure. By induction on the size of s: the rule at its root is allowed in its phase, so demand says that the
// contexts of its children are there (for what follows a call: because a fact covers the body, with its outcome), so
// facts cover the children; the rule instance with these facts has a conclusion that covers s, as all operations are
// monotone, hence is consistent, and is not conceded; so closure says that a fact covers it, and thereby s. The context
// of t itself is the root, which is there: so an accepting fact of the root covers t. But there is none.
// Nothing is asked about where facts come from: superfluous ones cannot harm.
[[nodiscard]] std::optional<std::string> flaw(const dpn::Network& network, const Problem& problem, Table table);

}  // namespace lockwood::verify
