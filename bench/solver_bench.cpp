// The parts of a query by themselves, inside one process: reading the model, the flow that all queries share, deciding.
// bench/run.py puts them into its table; `lockwood gen application` makes the same models.
#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <tuple>

#include "dpn/formats/text_format.hpp"
#include "dpn/generators/generate_application.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/reduction/relevance.hpp"

using namespace lockwood;

namespace {

// The queries of an application, from 0.
constexpr std::size_t race = 1;
constexpr std::size_t race_after_one_step = 5;

// Models are made once: a benchmark is called several times.
const dpn::ModelFile& application(std::size_t rules, std::size_t locks) {
  static std::map<std::tuple<std::size_t, std::size_t>, dpn::ModelFile> made;
  const auto found = made.find({rules, locks});
  if (found != made.end()) return found->second;
  return made.emplace(std::tuple{rules, locks}, dpn::generate_application({.rules = rules, .locks = locks, .seed = 1}))
      .first->second;
}

std::size_t argument(const benchmark::State& state, std::size_t index) {
  return static_cast<std::size_t>(state.range(index));
}

void read_text(benchmark::State& state) {
  const dpn::ModelFile& model = application(argument(state, 0), argument(state, 1));
  const std::string text = dpn::to_dpn(model.network, model.queries);
  for (auto _ : state) benchmark::DoNotOptimize(dpn::parse_dpn(text, "model.dpn"));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void backward_flow(benchmark::State& state) {
  const dpn::ModelFile& model = application(argument(state, 0), argument(state, 1));
  for (auto _ : state) benchmark::DoNotOptimize(solver::BackwardFlow{model.network});
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void decide(benchmark::State& state, std::size_t query, const solver::Reductions& reductions) {
  const dpn::ModelFile& model = application(argument(state, 0), argument(state, 1));
  const solver::Problem problem = solver::problem_of(model.queries[query]);
  const solver::BackwardFlow flow{model.network};
  for (auto _ : state) {
    const solver::Answer answer =
        solver::solve(model.network, problem,
                      {.witness = solver::WitnessChoice::None, .reductions = reductions, .flow = &flow, .stop = {}});
    if (answer.verdict != dpn::Verdict::Unreachable) state.SkipWithError("the race is unreachable by construction");
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"rules", "locks"})->Unit(benchmark::kMillisecond);
  for (const std::int64_t locks : {2, 8})
    for (const std::int64_t rules : {3'400, 34'000}) benchmark->Args({rules, locks});
}

BENCHMARK(read_text)->Apply(sizes);
BENCHMARK(backward_flow)->Apply(sizes);
BENCHMARK_CAPTURE(decide, race, race, solver::Reductions{})->Apply(sizes);
BENCHMARK_CAPTURE(decide, race_without_reductions, race, solver::Reductions::none())->Apply(sizes);
BENCHMARK_CAPTURE(decide, race_in_phase_2, race_after_one_step, solver::Reductions{})->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
