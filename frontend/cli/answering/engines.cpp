#include "frontend/cli/answering/engines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/process/watchdog.hpp"
#include "frontend/api/proof.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/construction/decide.hpp"
#include "solver/engine/observation.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/query/replay_error.hpp"

namespace lockwood::frontend {
namespace {

using dpn::Network;
using dpn::Query;
using dpn::Verdict;

Opinion unknown(const std::string& because) { return {.unknown_because = because}; }

Opinion unknown(std::optional<StopReason> reason) {
  if (!reason) return {.flaw = "it gave up without a reason"};
  return unknown(std::string{to_string(*reason)});
}

// The verdict with its witness or certificate, judged by the independent checker.
Opinion with_proof(const Network& network, const solver::Problem& problem, const solver::Answer& answer,
                   StopToken stop) {
  const bool reachable = answer.verdict == Verdict::Reachable;
  Opinion opinion{.verdict = answer.verdict, .evidence = reachable ? Evidence::Witness : Evidence::Certificate};
  opinion.flaw =
      api::rejection_reason(network, problem, api::proof_of(network, problem, answer, stop), answer.verdict, stop);
  if (opinion.flaw)
    opinion.flaw = fmt::format("its {} is refused: {}", reachable ? "witness" : "certificate", *opinion.flaw);
  return opinion;
}

// As users have it by default, and once more without leaving anything out, for a certificate. Both must agree.
Opinion ask_fast(const Network& network, const Query& query, StopToken stop) {
  const solver::Problem problem = solver::problem_of(query);
  const solver::Answer answer = solver::solve(network, problem, {.stop = stop});
  if (answer.verdict == Verdict::Unknown) return unknown(why_unknown(answer));
  const solver::Answer certified =
      solver::solve(network, problem, {.witness = solver::WitnessChoice::None, .certify = true, .stop = stop});
  if (certified.verdict == Verdict::Unknown) return unknown(why_unknown(certified));
  if (certified.verdict != answer.verdict)
    return {.verdict = answer.verdict,
            .flaw = fmt::format("it is {} if nothing is left out", to_string(certified.verdict))};
  return with_proof(network, problem, answer.verdict == Verdict::Reachable ? answer : certified, stop);
}

Opinion ask_zdd(const Network& network, const Query& query, StopToken stop) {
  const solver::Problem problem = solver::problem_of(query);
  const solver::Answer answer = solver::solve(network, problem, {.domain = solver::DomainChoice::Zdd, .stop = stop});
  if (answer.verdict == Verdict::Unknown) return unknown(why_unknown(answer));
  if (answer.domain != solver::DomainChoice::Zdd) return unknown("too many locks for diagrams");
  return answer.verdict == Verdict::Reachable ? with_proof(network, problem, answer, stop)
                                              : Opinion{.verdict = Verdict::Unreachable};
}

Opinion ask_reference(const Network& network, const Query& query, StopToken stop) {
  const Verdict verdict = solver::reference::decide(network, query, stop);
  return verdict == Verdict::Unknown ? unknown(stop.reason()) : Opinion{.verdict = verdict};
}

Opinion ask_explorer(const Network& network, const Query& query, const dpn::ExploreBounds& bounds, StopToken stop) {
  const dpn::ExploreAnswer answer = dpn::explore_query(network, query, bounds, stop);
  if (answer.verdict == Verdict::Unknown)
    return answer.omissions.stopped ? unknown(answer.omissions.stopped) : unknown("bound");
  if (answer.verdict == Verdict::Unreachable) return {.verdict = answer.verdict};
  dpn::Schedule schedule;
  for (const std::vector<dpn::Move>& phase : answer.schedule) {
    schedule.moves.insert(schedule.moves.end(), phase.begin(), phase.end());
    schedule.cuts.push_back(schedule.moves.size());
  }
  schedule.cuts.pop_back();
  Opinion opinion{.verdict = answer.verdict, .evidence = Evidence::Witness};
  opinion.flaw = problem::replay_error(network, solver::problem_of(query), schedule);
  if (opinion.flaw) opinion.flaw = "its witness does not replay: " + *opinion.flaw;
  return opinion;
}

Opinion ask(const Engine& engine, const Network& network, const Query& query, std::chrono::milliseconds limit,
            StopToken stop) {
  if (stop.stop_requested()) return unknown(stop.reason());
  StopSource source;
  const Watchdog watchdog{source, {.timeout = limit}, stop};
  try {
    return engine.ask(network, query, StopToken{source});
  } catch (const Interrupted& interrupted) {
    return unknown(std::optional{interrupted.reason()});
  } catch (const solver::TooManyGoals& error) {
    return unknown(std::string{error.what()});
  } catch (const solver::BrokenAnswer& error) {
    return {.verdict = Verdict::Reachable, .flaw = error.what()};
  }
}

}  // namespace

Engine fast_engine() { return {"fast", ask_fast}; }

Engine zdd_engine() { return {"zdd", ask_zdd}; }

Engine reference_engine() { return {"reference", ask_reference}; }

Engine explore_engine(const dpn::ExploreBounds& bounds) {
  return {"explore", [bounds](const Network& network, const Query& query, StopToken stop) {
            return ask_explorer(network, query, bounds, stop);
          }};
}

std::vector<Opinion> opinions(std::span<const Engine> engines, const Network& network, const Query& query,
                              std::chrono::milliseconds limit, StopToken stop) {
  std::vector<Opinion> all;
  for (const Engine& engine : engines) all.push_back(ask(engine, network, query, limit, stop));
  return all;
}

bool contradict(const Opinion& a, const Opinion& b) {
  return a.verdict != Verdict::Unknown && b.verdict != Verdict::Unknown && a.verdict != b.verdict;
}

bool disagree(std::span<const Opinion> opinions) {
  return std::ranges::any_of(opinions, [&](const Opinion& a) {
    return a.flaw || std::ranges::any_of(opinions, [&](const Opinion& b) { return contradict(a, b); });
  });
}

std::string to_text(const Opinion& opinion) {
  std::string text = to_string(opinion.verdict);
  if (!opinion.unknown_because.empty()) text += " (" + opinion.unknown_because + ')';
  if (opinion.flaw) text += ", but " + *opinion.flaw;
  return text;
}

}  // namespace lockwood::frontend
