// How fast programs are searched, and how much of their schedules must be. Prints three tables:
//   states per second and bytes per state, without and with reduction, on families of programs;
//   states until a pair of accesses at the leaves of a tree of procedures is reached, breadth first, by the heuristic
//   of Ariadne, and directed; executions of the search without a store.
//
//     explorer_bench [LARGEST]            states of a search, at most (default 1,000,000)
//     explorer_bench trees                the second table alone
//     explorer_bench values FILE.lw …     states until the first deadlock or failure of each program: by value
//                                         schedules, and by plain searches
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "explorer/search/search.hpp"
#include "explorer/search/source_sets.hpp"
#include "explorer/search/value_schedules.hpp"
#include "explorer/search/wakeup_trees.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/interpreter/ariadne.hpp"
#include "frontend/program/interpreter/futures.hpp"
#include "frontend/program/interpreter/machine.hpp"
#include "frontend/program/interpreter/site_target.hpp"

namespace {

using namespace lockwood;
using program::FutureOracle;
using program::ProgramMachine;

std::string number(std::size_t value) { return std::to_string(value); }

std::string philosophers(std::size_t n, bool ordered) {
  std::string text = "lock ";
  for (std::size_t i = 0; i < n; ++i) text += (i > 0 ? ", f" : "f") + number(i);
  text += ";\nvar eaten;\nproc main() {";
  for (std::size_t i = 0; i < n; ++i) text += " spawn p" + number(i) + "();";
  text += " }\n";
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t first = i;
    std::size_t second = (i + 1) % n;
    if (ordered && first > second) std::swap(first, second);
    text += "proc p" + number(i) + "() { local k = 0; while (k < 3) { sync (f" + number(first) + ") { sync (f" +
            number(second) + ") { skip; } } k = k + 1; } }\n";
  }
  return text;
}

std::string pool(std::size_t workers, std::size_t jobs) {
  std::string text = "var jobs = " + number(jobs) + ", result;\nlock queue, results;\nproc main() {";
  for (std::size_t i = 0; i < workers; ++i) text += " spawn worker();";
  return text +
         " }\nproc worker() { local job = 1; while (job > 0) { sync (queue) { job = jobs; if (job > 0) { jobs = job - "
         "1; } }"
         " if (job > 0) { sync (results) { result = result + job; } } } }\n";
}

std::string pipeline(std::size_t stages, std::size_t items) {
  std::string text = "lock m;\nvar done";
  for (std::size_t i = 0; i <= stages; ++i) text += ", slot" + number(i);
  text += ";\nproc main() {";
  for (std::size_t i = 0; i < stages; ++i) text += " spawn s" + number(i) + "();";
  text += " local k = 0; while (k < " + number(items) +
          ") { k = k + 1; sync (m) { while (slot0 != 0) { wait(m); } slot0 = k; notifyAll(m); } } }\n";
  for (std::size_t i = 0; i < stages; ++i) {
    const std::string from = "slot" + number(i);
    const std::string to = "slot" + number(i + 1);
    text += "proc s" + number(i) + "() { local k = 0; local v; while (k < " + number(items) +
            ") { k = k + 1; sync (m) { while (" + from + " == 0 || " + to + " != 0) { wait(m); } v = " + from + "; " +
            from + " = 0; " + (i + 1 == stages ? "done = v; " : to + " = v; ") + "notifyAll(m); } } }\n";
  }
  return text;
}

std::string buffer(std::size_t producers, std::size_t consumers, std::size_t items) {
  std::string text = "var count;\nlock m;\nproc main() {";
  for (std::size_t i = 0; i < producers; ++i) text += " spawn put();";
  for (std::size_t i = 0; i < consumers; ++i) text += " spawn take();";
  return text + " }\nproc put() { local k = 0; while (k < " + number(items) +
         ") { sync (m) { while (count == 2) { wait(m); } count = count + 1; notifyAll(m); } k = k + 1; } }\n"
         "proc take() { local k = 0; while (k < " +
         number(items) +
         ") { sync (m) { while (count == 0) { wait(m); } count = count - 1; notifyAll(m); } k = k + 1; } }\n";
}

std::string racing(std::size_t threads, std::size_t steps) {
  std::string text = "var x, y;\nproc main() {";
  for (std::size_t i = 0; i < threads; ++i) text += " spawn t();";
  text += " }\nproc t() {";
  for (std::size_t i = 0; i < steps; ++i) text += i % 2 == 0 ? " x = x + 1;" : " y = x;";
  return text + " }\n";
}

struct Measured {
  explorer::SearchResult result;
  double seconds;
};

Measured measure(const program::Program& program, explorer::Reduction reduction, bool futures, std::size_t largest) {
  ProgramMachine machine{program};
  FutureOracle oracle{machine};
  explorer::SearchOptions options{.reduction = reduction, .max_states = largest};
  if (futures) options.oracles = {&oracle};
  const auto begin = std::chrono::steady_clock::now();
  explorer::SearchResult result = search(machine, options);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  return {std::move(result), time.count()};
}

