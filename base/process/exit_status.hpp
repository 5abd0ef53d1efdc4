#pragma once

#include <string>

namespace lockwood {

// What the program tells its caller. 128 + n after signal n is not among these: it is no answer.
enum class ExitStatus : int {
  Nothing = 0,   // ran, and nothing bad was found
  Finding = 1,   // ran, and found what was asked for: a reachable query, a race, a deadlock; of a question: no
  BadInput = 2,  // the command line, the input or the place for the output is at fault
  GaveUp = 3,    // a limit was reached before the answer
  Internal = 4,  // we are at fault
};

// The status of two pieces of work together. What makes all answers doubtful comes first, then findings, then what was
// not decided: Internal, BadInput, Finding, GaveUp, Nothing.
[[nodiscard]] ExitStatus combined(ExitStatus a, ExitStatus b);

// What the status of a command can say: that it is done, whether there is a finding, the answer to a question, whether
// there was something to show, whether all checks of a script hold, or how a conversation ended.
enum class ExitTable { Computation, Verdict, Answer, Existence, Checks, Conversation };

// The table for the end of a help text.
[[nodiscard]] std::string exit_status_help(ExitTable table);

}  // namespace lockwood
