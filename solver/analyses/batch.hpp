#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "base/process/watchdog.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::solver {

// A question of a batch. What could not be understood goes through as a refusal, so that answers keep their order.
struct BatchQuestion {
  std::string id;                                          // whatever the caller wants back
  std::string text;                                        // for people
  std::variant<Problem, std::string, StopReason> problem;  // or why it was refused, or could not even be understood
};

struct BatchAnswer {
  std::string id;
  std::string text;
  std::optional<dpn::Semantics> semantics;   // none if the question was refused
  std::variant<Answer, std::string> answer;  // or why there is none
};

// In which order answers are given away: as the questions came, or as they are ready.
enum class BatchOrder { OfQuestions, OfAnswers };

struct BatchOptions {
  WitnessChoice witness = WitnessChoice::None;
  Reductions reductions;
  Limits each;           // of every question by itself
  std::size_t jobs = 1;  // questions that are worked on at the same time, at least 1
  BatchOrder order = BatchOrder::OfQuestions;
  // Sees every verdict with its proof, a witness or a certificate, before the answer is given away. It is called by
  // several threads at the same time, and may throw. The limits of the question are its limits, too: the token tells.
  // Looking for proofs takes its time; without it there are none.
  std::function<void(const Problem&, const Answer&, StopToken)> check;
  StopToken stop;
};

// Answers questions about one network, several at a time: the place where they meet. `next` gives the questions one by
// one, nothing at the end; `take` gets the answers. Neither is called by two threads at the same time, but both may be
// called while the other is, and by any thread. Once a stop is requested no question is begun, and those that are cut
// short have no answer: they can be asked again. All others are given away, if need be out of their order. A question
// for which there is no memory is given up alone; `next` is asked again when it throws std::bad_alloc. What `next`,
// `take` or `check` throws ends the batch, after the answers that are there have been given away. A verdict that no
// limit prevents does not depend on the number of jobs or on other questions, and neither does a witness.
void solve_batch(const dpn::Network& network, const std::function<std::optional<BatchQuestion>()>& next,
                 const std::function<void(BatchAnswer)>& take, const BatchOptions& options);

}  // namespace lockwood::solver
