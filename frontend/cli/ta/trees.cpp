#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "base/text/diagnostic.hpp"
#include "frontend/cli/output/answer_sink.hpp"
#include "frontend/cli/ta/operations.hpp"
#include "frontend/cli/ta/session.hpp"
#include "treeauto/counting/count.hpp"
#include "treeauto/counting/count_all.hpp"
#include "treeauto/counting/enumerate.hpp"
#include "treeauto/counting/sample.hpp"
#include "treeauto/operations/emptiness.hpp"
#include "treeauto/operations/finiteness.hpp"

namespace lockwood::frontend::ta {
namespace {

using treeauto::Automaton;

// Numbers of nodes, from first to last.
struct Sizes {
  std::size_t first = 0;
  std::size_t last = 0;
};

// "7" or "1..20".
Sizes sizes_in(const std::string& name, const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) {
    const std::size_t size = number_in(name, text);
    return {size, size};
  }
  const Sizes sizes{number_in(name, text.substr(0, dots)), number_in(name, text.substr(dots + 2))};
  if (sizes.first > sizes.last) throw CLI::ValidationError(name, fmt::format("'{}' is an empty range", text));
  return sizes;
}

CLI::Option* declare_sizes(CLI::App& app, std::optional<Sizes>& sizes, const std::string& description) {
  const auto set = [&sizes](const std::string& text) { sizes = sizes_in("--size", text); };
  return app.add_option_function<std::string>("--size", set, description)->type_name("N[..N]")->group(section::input);
}

struct TreeOptions : SessionOptions {
  std::string path;
};

void declare_automaton_of(CLI::App& app, TreeOptions& options) { declare_only_automaton(app, options.path); }

void declare_rest(CLI::App& app, TreeOptions& options) {
  declare_output_path(app, options.common.output.path);
  declare_session(app, options);
}

// The lines of an answer: one by one on standard output, where somebody may look on, else many at a time.
class Lines {
 public:
  explicit Lines(const Run& run)
      : at_a_time_{run.options.output.path == "-" ? 0 : std::size_t{1} << 16U},
        sink_{run.options.output.path, run.supervisor} {}
  void add(const std::string& line) {
    pending_.append(line) += '\n';
    if (pending_.size() > at_a_time_) write();
  }
  void close() {
    write();
    sink_.close();
  }

 private:
  void write() {
    sink_.write(pending_);
    pending_.clear();
  }

