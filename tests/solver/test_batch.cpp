#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "dpn/generators/lock_program.hpp"
#include "dpn/generators/random_query.hpp"
#include "solver/analyses/batch.hpp"
#include "solver/analyses/pair_tables.hpp"
#include "solver/engine/task_pool.hpp"
#include "solver/engine/thread_pool.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

// The answers to the questions, in the order in which they are given away.
std::vector<BatchAnswer> answers_to(const Network& network, const std::vector<BatchQuestion>& questions,
                                    const BatchOptions& options) {
  std::size_t next = 0;
  std::vector<BatchAnswer> answers;
  solve_batch(
      network,
      [&]() -> std::optional<BatchQuestion> {
        if (next == questions.size()) return std::nullopt;
        return questions[next++];
      },
      [&](BatchAnswer answer) { answers.push_back(std::move(answer)); }, options);
  return answers;
}

// Every seventh question is refused beforehand.
std::vector<BatchQuestion> random_questions(const Network& network, std::size_t count) {
  std::vector<BatchQuestion> questions;
  for (std::size_t i = 0; i < count; ++i) {
    BatchQuestion question{.id = std::to_string(i), .text = "question", .problem = std::string{"no question"}};
    if (i % 7 != 6) question.problem = problem_of(random_query(network, {}, i));
    questions.push_back(std::move(question));
  }
  return questions;
}

}  // namespace

TEST_CASE("a batch gives the answers of single queries, in their order, whatever the number of jobs is") {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Network network = lock_program(seed);
    const auto questions = random_questions(network, 40);
    for (const std::size_t jobs : {1U, 2U, 5U}) {
      CAPTURE(seed);
      CAPTURE(jobs);
      const auto answers = answers_to(network, questions, {.witness = WitnessChoice::Smallest, .jobs = jobs});
      REQUIRE(answers.size() == questions.size());
      for (std::size_t i = 0; i < answers.size(); ++i) {
        CHECK(answers[i].id == questions[i].id);
        if (i % 7 == 6) {
          CHECK(std::get<std::string>(answers[i].answer) == "no question");
          continue;
        }
        const Answer alone = solve(network, std::get<Problem>(questions[i].problem));
        const auto& together = std::get<Answer>(answers[i].answer);
        CHECK(together.verdict == alone.verdict);
        CHECK(together.witness.has_value() == alone.witness.has_value());
        if (alone.witness) CHECK(together.witness->schedule == alone.witness->schedule);
        reachable += alone.verdict == Verdict::Reachable ? 1 : 0;
        unreachable += alone.verdict == Verdict::Unreachable ? 1 : 0;
      }
    }
  }
  CHECK(reachable > 100);
  CHECK(unreachable > 100);
}

TEST_CASE("a check sees each verdict once, with its proof, and what else it throws ends the batch") {
  std::atomic<std::size_t> witnesses = 0;
  std::atomic<std::size_t> certificates = 0;
  const auto check = [&](const Problem&, const Answer& answer, StopToken) {
    const bool reachable = answer.verdict == Verdict::Reachable;
    if (reachable ? answer.witness.has_value() : answer.certificate != nullptr)
      ++(reachable ? witnesses : certificates);
  };
  const auto refuse = [](const Problem&, const Answer&, StopToken) { throw std::runtime_error{"refused"}; };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Network network = lock_program(seed);
    const auto questions = random_questions(network, 35);
    CHECK(answers_to(network, questions, {.jobs = 3, .check = check}).size() == questions.size());
    CHECK_THROWS_AS(answers_to(network, questions, {.jobs = 2, .check = refuse}), std::runtime_error);
  }
  CHECK(witnesses + certificates == 300);
  CHECK(witnesses > 30);
  CHECK(certificates > 30);
}

TEST_CASE("an answer that does not stand up to its check is a fault, and the others are given") {
  const Network network = lock_program(2);
  auto questions = random_questions(network, 60);
  std::erase_if(questions, [](const BatchQuestion& question) { return question.problem.index() != 0; });
  const auto broken = [](const Problem&, const Answer& answer, StopToken) {
    if (answer.verdict == Verdict::Reachable) throw BrokenAnswer{"refused"};
  };
  for (const std::size_t jobs : {1U, 3U}) {
    std::size_t faults = 0;
    std::size_t answered = 0;
    const auto answers = answers_to(network, questions, {.jobs = jobs, .check = broken});
    REQUIRE(answers.size() == questions.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      CHECK(answers[i].id == questions[i].id);
      const auto* fault = std::get_if<Fault>(&answers[i].answer);
      const bool reachable = solve(network, std::get<Problem>(questions[i].problem)).verdict == Verdict::Reachable;
      CHECK(reachable == (fault != nullptr));
      if (fault != nullptr) CHECK(fault->what == "refused");
      ++(fault != nullptr ? faults : answered);
    }
    CHECK(faults > 5);
    CHECK(answered > 5);
  }
}

