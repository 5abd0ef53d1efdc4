#include "frontend/cli/options/trust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cstdint>

#include "base/text/quantity.hpp"

namespace lockwood::frontend {
namespace {

constexpr auto harmless = Trust::Harmless;
constexpr auto standard_output = Trust::StandardOutput;
constexpr auto only_lower = Trust::OnlyLower;
constexpr auto refused = Trust::Refused;

// In doubt an option is refused: what a project wants its users to have is how answers look and what counts as a
// finding. How much work a command does is the choice of the user.
constexpr std::array rows{
    // How answers look.
    OptionTrust{"", "all", harmless},
    OptionTrust{"", "alphabet", harmless},
    OptionTrust{"", "brief", harmless},
    OptionTrust{"", "by", harmless},
    OptionTrust{"", "color", harmless},
    OptionTrust{"", "count", harmless},
    OptionTrust{"", "explain", harmless},
    OptionTrust{"", "json", standard_output},
    OptionTrust{"", "jsonl", harmless},
    OptionTrust{"", "list", harmless},
    OptionTrust{"", "lock-order", harmless},
    OptionTrust{"", "matrix", harmless},
    OptionTrust{"", "no-advice", harmless},
    OptionTrust{"", "no-warn", harmless},
    OptionTrust{"", "possible", harmless},
    OptionTrust{"", "progress", harmless},
    OptionTrust{"", "quiet", harmless},
    OptionTrust{"", "removal", harmless},
    OptionTrust{"", "schedule", harmless},
    OptionTrust{"", "stats", harmless},
    OptionTrust{"", "step", harmless},
    OptionTrust{"", "symbols", harmless},
    OptionTrust{"", "timing", harmless},
    OptionTrust{"", "unordered", harmless},
    OptionTrust{"", "verbose", harmless},
    // What counts as a finding.
    OptionTrust{"", "exit-zero", harmless},
    OptionTrust{"", "expect", harmless},
    OptionTrust{"merge", "expect", refused},  // a file there
    OptionTrust{"", "fail-on", harmless},
    OptionTrust{"", "first", harmless},
    OptionTrust{"", "max-diagnostics", harmless},
    OptionTrust{"", "max-findings", harmless},
    OptionTrust{"", "only", harmless},
    // What is asked, by the names of the model.
    OptionTrust{"", "abstract", harmless},
    OptionTrust{"", "without", harmless},
    OptionTrust{"", "any-symbol", harmless},
    OptionTrust{"", "automaton", harmless},
    OptionTrust{"", "between", harmless},
    OptionTrust{"", "call-graph", harmless},
    OptionTrust{"", "change", harmless},
    OptionTrust{"", "choose", harmless},
    OptionTrust{"", "complete", harmless},
    OptionTrust{"", "control", harmless},
    OptionTrust{"", "definitions", harmless},
    OptionTrust{"", "direct", harmless},
    OptionTrust{"", "domain", harmless},
    OptionTrust{"", "engines", harmless},
    OptionTrust{"", "entry", harmless},
    OptionTrust{"", "exceptions", harmless},
    OptionTrust{"", "family", harmless},
    OptionTrust{"", "field", harmless},
    OptionTrust{"", "from", harmless},
    OptionTrust{"", "generate", harmless},
    OptionTrust{"", "inter-thread", harmless},
    OptionTrust{"", "interactive", harmless},
    OptionTrust{"", "ir", harmless},
    OptionTrust{"", "jdk-bodies", harmless},
    OptionTrust{"", "keep-transitions", harmless},
    OptionTrust{"", "kill", harmless},
    OptionTrust{"", "library", harmless},
    OptionTrust{"", "library-code", harmless},
    OptionTrust{"", "locks", harmless},
    OptionTrust{"", "main", harmless},
    OptionTrust{"", "method", harmless},
    OptionTrust{"", "monitors", harmless},
    OptionTrust{"", "no-reduce", harmless},
    OptionTrust{"", "no-shrink", harmless},
    OptionTrust{"", "nolocks", harmless},
    OptionTrust{"", "observational", harmless},
    OptionTrust{"", "onto", harmless},
    OptionTrust{"", "oracles", harmless},
    OptionTrust{"", "points-to", harmless},
    OptionTrust{"", "por", harmless},
    OptionTrust{"", "query", harmless},
    OptionTrust{"", "repaired", harmless},
    OptionTrust{"", "seed", harmless},
    OptionTrust{"", "shard", harmless},
    OptionTrust{"", "states", harmless},
    OptionTrust{"", "stdio", harmless},
    OptionTrust{"", "store", harmless},
    OptionTrust{"", "strategy", harmless},
    OptionTrust{"", "strict", harmless},
    OptionTrust{"", "to", harmless},
    OptionTrust{"", "tree", harmless},
    OptionTrust{"ta", "tree", refused},    // a file there
    OptionTrust{"ta", "states", refused},  // how many
    OptionTrust{"", "var", harmless},
    OptionTrust{"", "verify", harmless},
    OptionTrust{"", "way", harmless},
    OptionTrust{"", "witness", harmless},
    // Limits.
    OptionTrust{"", "timeout", only_lower},
    OptionTrust{"lsp", "timeout", only_lower, "30s"},
    OptionTrust{"", "max-memory", only_lower},
    OptionTrust{"lsp", "max-memory", only_lower, "4G"},
    OptionTrust{"", "query-timeout", only_lower},
    OptionTrust{"", "query-memory", only_lower},
    OptionTrust{"", "engine-timeout", only_lower, "5s"},
    OptionTrust{"", "max-shown", only_lower, "10"},
    OptionTrust{"", "max-states", only_lower, "100000"},
    OptionTrust{"", "max-valuations", only_lower, "4096"},
    OptionTrust{"", "sarif-flows", only_lower, "1000"},
    OptionTrust{"", "sarif-results", only_lower, "25000"},
    OptionTrust{"", "witness-limit", only_lower, "1000000"},
    OptionTrust{"", "pause", refused},  // a short one lets each key start an analysis
    OptionTrust{"", "limit", refused},
    OptionTrust{"", "max-chains", refused},
    OptionTrust{"", "max-configurations", refused},
    OptionTrust{"", "max-contexts", refused},
    OptionTrust{"", "max-cycles", refused},
    OptionTrust{"", "max-depth", refused},
    OptionTrust{"", "max-frames", refused},
    OptionTrust{"", "max-nodes", refused},
    OptionTrust{"", "max-preemptions", refused},
    OptionTrust{"", "max-started", refused},
    OptionTrust{"explore", "max-level", refused},
    OptionTrust{"explore", "max-states", refused},
    OptionTrust{"", "settle", refused},
    OptionTrust{"", "max-threads", refused},
    OptionTrust{"", "max-transfers", refused},
    // How much work is to be done.
    OptionTrust{"", "jobs", refused},
    OptionTrust{"", "final", refused},
    OptionTrust{"", "number", refused},
    OptionTrust{"", "transitions", refused},
    OptionTrust{"", "change-points", refused},
    OptionTrust{"", "runs", refused},
    OptionTrust{"", "random", refused},
    OptionTrust{"", "set", refused},
    OptionTrust{"", "size", refused},
    OptionTrust{"", "steps", refused},
    OptionTrust{"gen", "*", refused},  // the parameters of families
    // Files.
    OptionTrust{"", "baseline", refused},
    OptionTrust{"", "class-path", refused},
    OptionTrust{"", "directory", refused},
    OptionTrust{"", "dot", refused},
    OptionTrust{"show", "dot", standard_output},
    OptionTrust{"", "ends", refused},
    OptionTrust{"", "facts", refused},
    OptionTrust{"show", "facts", harmless},  // of a method
    OptionTrust{"", "html", refused},
    OptionTrust{"", "jdk", refused},
    OptionTrust{"", "models", refused},
    OptionTrust{"", "observer", refused},
    OptionTrust{"", "output", refused},
    OptionTrust{"", "over", refused},
    OptionTrust{"", "proofs", refused},
    OptionTrust{"", "svcomp", refused},
    OptionTrust{"", "traces", refused},
    OptionTrust{"explore", "save", refused},
    OptionTrust{"explore", "since", refused},
    OptionTrust{"replay", "program", refused},
    OptionTrust{"", "resume", refused},
    OptionTrust{"", "sarif", refused},
    OptionTrust{"", "source-path", refused},
    // Programs.
    OptionTrust{"", "external", refused},
    OptionTrust{"", "svg", refused},  // starts dot, whichever the path has first
    // What a configuration cannot set, wherever it is from.
    OptionTrust{"", "config", refused},
    OptionTrust{"", "help", refused},
    OptionTrust{"", "print-config", refused},
};

// How well a row fits: 0 not at all; a row about the command beats one about all commands, an option beats `*`.
int fitness(const OptionTrust& row, std::string_view command, std::string_view option) {
  const bool operation =
      !row.command.empty() && command.starts_with(row.command) && command.substr(row.command.size()).starts_with(' ');
  if (!row.command.empty() && row.command != command && !operation) return 0;
  if (row.option != option && row.option != "*") return 0;
  return (row.option == "*" ? 1 : 3) + (row.command.empty() ? 0 : 1);
}

// A number, a time in milliseconds or a size in bytes. Nothing if it is none of them: the command refuses it anyway.
std::optional<std::uint64_t> amount(std::string_view option, std::string_view text) {
  if (option.ends_with("timeout")) {
    const auto time = parse_duration(text);
    return time ? std::optional{static_cast<std::uint64_t>(time->count())} : std::nullopt;
  }
  if (option.ends_with("memory")) {
    const auto size = parse_size(text);
    return size ? std::optional<std::uint64_t>{*size} : std::nullopt;
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional{number} : std::nullopt;
}

}  // namespace

std::span<const OptionTrust> trust_table() { return rows; }

const OptionTrust* trust_in(std::string_view command, std::string_view option) {
  const OptionTrust* best = nullptr;
  int best_fitness = 0;
  for (const OptionTrust& row : rows)
    if (const int fit = fitness(row, command, option); fit > best_fitness) {
      best = &row;
      best_fitness = fit;
    }
  assert((best == nullptr) == (best_fitness == 0));
  return best;
}

std::optional<std::string> distrust(std::string_view command, std::string_view option,
                                    const std::vector<std::string>& values) {
  const OptionTrust* row = trust_in(command, option);
  if (row == nullptr) return fmt::format("may not set '{}'", option);
  switch (row->trust) {
    case Trust::Harmless: return std::nullopt;
    case Trust::StandardOutput:
      if (std::ranges::all_of(values, [](const std::string& value) { return value == "-"; })) return std::nullopt;
      return fmt::format("may not let '{}' write a file", option);
    case Trust::OnlyLower: {
      if (row->limit.empty()) return std::nullopt;
      const auto most = amount(option, row->limit);
      assert(most.has_value());
      const bool higher = std::ranges::any_of(values, [&](const std::string& value) {
        const auto given = amount(option, value);
        return given && *given > *most;
      });
      if (!higher) return std::nullopt;
      return fmt::format("may not raise '{}' above {}", option, row->limit);
    }
    case Trust::Refused: break;
  }
  return fmt::format("may not set '{}'", option);
}

}  // namespace lockwood::frontend
