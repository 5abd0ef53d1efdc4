#include "solver/analyses/batch.hpp"

#include <malloc.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>

#include "base/process/retry_on_bad_alloc.hpp"
#include "base/process/threads.hpp"
#include "solver/analyses/pair_tables.hpp"
#include "solver/engine/thread_pool.hpp"

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
        sample{of.rules().size()},
        with_locks{of, dpn::Semantics::LockSensitive, how.reductions, how.stop},
        without_locks{of, dpn::Semantics::LockInsensitive, how.reductions, how.stop} {}

  [[nodiscard]] PairTables* tables_for(const Problem& problem) {
    if (!PairTables::apply_to(problem)) return nullptr;
    return problem.semantics == dpn::Semantics::LockSensitive ? &with_locks : &without_locks;
  }

  const dpn::Network& network;
  const BatchOptions& options;
  BackwardFlow flow;
  ReplaySample sample;
  PairTables with_locks;
  PairTables without_locks;
};

Answer answer_within(Shared& shared, const Problem& problem, StopToken stop) {
  const BatchOptions& options = shared.options;
  const bool needed = options.check && options.witness == WitnessChoice::None;
  const SolveOptions how{.witness = needed ? WitnessChoice::Smallest : options.witness,
                         .certify = options.check != nullptr,
                         .reductions = options.reductions,
                         .flow = &shared.flow,
                         .sample = &shared.sample,
                         .stop = stop};
  Answer answer = solve(shared.network, problem, how);
  if (options.check && answer.verdict != dpn::Verdict::Unknown) options.check(problem, answer, stop);
  return answer;
}

// A table spares the search for the verdict, but not the one for a witness. It has no proofs: if there is a check, the
// table is asked nevertheless, since it is what others get their answers from, and must not contradict what is proved.
Answer answer_with_tables(PairTables& tables, Shared& shared, const Problem& problem, StopToken stop) {
  const auto reachable = tables.reachable(problem);
  const bool checked = shared.options.check != nullptr;
  if (!checked && reachable == false) return {.verdict = dpn::Verdict::Unreachable};
  if (!checked && reachable == true && shared.options.witness == WitnessChoice::None) {
    // Unlike an answer that was searched for, one of a table has no tree yet.
    constexpr std::size_t one_replayed_in = 4096;
    if (shared.sample.draws(one_replayed_in))
      replay_again(shared.network, problem, shared.options.reductions, shared.sample, stop);
    return {.verdict = dpn::Verdict::Reachable};
  }
  const auto begin = PairTables::Clock::now();
  Answer answer = answer_within(shared, problem, stop);
  if (!reachable) tables.took(problem, PairTables::Clock::now() - begin);
  if (reachable && answer.verdict != dpn::Verdict::Unknown && *reachable != (answer.verdict == dpn::Verdict::Reachable))
    throw BrokenAnswer{"the table of pairs has another answer"};
  return answer;
}

// There is no memory for this one question: the others may well be easier. What it took is given back to the system,
// since limits are about what the process has.
Answer given_up_for_memory() {
  ::malloc_trim(0);
  return {.verdict = dpn::Verdict::Unknown, .stopped = StopReason::Memory};
}

