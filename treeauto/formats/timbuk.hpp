#pragma once

#include <string>
#include <string_view>

#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"

namespace lockwood::treeauto {

// The Timbuk text format for one bottom-up automaton, as libvata and Timbuk read and write it:
//
//     Ops a:0 b:1 c:2
//     Automaton A
//     States q0 q1 q2
//     Final States q2
//     Transitions
//     a -> q0
//     b(q0) -> q1
//     c(q1, q1) -> q2
//
// Reading is free-form: lists and rules may run over several lines, the four sections before `Transitions` come in any
// order and may be absent. Lines whose first character is % or # are comments, except that a rule may begin with a
// symbol that was declared with such a name. `q:0` is the state q wherever a state stands alone. What is used but not
// declared is added, unless reading is strict. A rule `q -> p` whose left side is a declared state, and not a declared
// constant, is an epsilon rule: it is replaced by the rules that it makes possible.
enum class TimbukReading {
  Lenient,
  Strict,  // what is used must be declared, and with that rank; states have rank 0
};

// Symbols and states are numbered in the order of their declarations, those not declared in the order of their use.
// Throws InputError with all errors, up to a limit. `file` is what they call the text.
[[nodiscard]] Automaton read_timbuk(std::string_view text, std::string_view file,
                                    TimbukReading reading = TimbukReading::Lenient, StopToken stop = {});
[[nodiscard]] Automaton read_timbuk_file(const std::string& path, TimbukReading reading = TimbukReading::Lenient,
                                         StopToken stop = {});

// The same bytes for equal automata; everything is declared, and reading it gives an equal automaton. Throws
// InputError for names that the format cannot express: empty ones, keywords, those with white space or one of ( ) , :
// or ->.
[[nodiscard]] std::string to_timbuk(const Automaton& automaton);

// Whether `word` is Ops, Automaton, States, Final or Transitions, which cannot be names.
[[nodiscard]] bool is_timbuk_keyword(std::string_view word);

}  // namespace lockwood::treeauto