TEST_CASE("answers that need no order are all there") {
  const Network network = lock_program(3);
  const auto questions = random_questions(network, 200);
  const auto answers = answers_to(network, questions, {.jobs = 4, .order = BatchOrder::OfAnswers});
  std::vector<bool> seen(questions.size());
  for (const BatchAnswer& answer : answers) seen[std::stoul(answer.id)] = true;
  CHECK(answers.size() == questions.size());
  CHECK(std::find(seen.begin(), seen.end(), false) == seen.end());
}

TEST_CASE("a question that asks for too much is unknown, and the others are answered") {
  const Network network = lock_program(1);
  Problem problem{.phases = {Phase{}}};
  problem.phases[0].standing.resize(100);
  std::vector<BatchQuestion> questions = random_questions(network, 3);
  questions[1].problem = problem;
  const auto answers = answers_to(network, questions, {});
  REQUIRE(answers.size() == 3);
  CHECK(std::get<Answer>(answers[1].answer).verdict == Verdict::Unknown);
  CHECK(why_unknown(std::get<Answer>(answers[1].answer)).find("limit") != std::string::npos);
  CHECK(std::holds_alternative<Answer>(answers[2].answer));
}

TEST_CASE("once a stop is requested no question is begun, and what was answered is given away") {
  const Network network = lock_program(1);
  StopSource source;
  std::size_t asked = 0;
  std::size_t answered = 0;
  solve_batch(
      network,
      [&]() -> std::optional<BatchQuestion> {
        ++asked;
        return BatchQuestion{.id = {}, .text = {}, .problem = std::string{"none"}};
      },
      [&](const BatchAnswer&) {
        if (++answered == 10) source.request(StopReason::Cancelled);
      },
      {.jobs = 2, .stop = StopToken{source}});
  CHECK(answered == asked);
  CHECK(answered >= 10);
  CHECK(asked < 10 + 2 * 64 + 2);
}

TEST_CASE("a question that is cut short has no answer, and those after it are given away") {
  const Network network = lock_program(1);
  StopSource source;
  std::atomic<std::size_t> refused = 0;
  std::size_t next = 0;
  std::vector<std::string> given;
  const auto late = [&](const Problem&, const Answer&,
                        StopToken) -> void {  // as long as there are others to be answered
    while (refused.load() < 20) std::this_thread::yield();
    source.request(StopReason::Timeout);
    throw std::bad_alloc{};
  };
  solve_batch(
      network,
      [&]() -> std::optional<BatchQuestion> {
        BatchQuestion question{.id = std::to_string(next), .text = {}, .problem = std::string{"no question"}};
        if (next == 0) question.problem = problem_of(random_query(network, {}, 1));
        if (next > 20) return std::nullopt;
        refused.store(next++);
        return question;
      },
      [&](const BatchAnswer& answer) { given.push_back(answer.id); },
      {.jobs = 2, .check = late, .stop = StopToken{source}});
  CHECK(given.size() == 20);
  CHECK(std::find(given.begin(), given.end(), "0") == given.end());
}

TEST_CASE("running out of memory fails a question, not the batch, wherever that happens") {
  const Network network = lock_program(1);
  auto questions = random_questions(network, 6);
  questions[2].problem = StopReason::Memory;  // while it was read
  const auto lack = [](const Problem&, const Answer&, StopToken) { throw std::bad_alloc{}; };
  const auto answers = answers_to(network, questions, {.jobs = 2, .check = lack});
  REQUIRE(answers.size() == 6);
  for (const BatchAnswer& answer : answers) CHECK(std::get<Answer>(answer.answer).stopped == StopReason::Memory);
}

TEST_CASE("the limits of a question are limits of its check, too") {
  const Network network = lock_program(1);
  const auto patient = [](const Problem&, const Answer&, StopToken stop) {
    while (true) stop.check();
  };
  const auto answers = answers_to(network, random_questions(network, 6),
                                  {.each = {.timeout = std::chrono::milliseconds{20}}, .jobs = 2, .check = patient});
  REQUIRE(answers.size() == 6);
  for (const BatchAnswer& answer : answers) CHECK(std::get<Answer>(answer.answer).stopped == StopReason::Timeout);
}

TEST_CASE("what a question throws ends the batch, and the answers that wait for it are given away") {
  const Network network = lock_program(1);
  auto questions = random_questions(network, 40);
  for (std::size_t i = 1; i < questions.size(); ++i) questions[i].problem = std::string{"no question"};
  std::size_t next = 0;
  std::atomic<bool> all_read = false;
  std::vector<std::string> given;
  const auto broken = [&](const Problem&, const Answer&, StopToken) {
    while (!all_read.load()) std::this_thread::yield();
    throw std::runtime_error{"refused"};
  };
  const auto ask = [&]() -> std::optional<BatchQuestion> {
    all_read.store(next == questions.size());
    if (next == questions.size()) return std::nullopt;
    return questions[next++];
  };
  const auto take = [&](const BatchAnswer& answer) { given.push_back(answer.id); };
  CHECK_THROWS_AS(solve_batch(network, ask, take, {.jobs = 2, .check = broken}), std::runtime_error);
  CHECK(given.size() == questions.size() - 1);
}

