// Benchmarks of the tree automata library, on the shared Timbuk files where present and on seeded random automata.
//
//   treeauto_bench --benchmark_filter='intersection/'
//
// One iteration of `operation/tag` runs the operation once on each file or pair of files that the suite lists under the
// tag. Counters: `states` and `transitions` of the operands, also per second of CPU time; `results`, the transitions of
// what was computed, or how many answers were yes; `stopped`, how many ran into the limit of time or memory; `peak_MB`,
// the highest resident memory beyond what was there before.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/process/stop.hpp"
#include "base/process/text_file.hpp"
#include "base/process/watchdog.hpp"
#include "tests/oracle/treeauto/growing_automata.hpp"
#include "tests/oracle/treeauto/random_automaton.hpp"
#include "tests/oracle/treeauto/shared_data.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/lazy/inclusion.hpp"
#include "treeauto/operations/complement.hpp"
#include "treeauto/operations/deterministic.hpp"
#include "treeauto/operations/difference.hpp"
#include "treeauto/operations/emptiness.hpp"
#include "treeauto/operations/intersection.hpp"
#include "treeauto/operations/trim.hpp"
#include "treeauto/operations/union.hpp"
#include "treeauto/operations/universal.hpp"
#include "treeauto/simulation/reduction.hpp"