Answer answer_with(Shared& shared, const Problem& problem) {
  const BatchOptions& options = shared.options;
  try {
    PairTables* tables = shared.tables_for(problem);
    StopSource source;
    const Watchdog watchdog{source, options.each, options.stop};
    const StopToken stop = options.each.timeout || options.each.memory ? StopToken{source} : options.stop;
    Answer answer =
        tables == nullptr ? answer_within(shared, problem, stop) : answer_with_tables(*tables, shared, problem, stop);
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
  if (const auto* reason = std::get_if<StopReason>(&question.problem)) {
    answer.answer = Answer{.verdict = dpn::Verdict::Unknown, .stopped = *reason};
    answer.semantics = dpn::Semantics::LockSensitive;
    return answer;
  }
  const Problem& problem = std::get<Problem>(question.problem);
  answer.semantics = problem.semantics;
  try {
    answer.answer = answer_with(shared, problem);
  } catch (const Interrupted& interrupted) {  // while it was checked
    answer.answer = Answer{.verdict = dpn::Verdict::Unknown, .stopped = interrupted.reason()};
  } catch (const BrokenAnswer& error) {
    answer.answer = Fault{error.what()};
  }
  return answer;
}

bool is_unknown(const BatchAnswer& answer) {
  const auto* found = std::get_if<Answer>(&answer.answer);
  return found != nullptr && found->verdict == dpn::Verdict::Unknown;
}

// A batch while it is worked on. All workers do the same: take a question, answer it, and give away what can be given.
class Batch {
 public:
  using Next = std::function<std::optional<BatchQuestion>()>;
  using Take = std::function<void(BatchAnswer)>;

  Batch(Shared& shared, const Next& next, const Take& take, std::size_t workers)
      : shared_{shared}, next_{next}, take_{take}, max_waiting_{workers * waiting_per_job} {}

  void work() {
    try {
      while (auto question = next_question()) {
        const std::size_t number = question->number;
        BatchAnswer answer = answer_to(shared_, std::move(question->question));
        const bool cut_short = stopped() && is_unknown(answer);
        const std::lock_guard lock{giving_};
        if (!cut_short) retry_on_bad_alloc([&] { waiting_.emplace(number, std::move(answer)); });
        give_away();
      }
      const std::lock_guard lock{giving_};
      give_away();
    } catch (...) {
      over_.store(true);
      throw;
    }
  }

  // For when all work has ended: after a failure, the order may have a gap.
  void give_rest() {
    while (!waiting_.empty() && !cannot_give_) give_first();
  }

 private:
  struct Numbered {
    std::size_t number;
    BatchQuestion question;
  };

  [[nodiscard]] bool stopped() const { return shared_.options.stop.stop_requested(); }

  [[nodiscard]] std::optional<Numbered> next_question() {
    const std::lock_guard lock{asking_};
    wait_for_room();
    if (over_.load() || stopped()) return std::nullopt;
    auto question = retry_on_bad_alloc(next_);
    if (!question) {
      over_.store(true);
      return std::nullopt;
    }
    return Numbered{asked_++, std::move(*question)};
  }

  void wait_for_room() {
    constexpr std::chrono::milliseconds retry_on_bad_alloc{50};
    std::unique_lock lock{giving_};
    while (waiting_.size() >= max_waiting_ && !over_.load() && !stopped()) room_.wait_for(lock, retry_on_bad_alloc);
  }

  // Requires giving_. After a stop there may be gaps, and who knows how long there is time to wait for them.
  void give_away() {
    const bool any = shared_.options.order == BatchOrder::OfAnswers || stopped();
    while (!waiting_.empty() && !cannot_give_ && (any || waiting_.begin()->first == given_)) give_first();
    room_.notify_one();
  }

  void give_first() {
    BatchAnswer answer = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    ++given_;
    try {
      take_(std::move(answer));
    } catch (...) {
      cannot_give_ = true;
      throw;
    }
  }

  Shared& shared_;
  const Next& next_;
  const Take& take_;
  const std::size_t max_waiting_;
  std::atomic<bool> over_{false};  // no question is begun any more
  std::mutex asking_;
  std::size_t asked_ = 0;  // requires asking_
  std::mutex giving_;
  std::condition_variable room_;
  std::map<std::size_t, BatchAnswer> waiting_;  // by number; these three require giving_
  std::size_t given_ = 0;
  bool cannot_give_ = false;
};

}  // namespace

void solve_batch(const dpn::Network& network, const std::function<std::optional<BatchQuestion>()>& next,
                 const std::function<void(BatchAnswer)>& take, const BatchOptions& options) {
  Shared shared{network, options};
  ThreadPool workers{options.jobs};
  Batch batch{shared, next, take, workers.count()};
  try {
    workers.all_do([&] { batch.work(); });
  } catch (...) {
    batch.give_rest();
    throw;
  }
}

}  // namespace lockwood::solver