void print_families(std::size_t largest) {
  const std::vector<std::pair<std::string, std::string>> families{
      {"philosophers 6", philosophers(6, false)}, {"philosophers ordered 6", philosophers(6, true)},
      {"pool 4 workers, 12 jobs", pool(4, 12)},   {"pipeline 4 stages, 5 items", pipeline(4, 5)},
      {"buffer 3+3, 4 items", buffer(3, 3, 4)},   {"racing 3 threads, 8 steps", racing(3, 8)}};
  std::printf("%-28s %10s %9s %6s %10s %10s %8s\n", "program", "states", "states/s", "bytes", "frozen", "futures",
              "factor");
  for (const auto& [name, text] : families) {
    const lw::ProgramText source = lw::read_program(text, name);
    const Measured all = measure(source.program, explorer::Reduction::None, false, largest);
    const Measured frozen = measure(source.program, explorer::Reduction::Frozen, false, largest);
    const Measured futures = measure(source.program, explorer::Reduction::Frozen, true, largest);
    const auto states = static_cast<double>(all.result.counters.states);
    std::printf("%-28s %9zu%s %9.0f %6.1f %9zu%s %9zu%s %8.1f\n", name.c_str(), all.result.counters.states,
                all.result.is_complete() ? " " : "+", states / all.seconds,
                static_cast<double>(all.result.counters.store_bytes) / states, frozen.result.counters.states,
                frozen.result.is_complete() ? " " : "+", futures.result.counters.states,
                futures.result.is_complete() ? " " : "+", states / static_cast<double>(futures.result.counters.states));
  }
}

// A perfect tree of procedures; at each node a choice of the child. Two leaves access a variable.
std::string tree(std::size_t arity, std::size_t depth, std::uint64_t seed) {
  std::size_t leaves = 1;
  for (std::size_t i = 0; i < depth; ++i) leaves *= arity;
  Random random{seed};
  const std::size_t reader = random.below(leaves);
  const std::size_t writer = (reader + 1 + random.below(leaves - 1)) % leaves;
  std::string text = "var x;\nlock m;\n";
  for (std::size_t level = 0, width = 1; level <= depth; ++level, width *= arity) {
    for (std::size_t i = 0; i < width; ++i) {
      text += "proc n" + number(level) + "_" + number(i) + "() {";
      if (level == depth) {
        if (i == reader) text += " local k; k = x;";
        if (i == writer) text += " x = 1;";
      } else {
        text += " sync (m) { skip; } choose";
        for (std::size_t child = 0; child < arity; ++child)
          text += std::string(child > 0 ? " or" : "") + " { n" + number(level + 1) + "_" + number(i * arity + child) +
                  "(); }";
      }
      text += " }\n";
    }
  }
  return text + "proc main() { spawn n0_0(); spawn n0_0(); spawn n0_0(); n0_0(); }\n";
}

// The same target for searches that do not know how far it is.
class Unseen final : public explorer::Target {
 public:
  explicit Unseen(program::SiteTarget& target) : target_{target} {}
  bool is_reached(const explorer::Machine& machine) override { return target_.is_reached(machine); }
  [[nodiscard]] bool allows_reduction() const override { return target_.allows_reduction(); }
  std::optional<std::uint32_t> distance(const explorer::Machine& /*machine*/) override { return 0; }

 private:
  program::SiteTarget& target_;
};

std::size_t states_until(const program::Program& program, explorer::Order order, std::size_t largest) {
  ProgramMachine machine{program};
  FutureOracle oracle{machine};
  std::vector<program::SiteTarget::End> ends(2);
  for (program::ProcedureId id : program.procedures.keys()) {
    for (program::Point point : program.procedures[id].points.keys()) {
      const program::Instruction& instruction = program.procedures[id].points[point].instruction;
      if (std::holds_alternative<program::Read>(instruction)) ends[0].push_back(machine.sites()[{id, point}]);
      if (std::holds_alternative<program::Write>(instruction)) ends[1].push_back(machine.sites()[{id, point}]);
    }
  }
  program::SiteTarget target{machine, ends};
  Unseen unseen{target};
  program::AriadneGuide guide{machine,
                              {{machine.sites().place(ends[0].front()), machine.sites().place(ends[1].front())}}};
  explorer::SearchOptions options{.order = order, .target = &unseen, .guide = &guide, .max_states = largest};
  if (order == explorer::Order::Best) options.target = &target;
  options.oracles = {&oracle};
  return search(machine, options).counters.states;
}