TEST_CASE("workers take part once each, and tell what one of them throws") {
  for (const std::size_t jobs : {1U, 2U, 7U}) {
    ThreadPool workers{jobs};
    CHECK(workers.count() <= jobs);
    std::atomic<std::size_t> took_part = 0;
    CHECK_THROWS_AS(workers.all_do([&] {
      if (++took_part == 1) throw BrokenAnswer{"the first"};
    }),
                    BrokenAnswer);
    CHECK(took_part == workers.count());
    workers.all_do([&] { ++took_part; });
    CHECK(took_part == 2 * workers.count());
  }
}

TEST_CASE("threads of an arena do everything once, and tell what one of them throws") {
  for (const std::size_t jobs : {1U, 2U, 7U}) {
    TaskPool arena{jobs};
    for (const std::size_t count : {0U, 1U, 5U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      arena.divide(count, 3, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++done[i];
      });
      CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
    }
    CHECK_THROWS_AS(arena.divide(100, 1,
                                 [](std::size_t begin, std::size_t end) {
                                   if (begin <= 50 && 50 < end) throw BrokenAnswer{"fifty"};
                                 }),
                    BrokenAnswer);
  }
}

TEST_CASE("tables of pairs give the verdicts of single queries, once there were enough questions about the places") {
  using namespace std::chrono_literals;
  std::size_t known = 0;
  std::size_t reachable = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Network network = lock_program(seed, {.threads = 4, .locks = 3, .statements = 4, .nesting = 4});
    for (const Semantics semantics : {Semantics::LockSensitive, Semantics::LockInsensitive}) {
      CAPTURE(seed);
      PairTables tables{network, semantics, seed % 2 == 0 ? Reductions{} : Reductions::none(), {}};
      // Of each few places, one or two on each side.
      const std::size_t stacks = network.stack_symbols().size();
      for (std::size_t i = 0; i < 60; ++i) {
        const std::size_t a = i % 5;
        const std::size_t b = (i / 5) % 7;
        Query query{.form = QueryForm::Conflict, .semantics = semantics};
        query.steps.push_back({.positions = {{StackSymbol{a * 3 % stacks}}, {StackSymbol{b % stacks}}}});
        if (i % 3 == 0) query.steps[0].positions[0].push_back(StackSymbol{b * 2 % stacks});
        const Problem problem = problem_of(query);
        REQUIRE(PairTables::apply_to(problem));
        const auto found = tables.reachable(problem);
        const Verdict alone = solve(network, problem, {.witness = WitnessChoice::None}).verdict;
        if (found) {
          CHECK(*found == (alone == Verdict::Reachable));
          ++known;
          reachable += *found ? 1U : 0U;
        } else {
          tables.took(problem, 10s);
        }
      }
      CHECK(tables.made() > 0);
      CHECK(tables.made() < 20);
    }
  }
  CHECK(known > 3000);
  CHECK(reachable > 300);
  CHECK(known - reachable > 300);
}

TEST_CASE("questions that have no place in common make no tables") {
  using namespace std::chrono_literals;
  const Network network = lock_program(1);
  PairTables tables{network, Semantics::LockSensitive, {}, {}};
  for (std::size_t i = 0; i + 1 < network.stack_symbols().size(); i += 2) {
    Problem problem{.phases = {Phase{}}};
    for (std::size_t place : {i, i + 1})
      problem.phases[0].standing.push_back({.tops = std::vector{StackSymbol{place}}, .holding = {}, .wanting = {}});
    tables.took(problem, 10s);
  }
  CHECK(tables.made() == 0);
}

TEST_CASE("tables are for questions about two places in one phase") {
  const Network network = lock_program(1);
  const std::vector<StackSymbol> place{StackSymbol{0}};
  Problem problem{.phases = {Phase{.standing = {{.tops = place}, {.tops = place}}}}};
  CHECK(PairTables::apply_to(problem));
  Problem other = problem;
  other.phases[0].standing.pop_back();
  CHECK_FALSE(PairTables::apply_to(other));
  other = problem;
  other.phases[0].standing[1].holding = Lock{0};
  CHECK_FALSE(PairTables::apply_to(other));
  other = problem;
  other.phases[0].standing[1].tops->clear();
  CHECK_FALSE(PairTables::apply_to(other));
  other = problem;
  other.phases[0].avoiding.emplace_back(0);
  CHECK_FALSE(PairTables::apply_to(other));
  other = problem;
  other.phases.emplace_back();
  CHECK_FALSE(PairTables::apply_to(other));
}
