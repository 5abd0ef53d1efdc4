#include "base/process/exit_status.hpp"

namespace lockwood {
namespace {

int weight(ExitStatus status) {
  switch (status) {
    case ExitStatus::Nothing: return 0;
    case ExitStatus::GaveUp: return 1;
    case ExitStatus::Finding: return 2;
    case ExitStatus::BadInput: return 3;
    case ExitStatus::Internal: return 4;
  }
  return 4;
}

}  // namespace

ExitStatus combined(ExitStatus a, ExitStatus b) { return weight(a) < weight(b) ? b : a; }

std::string exit_status_help(ExitTable table) {
  std::string text = "Exit status:\n";
  switch (table) {
    case ExitTable::Computation: text += "  0      done\n"; break;
    case ExitTable::Verdict:
      text +=
          "  0      nothing bad was found\n"
          "  1      a finding: see --fail-on\n";
      break;
    case ExitTable::Answer:
      text +=
          "  0      yes, or done\n"
          "  1      no\n";
      break;
    case ExitTable::Existence:
      text +=
          "  0      done\n"
          "  1      there is none\n";
      break;
    case ExitTable::Checks:
      text +=
          "  0      every check holds\n"
          "  1      some check fails\n";
      break;
    case ExitTable::Conversation:
      text +=
          "  0      ended by shutdown and exit\n"
          "  1      ended otherwise\n";
      break;
  }
  text +=
      "  2      bad usage or input, or the output could not be written\n"
      "  3      gave up: time or memory limit, or a bound\n"
      "  4      internal error\n"
      "  128+n  ended by signal n\n";
  return text;
}

}  // namespace lockwood
