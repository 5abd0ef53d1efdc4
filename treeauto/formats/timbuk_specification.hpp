#pragma once

#include <string_view>
#include <vector>

#include "base/process/stop.hpp"
#include "base/text/diagnostic.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/formats/timbuk.hpp"

namespace lockwood::treeauto {

// What a full Timbuk specification says about tree-regular sets.
struct TimbukSpecification {
  std::vector<Automaton> automata;
  std::vector<Diagnostic> skipped;  // a note for each section of another kind
};

// Reads a specification of Timbuk itself: one alphabet (`Ops`), any number of automata (`Automaton`, with their
// `States`, `Final States` and `Transitions`), and sections of other kinds (Vars, Const, TRS, Equations, Rules,
// Patterns, Regexp, SRegexp), which are skipped. A section begins where its keyword is the first word of a line.
// Throws InputError.
[[nodiscard]] TimbukSpecification read_timbuk_specification(std::string_view text, std::string_view file,
                                                            TimbukReading reading = TimbukReading::Lenient,
                                                            StopToken stop = {});

}  // namespace lockwood::treeauto
