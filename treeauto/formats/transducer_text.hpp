#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "treeauto/automaton/transducer.hpp"
#include "treeauto/formats/timbuk.hpp"

namespace lockwood::treeauto {

// A bottom-up tree transducer as text, in the manner of Timbuk:
//
//     Ops a:0 f:2
//     Output Ops b:0 g:1
//     Transducer T
//     States q r
//     Final States r
//     Transitions
//     a -> q(b)
//     f(q(x), r(y)) -> r(g(y))
//
// The children of a left side are states with variables. What is put out is in the parentheses behind the state on
// the right; there, a name alone is a variable of the left side if there is one of that name, and else a constant. The
// sections before `Transitions` come in any order and may be absent; rules may run over several lines; lines that begin
// with % or # are comments. What is used but not declared is added, unless reading is strict.
struct TransducerText {
  std::string name;
  Transducer transducer;
  IdVector<TransducerRule, std::size_t> places;  // where the rules begin in the text
};

// States and rules are numbered in the order of the text. Throws InputError with all errors, up to a limit. `file` is
// what they call the text.
[[nodiscard]] TransducerText read_transducer(std::string_view text, std::string_view file,
                                             TimbukReading reading = TimbukReading::Lenient, StopToken stop = {});

}  // namespace lockwood::treeauto
