#include "frontend/findings/find_flows.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "frontend/findings/analyses/flow_ends.hpp"
#include "frontend/findings/flow_finding.hpp"

namespace lockwood::findings {
namespace {

[[noreturn]] void refuse(const SourceTerms& terms, const program::LoweredLabel& label, const char* what,
                         std::string hint) {
  throw InputError{{Diagnostic{.file = terms.place(label).file,
                               .at = label.range.begin,
                               .message = fmt::format("the statement labelled '{}' {}", label.name, what),
                               .excerpt = {},
                               .hint = std::move(hint)}}};
}

}  // namespace

Findings find_flows(const SourceTerms& program, const FlowEnds& ends, const FlowSearchOptions& options) {
  const auto sources = flow_sources(program.program(), program.lowered(), ends.from);
  if (!sources)
    refuse(program, ends.from, "writes no variable",
           "the label must be at the statement that writes, not at a call of its procedure");
  const auto sinks = flow_sinks(program.program(), program.lowered(), ends.to);
  if (!sinks)
    refuse(program, ends.to, "reads no variable",
           "the label must be at the statement that reads, not at a call of its procedure");
  Findings result;
  // Asks about the chain once more, and has the proof of the answer checked.
  const auto confirm = [&](const ChainQuestion& question, dpn::Verdict verdict) {
    if (options.confirm)
      result.confirmation += options.confirm(question.instrumented.network, question.problem, "chain", verdict);
  };
  options.watch.report_progress("chains");
  const FlowAnswer answer = find_flow(program.program(), program.lowered(), *sources, *sinks,
                                      {.max_transfers = options.max_transfers,
                                       .max_chains = options.max_chains,
                                       .stop = options.watch.stop,
                                       .answered = confirm});
  Finding finding = flow_finding(program, ends.from, ends.to, answer);
  options.watch.report_progress("settling");
  Settling{program, options.settling, options.watch.stop}.settle_flow(finding, ends.from, ends.to);
  result.add(std::move(finding), options.watch);
  result.counts = {{"chains_asked_about", answer.asked}, {"chains_refuted", answer.refuted.size()}};
  result.complete = result.confirmation.complete();
  return result;
}

}  // namespace lockwood::findings