  std::size_t at_a_time_;  // bytes
  AnswerSink sink_;
  std::string pending_;
};

// Runs `produce`, which adds lines, and keeps the lines of a run that reaches a limit.
template <class Produce>
void write_lines(Session& session, const Run& run, Produce&& produce) {
  Lines lines{run};
  try {
    static_cast<void>(session.compute([&](StopToken stop) {
      produce(lines, stop);
      return true;
    }));
  } catch (const Interrupted&) {
    lines.close();
    throw;
  }
  lines.close();
  run.supervisor.answer_is_written();
  session.note_computation();
}

struct WitnessOptions : TreeOptions {
  std::size_t tree_limit = default_tree_limit;
};

void declare_witness(CLI::App& app, WitnessOptions& options) {
  declare_automaton_of(app, options);
  declare_tree_limit(app, options.tree_limit);
  declare_rest(app, options);
}

ExitStatus run_witness(const WitnessOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  const auto tree = session.compute([&](StopToken stop) { return treeauto::smallest_tree(automaton, stop); });
  if (!tree) {
    session.note("the automaton accepts no tree");
    return ExitStatus::Finding;
  }
  if (const std::uint64_t nodes = tree_size(*tree); nodes > options.tree_limit) {
    session.note(fmt::format("the smallest tree has {} nodes; --max-nodes allows {}", nodes, options.tree_limit));
    return ExitStatus::GaveUp;
  }
  return session.finish(to_text(unfolded(*tree, options.tree_limit)) + '\n');
}

struct EnumerateOptions : TreeOptions {
  std::size_t limit = 100;
  std::optional<Sizes> sizes;
  std::size_t tree_limit = default_tree_limit;
};

void declare_enumerate(CLI::App& app, EnumerateOptions& options) {
  declare_automaton_of(app, options);
  declare_sizes(app, options.sizes, "only trees with so many nodes, or between so many");
  add_number(app, "--limit", options.limit, "stop after so many trees (default 100)")->group(section::limits);
  declare_tree_limit(app, options.tree_limit);
  declare_rest(app, options);
}

ExitStatus run_enumerate(const EnumerateOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  // Sizes between which there are trees; those that are asked for; those that are allowed.
  std::uint64_t first = options.sizes ? options.sizes->first : 1;
  std::uint64_t last = options.sizes ? options.sizes->last : std::numeric_limits<std::uint64_t>::max();
  std::size_t left = options.limit;
  write_lines(session, run, [&](Lines& lines, StopToken stop) {
    const auto smallest = treeauto::smallest_tree(automaton, stop);
    if (!smallest) {
      last = 0;
      return;
    }
    first = std::max(first, tree_size(*smallest));
    if (const auto largest = treeauto::largest_tree_size(automaton, stop)) last = std::min(last, *largest);
    if (first > std::min<std::uint64_t>(last, options.tree_limit)) return;
    treeauto::TreeCounter counter{automaton, stop};
    for (std::uint64_t size = first; size <= std::min<std::uint64_t>(last, options.tree_limit) && left > 0; ++size) {
      const treeauto::BigInteger count = counter.count(size, stop);
      for (treeauto::BigInteger number = 0; number < count && left > 0; ++number, --left)
        lines.add(to_text(counter.tree(size, number, stop)));
    }
  });
  if (left == 0 || first > last || last <= options.tree_limit) return ExitStatus::Nothing;
  session.note(first > options.tree_limit
                   ? fmt::format("the smallest tree has {} nodes; --max-nodes allows {}", first, options.tree_limit)
                   : fmt::format("there may be larger trees; --max-nodes allows {} nodes", options.tree_limit));
  return ExitStatus::GaveUp;
}

struct CountOptions : TreeOptions {
  std::optional<Sizes> sizes;
};

void declare_count(CLI::App& app, CountOptions& options) {
  declare_automaton_of(app, options);
  declare_sizes(app, options.sizes,
                "count the trees with so many nodes, or for each number of nodes between two; without it, all trees");
  declare_rest(app, options);
}

ExitStatus run_count(const CountOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  if (!options.sizes && !treeauto::is_finite(automaton))
    throw InputError{shown_name(options.path), "accepts infinitely many trees; --size tells which to count"};
  write_lines(session, run, [&](Lines& lines, StopToken stop) {
    if (!options.sizes) {
      lines.add(treeauto::count_all_trees(automaton, stop).str());
      return;
    }
    const auto [first, last] = *options.sizes;
    treeauto::TreeCounter counter{automaton, stop};
    for (std::size_t size = first;; ++size) {
      const std::string count = counter.count(size, stop).str();
      lines.add(first == last ? count : fmt::format("{} {}", size, count));
      if (size == last) return;
    }
  });
  return ExitStatus::Nothing;
}

struct SampleOptions : TreeOptions {
  std::size_t size = 0;
  std::size_t seed = 1;
  std::size_t number = 1;
};

void declare_sample(CLI::App& app, SampleOptions& options) {
  declare_automaton_of(app, options);
  add_number(app, "--size", options.size, "the number of nodes of each tree")->required()->group(section::input);
  add_number(app, "--number", options.number, "how many trees, independent of each other (default 1)")
      ->group(section::input);
  add_number(app, "--seed", options.seed, "the same seed gives the same trees (default 1)")->group(section::input);
  declare_rest(app, options);
}

ExitStatus run_sample(const SampleOptions& options, Run& run) {
  Session session{options, run};
  const Automaton automaton = session.read(options.path);
  bool found = true;
  write_lines(session, run, [&](Lines& lines, StopToken stop) {
    treeauto::TreeCounter counter{automaton, stop};
    Random random{options.seed};
    for (std::size_t number = 0; number < options.number && found; ++number) {
      const auto tree = treeauto::sampled_tree(counter, options.size, random, stop);
      found = tree.has_value();
      if (tree) lines.add(to_text(*tree));
    }
  });
  if (found) return ExitStatus::Nothing;
  session.note(fmt::format("the automaton accepts no tree with {} nodes", options.size));
  return ExitStatus::Finding;
}

}  // namespace

std::vector<Command> tree_operations() {
  std::vector<Command> operations;
  operations.push_back(make_command<WitnessOptions>(
      {.name = "witness",
       .group = CommandGroup::Look,
       .summary = "a smallest tree that an automaton accepts",
       .description = "Writes a tree with the least number of nodes among those that the automaton accepts. If it "
                      "accepts none, nothing is written and the exit status is 1.",
       .examples = {{"lockwood ta minus a.timbuk b.timbuk | lockwood ta witness -",
                     "a smallest tree of the difference"}},
       .exits = ExitTable::Existence},
      declare_witness, run_witness));
  operations.push_back(make_command<EnumerateOptions>(
      {.name = "enumerate",
       .group = CommandGroup::Look,
       .summary = "the trees that an automaton accepts, smallest first",
       .description = "Writes the trees that the automaton accepts, one a line, by their number of nodes, each once.",
       .examples = {{"lockwood ta enumerate a.timbuk --limit=20", "the first 20"},
                    {"lockwood ta enumerate a.timbuk --size=7", "those with 7 nodes, up to the limit"}}},
      declare_enumerate, run_enumerate));
  operations.push_back(make_command<CountOptions>(
      {.name = "count",
       .group = CommandGroup::Look,
       .summary = "how many trees of a size an automaton accepts",
       .description = "Writes how many trees with a given number of nodes the automaton accepts, exactly, however "
                      "large the number is. For a range of sizes: a line for each, with the size before the number.",
       .examples = {{"lockwood ta count a.timbuk --size=100", "one number"},
                    {"lockwood ta count a.timbuk --size=1..20", "a table"}}},
      declare_count, run_count));
  operations.push_back(make_command<SampleOptions>(
      {.name = "sample",
       .group = CommandGroup::Look,
       .summary = "trees of a size at random, all equally likely",
       .description = "Writes random trees with a given number of nodes, one a line, each accepted one with the same "
                      "probability. If none is accepted, nothing is written and the exit status is 1.",
       .examples = {{"lockwood ta sample a.timbuk --size=50 --number=10 --seed=7", "ten trees with 50 nodes each"}},
       .exits = ExitTable::Existence},
      declare_sample, run_sample));
  return operations;
}

}  // namespace lockwood::frontend::ta
