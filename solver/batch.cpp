#include "solver/batch.hpp"

#include <malloc.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include "base/threads.hpp"
#include "solver/observation.hpp"
#include "solver/pair_tables.hpp"
#include "solver/workers.hpp"

namespace lockwood::solver {
namespace {

// Answers that wait for one before them, for each job: so many that one hard question among easy ones delays nobody,
// and so few that a batch of millions stays small.
constexpr std::size_t waiting_per_job = 64;

// What all questions about a network share.
struct Shared {
  Shared(const dpn::Network& of, const BatchOptions& how)
      : network{of},
        options{how},
        flow{of},
        with_locks{of, dpn::Semantics::LockSensitive, how.reductions, how.stop},
        without_locks{of, dpn::Semantics::LockInsensitive, how.reductions, how.stop} {}

  [[nodiscard]] PairTables* tables_for(const Problem& problem) {
    if (options.check || !PairTables::apply_to(problem)) return nullptr;  // a table has no proofs
    return problem.semantics == dpn::Semantics::LockSensitive ? &with_locks : &without_locks;
  }

  const dpn::Network& network;
  const BatchOptions& options;
  BackwardFlow flow;
  PairTables with_locks;
  PairTables without_locks;
};

Answer answer_within(const Shared& shared, const Problem& problem) {
  const BatchOptions& options = shared.options;
  const bool needed = options.check && options.witness == WitnessChoice::None;
  SolveOptions how{.witness = needed ? WitnessChoice::Smallest : options.witness,
                   .certify = options.check != nullptr,
                   .reductions = options.reductions,
                   .flow = &shared.flow,
                   .stop = options.stop};
  if (!options.each.timeout && !options.each.memory) return solve(shared.network, problem, how);
  StopSource source;
  const Watchdog watchdog{source, options.each, options.stop};
  how.stop = StopToken{source};
  return solve(shared.network, problem, how);
}

// A table spares the search for the verdict, but not the one for a witness.
Answer answer_with_tables(PairTables& tables, const Shared& shared, const Problem& problem) {
  const auto reachable = tables.reachable(problem);
  if (reachable == false) return {.verdict = dpn::Verdict::Unreachable};
  if (reachable == true && shared.options.witness == WitnessChoice::None) return {.verdict = dpn::Verdict::Reachable};
  const auto begin = PairTables::Clock::now();
  Answer answer = answer_within(shared, problem);
  if (!reachable) tables.took(problem, PairTables::Clock::now() - begin);
  return answer;
}

// There is no memory for this one question: the others may well be easier. What it took is given back to the system,
// since limits are about what the process has.
Answer given_up_for_memory() {
  ::malloc_trim(0);
  return {.verdict = dpn::Verdict::Unknown, .stopped = StopReason::Memory};
}

Answer answer_with(Shared& shared, const Problem& problem) {
  try {
    PairTables* tables = shared.tables_for(problem);
    Answer answer = tables == nullptr ? answer_within(shared, problem) : answer_with_tables(*tables, shared, problem);
    if (answer.stopped != StopReason::Memory) return answer;
  } catch (const std::bad_alloc&) {
    // Nothing is left of it.
  } catch (const std::system_error& error) {
    if (!lacks_threads(error)) throw;
  }
  return given_up_for_memory();
}

BatchAnswer answer_to(Shared& shared, BatchQuestion question) {
  BatchAnswer answer{.id = std::move(question.id), .text = std::move(question.text), .semantics = {}, .answer = {}};
  if (auto* refusal = std::get_if<std::string>(&question.problem)) {
    answer.answer = std::move(*refusal);
    return answer;
  }
  const Problem& problem = std::get<Problem>(question.problem);
  try {
    Answer found = answer_with(shared, problem);
    if (shared.options.check && found.verdict != dpn::Verdict::Unknown) shared.options.check(problem, found);
    answer.answer = std::move(found);
    answer.semantics = problem.semantics;
  } catch (const TooManyGoals& error) {
    answer.answer = error.what();
  } catch (const Interrupted& interrupted) {  // while it was checked
    answer.answer = Answer{.verdict = dpn::Verdict::Unknown, .stopped = interrupted.reason()};
    answer.semantics = problem.semantics;
  }
  return answer;
}

}  // namespace

void solve_batch(const dpn::Network& network, const std::function<std::optional<BatchQuestion>()>& next,
                 const std::function<void(BatchAnswer)>& take, const BatchOptions& options) {
  using tbb::filter_mode;
  // A pipeline hands on values that can be copied; questions and answers are too large for that.
  using Question = std::shared_ptr<BatchQuestion>;
  using Result = std::shared_ptr<BatchAnswer>;
  Shared shared{network, options};
  const auto read = [&](tbb::flow_control& flow) -> Question {
    auto question = options.stop.stop_requested() ? std::nullopt : next();
    if (question) return std::make_shared<BatchQuestion>(std::move(*question));
    flow.stop();
    return nullptr;
  };
  const auto answer = [&](const Question& question) -> Result {
    return std::make_shared<BatchAnswer>(answer_to(shared, std::move(*question)));
  };
  const auto give = [&](const Result& result) {
    if (!options.stop.stop_requested()) take(std::move(*result));
  };
  const filter_mode order =
      options.order == BatchOrder::OfQuestions ? filter_mode::serial_in_order : filter_mode::serial_out_of_order;

  Workers workers{options.jobs};
  workers.run([&] {
    tbb::parallel_pipeline(workers.count() * waiting_per_job,
                           tbb::make_filter<void, Question>(filter_mode::serial_in_order, read) &
                               tbb::make_filter<Question, Result>(filter_mode::parallel, answer) &
                               tbb::make_filter<Result, void>(order, give));
  });
}

}  // namespace lockwood::solver
