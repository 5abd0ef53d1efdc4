#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/procedures.hpp"

namespace lockwood::dpn {

// The control flow as a graph for Graphviz: a cluster per procedure, a node per stack symbol. A rule is an edge to
// where its procedure goes on, labelled with its action, and with control states where they matter: `(p to q)`, or only
// `(from p)`, `(to q)` if the other one has an empty label; nothing if it stays what it is in the beginning. A return
// leads to the procedure's exit. From calls, thin edges lead to the callee; from spawns, dashed ones to the new thread;
// those of monitors have the colour of their lock. Symbols that neither a rule nor the initial configuration mentions
// are not drawn. `title` is what a procedure is called that begins at the symbol; the symbol itself if nobody says.
// Throws Interrupted if asked to stop.
void write_dot(std::ostream& out, const Network& network, const Procedures& procedures, StopToken stop = {},
               const std::function<std::string(StackSymbol entry)>& title = {});

}  // namespace lockwood::dpn