namespace lockwood::treeauto {
namespace {

constexpr std::chrono::seconds time_limit{20};               // of each single operation
constexpr std::size_t memory_limit = std::size_t{4} << 30U;  // of the process

struct Input {
  std::vector<Automaton> operands;  // one or two
  std::string text;                 // of the first, as Timbuk
};
using Inputs = std::vector<Input>;
struct Operation {
  std::string name;
  std::function<std::size_t(const Input&, StopToken)> run;  // returns the size of the result, or the answer
  bool may_explode = true;                                  // so it is watched, which takes a thread each time
};

// Gives memory that is free back to the system, so that using it again counts; Linux forgets the peak on request.
void reset_peak_memory() {
  malloc_trim(0);
  std::ofstream{"/proc/self/clear_refs"} << "5";
}
double peak_memory() {
  std::ifstream status{"/proc/self/status"};
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      double kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  return 0;
}

struct OperandSize {
  std::size_t states = 0;
  std::size_t transitions = 0;
};
OperandSize operand_size(const Inputs& inputs) {
  OperandSize size;
  for (const Input& input : inputs)
    for (const Automaton& automaton : input.operands) {
      size.states += automaton.state_count();
      size.transitions += automaton.transition_count();
    }
  return size;
}

void measure(benchmark::State& state, const Inputs& inputs, const Operation& operation) {
  const OperandSize size = operand_size(inputs);
  std::size_t results = 0;
  std::size_t stopped = 0;
  reset_peak_memory();
  const double before = static_cast<double>(resident_memory());
  for ([[maybe_unused]] auto iteration : state) {
    results = 0;
    stopped = 0;
    for (const Input& input : inputs) {
      StopSource source;
      const Limits limits{.timeout = time_limit, .memory = memory_limit};
      const Watchdog watchdog{source, operation.may_explode ? limits : Limits{}};
      try {
        results += operation.run(input, StopToken{source});
      } catch (const Interrupted&) {
        ++stopped;
      }
    }
  }
  using benchmark::Counter;
  const auto count = [&](const std::string& name, std::size_t number) {
    state.counters[name] = static_cast<double>(number);
    state.counters[name + "_per_second"] = Counter(static_cast<double>(number), Counter::kIsIterationInvariantRate);
  };
  count("states", size.states);
  count("transitions", size.transitions);
  state.counters["results"] = static_cast<double>(results);
  state.counters["stopped"] = static_cast<double>(stopped);
  state.counters["peak_MB"] = std::max(0.0, peak_memory() - before) / 1e6;
}

std::vector<Operation> unary_operations() {
  return {
      {"load",
       [](const Input& input, StopToken stop) {
         return read_timbuk(input.text, "input", TimbukReading::Lenient, stop).transition_count();
       },
       false},
      {"write", [](const Input& input, StopToken) { return to_timbuk(input.operands[0]).size(); }, false},
      {"trim", [](const Input& input, StopToken) { return trimmed(input.operands[0]).transition_count(); }, false},
      {"emptiness", [](const Input& input, StopToken) { return is_empty(input.operands[0]) ? 1U : 0U; }, false},
      {"witness",
       [](const Input& input, StopToken stop) {
         const auto tree = smallest_tree(input.operands[0], stop);
         return tree ? tree->stored_nodes() : 0;
       },
       false},
      {"determinise",
       [](const Input& input, StopToken stop) { return determinised(input.operands[0], stop).row_count(); }},
      {"minimise",
       [](const Input& input, StopToken stop) { return minimal_deterministic(input.operands[0], stop).row_count(); }},
      {"complement",
       [](const Input& input, StopToken stop) { return complement(input.operands[0], stop).transition_count(); }},
      {"reduction",
       [](const Input& input, StopToken stop) { return reduced(input.operands[0], {}, stop).transition_count(); }},
  };
}

std::vector<Operation> binary_operations() {
  return {
      {"union",
       [](const Input& input, StopToken) { return union_of(input.operands[0], input.operands[1]).transition_count(); },
       false},
      {"intersection",
       [](const Input& input, StopToken stop) {
         return intersection(input.operands[0], input.operands[1], stop).transition_count();
       }},
      {"difference",
       [](const Input& input, StopToken stop) {
         return difference(input.operands[0], input.operands[1], stop).transition_count();
       }},
      {"inclusion", [](const Input& input,
                       StopToken stop) { return is_included(input.operands[0], input.operands[1], stop) ? 1U : 0U; }},
  };
}

void add(const Operation& operation, const std::string& group, const Inputs& inputs) {
  benchmark::RegisterBenchmark((operation.name + "/" + group).c_str(), measure, inputs, operation)
      ->Unit(benchmark::kMillisecond);
}

void add_shared_files() {
  std::map<std::string, Inputs> files;
  std::map<std::string, Inputs> pairs;
  for (const SuiteEntry& entry : shared_timbuk_suite()) {
    Input input{{read_timbuk_file(entry.first)}, {}};
    if (entry.second) {
      input.operands.push_back(read_timbuk_file(*entry.second));
      pairs[entry.tag].push_back(std::move(input));
    } else {
      input.text = read_text_file(entry.first);
      files[entry.tag].push_back(std::move(input));
    }
  }
  for (const Operation& operation : unary_operations())
    for (const auto& [tag, inputs] : files) add(operation, tag, inputs);
  for (const Operation& operation : binary_operations())
    for (const auto& [tag, inputs] : pairs) add(operation, tag, inputs);
}

// Sparse automata of growing size, to see how time grows. The subset constructions are left out: on random automata
// they are as exponential as can be.
void add_random_automata() {
  const auto automaton = [](std::size_t transitions, std::uint64_t seed) {
    return random_automaton(seed, random_alphabet(3, 12, 3),
                            {.states = transitions / 4, .transitions = transitions, .final_share = 0.02});
  };
  for (const std::size_t transitions : {1'000U, 10'000U, 100'000U}) {
    const std::string group = "random/" + std::to_string(transitions);
    Input one{{automaton(transitions, 1)}, {}};
    one.text = to_timbuk(one.operands[0]);
    for (const Operation& operation : unary_operations())
      if (!operation.may_explode || (operation.name == "reduction" && transitions <= 10'000))
        add(operation, group, {one});
    const Input two{{one.operands[0], automaton(transitions, 2)}, {}};
    for (const Operation& operation : binary_operations())
      if (!operation.may_explode || transitions <= 10'000) add(operation, group, {two});
  }
}

// Families on which simple algorithms take quadratic time, at sizes that double.
void add_growing_automata() {
  const auto named = [](const char* name, std::vector<Operation> operations) {
    std::erase_if(operations, [&](const Operation& operation) { return operation.name != name; });
    return operations.front();
  };
  const Operation intersect = named("intersection", binary_operations());
  const Operation include = named("inclusion", binary_operations());
  const Operation minimise = named("minimise", unary_operations());
  for (const std::size_t size : {4'000U, 8'000U, 16'000U}) {
    const std::string number = std::to_string(size);
    const Automaton chain = growing_chain(size, "s", Finals::All);
    const Automaton fan = growing_fan(size, SharedChild::AfterOthers);
    add(intersect, "growth/unreachable/" + number, {{{chain, growing_chain(size, "t", Finals::All)}, {}}});
    add(intersect, "growth/fan/" + number, {{{fan, fan}, {}}});
    add(minimise, "growth/chain/" + number, {{{growing_chain(size, "s", Finals::Last)}, {}}});
    add(include, "growth/antichain/" + number, {{{universal_automaton(chain.alphabet()), chain}, {}}});
  }
}

}  // namespace
}  // namespace lockwood::treeauto

int main(int argc, char** argv) {
  lockwood::treeauto::add_shared_files();
  lockwood::treeauto::add_random_automata();
  lockwood::treeauto::add_growing_automata();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
