#include "frontend/cli/answering/external_engine.hpp"

#include <sys/wait.h>

#include <sstream>
#include <string_view>

#include "base/process/child_process.hpp"
#include "dpn/formats/text_format.hpp"

namespace lockwood::frontend {
namespace {

// The signal that ended the process, or the last one that its shell waited for.
std::optional<int> ending_signal(int status) {
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  if (WEXITSTATUS(status) > 128) return WEXITSTATUS(status) - 128;
  return std::nullopt;
}

std::optional<dpn::Verdict> verdict_in(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  if (line.ends_with(')')) line = line.substr(0, line.rfind(" ("));  // unknown (because)
  const std::string_view word = line.substr(line.rfind(' ') + 1);
  for (dpn::Verdict verdict : {dpn::Verdict::Reachable, dpn::Verdict::Unreachable, dpn::Verdict::Unknown})
    if (word == to_string(verdict)) return verdict;
  return std::nullopt;
}

Opinion ask(const std::string& command, const dpn::Network& network, const dpn::Query& query, const StopToken& stop) {
  dpn::Query plain = query;
  plain.expected.reset();  // not to be copied from
  const auto output = run_on_file(command, "model.dpn", dpn::to_dpn(network, {&plain, 1}), stop);
  if (!output) return {.unknown_because = to_string(*stop.reason())};
  if (const auto signal = ending_signal(output->status))
    return {.flaw = "it was ended by signal " + std::to_string(*signal)};
  std::optional<dpn::Verdict> verdict;
  std::istringstream lines{output->text};
  for (std::string line; std::getline(lines, line);)
    if (const auto found = verdict_in(line)) verdict = found;
  if (!verdict)
    return {.flaw = "it gave no verdict and ended with status " + std::to_string(WEXITSTATUS(output->status))};
  Opinion opinion{.verdict = *verdict};
  if (*verdict == dpn::Verdict::Unknown) opinion.unknown_because = "its own words";
  return opinion;
}

}  // namespace

Engine external_engine(std::string name, std::string command) {
  return {std::move(name),
          [command = std::move(command)](const dpn::Network& network, const dpn::Query& query, const StopToken& stop) {
            return ask(command, network, query, stop);
          }};
}

}  // namespace lockwood::frontend