void print_trees(std::size_t largest) {
  std::printf("\n%-28s %12s %12s %12s %10s %10s\n", "tree of procedures", "breadth", "ariadne", "directed", "ariadne/b",
              "directed/b");
  for (std::size_t arity = 3; arity <= 6; ++arity) {
    std::size_t breadth = 0;
    std::size_t ariadne = 0;
    std::size_t directed = 0;
    const std::size_t programs = arity <= 4 ? 10 : 4;
    for (std::uint64_t seed = 0; seed < programs; ++seed) {
      const lw::ProgramText source = lw::read_program(tree(arity, 3, seed), "tree");
      breadth += states_until(source.program, explorer::Order::BreadthFirst, largest);
      ariadne += states_until(source.program, explorer::Order::Guided, largest);
      directed += states_until(source.program, explorer::Order::Best, largest);
    }
    const auto all = static_cast<double>(breadth);
    std::printf("arity %-22zu %12zu %12zu %12zu %10.3f %10.5f\n", arity, breadth / programs, ariadne / programs,
                directed / programs, static_cast<double>(ariadne) / all, static_cast<double>(directed) / all);
  }
}

void print_executions() {
  std::printf("\n%-28s %12s %12s %12s %12s\n", "without a store", "source", "given up", "optimal", "given up");
  const std::vector<std::pair<std::string, std::string>> programs{{"racing 2 threads, 4 steps", racing(2, 4)},
                                                                  {"pool 2 workers, 3 jobs", pool(2, 3)},
                                                                  {"buffer 1+1, 3 items", buffer(1, 1, 3)}};
  for (const auto& [name, text] : programs) {
    const lw::ProgramText source = lw::read_program(text, name);
    ProgramMachine machine{source.program};
    const explorer::SourceSetResult result = source_set_search(machine, {.max_executions = 200'000});
    const explorer::SourceSetResult optimal = wakeup_tree_search(machine, {.max_executions = 200'000});
    std::printf("%-28s %12zu %12zu %12zu %12zu\n", name.c_str(), result.executions, result.redundant,
                optimal.executions, optimal.redundant);
  }
}

// Steps are told beside states: a value schedule may come to one state with several plans.
struct Effort {
  bool found;
  std::size_t states;
  std::size_t steps;
};

Effort effort(const explorer::SearchResult& result) {
  return {!result.findings.empty(), result.counters.states, result.counters.steps};
}

Effort plain_effort(const program::Program& program, explorer::Order order, explorer::Reduction reduction,
                    const explorer::Properties& properties) {
  ProgramMachine machine{program};
  FutureOracle oracle{machine};
  explorer::SearchOptions options{.order = order,
                                  .reduction = reduction,
                                  .properties = properties,
                                  .first_finding_only = true,
                                  .max_states = 3'000'000};
  if (reduction == explorer::Reduction::Frozen) options.oracles = {&oracle};
  return effort(search(machine, options));
}

Effort value_effort(const program::Program& program, const explorer::Properties& properties) {
  ProgramMachine machine{program};
  FutureOracle oracle{machine};
  explorer::ValueScheduleOptions options{.properties = properties, .first_finding_only = true, .max_states = 3'000'000};
  options.oracles = {&oracle};
  return effort(value_schedule_search(machine, options).search);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

void print_values(const std::vector<std::string>& paths, const explorer::Properties& properties) {
  const std::vector<std::pair<explorer::Order, explorer::Reduction>> plain{
      {explorer::Order::DepthFirst, explorer::Reduction::None},
      {explorer::Order::BreadthFirst, explorer::Reduction::None},
      {explorer::Order::DepthFirst, explorer::Reduction::Frozen},
      {explorer::Order::BreadthFirst, explorer::Reduction::Frozen}};
  std::printf("%-28s %8s %8s %10s %10s %10s %10s\n", "until the first finding", "values", "steps", "dfs", "bfs",
              "frozen dfs", "frozen bfs");
  std::vector<std::vector<double>> ratios(plain.size());
  for (const std::string& path : paths) {
    std::ifstream file{path};
    std::stringstream text;
    text << file.rdbuf();
    const lw::ProgramText source = lw::read_program(text.str(), path);
    const Effort values = value_effort(source.program, properties);
    if (!values.found) continue;
    std::printf("%-28s %8zu %8zu", path.substr(path.rfind('/') + 1).c_str(), values.states, values.steps);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      const Effort other = plain_effort(source.program, plain[i].first, plain[i].second, properties);
      std::printf(" %9zu%s", other.states, other.found ? " " : "+");
      ratios[i].push_back(static_cast<double>(other.states) / static_cast<double>(values.states));
    }
    std::printf("\n");
  }
  std::printf("%-46s", "median ratio");
  for (const std::vector<double>& each : ratios) std::printf(" %9.1f ", median(each));
  std::printf("\n%-46s", "programs with more states than by values");
  for (const std::vector<double>& each : ratios)
    std::printf(" %5td/%-4zu", std::ranges::count_if(each, [](double ratio) { return ratio > 1; }), each.size());
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string{argv[1]} == "values") {
    const std::vector<std::string> paths(argv + 2, argv + argc);
    std::printf("deadlocks and failures\n");
    print_values(paths, {.races = false});
    std::printf("\nraces, deadlocks and failures\n");
    print_values(paths, {});
    return 0;
  }
  if (argc > 1 && std::string{argv[1]} == "trees") {
    print_trees(2'000'000);
    return 0;
  }
  const std::size_t largest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  print_families(largest);
  print_trees(2'000'000);
  print_executions();
}
