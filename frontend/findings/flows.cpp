#include "frontend/findings/flows.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "frontend/findings/def_use.hpp"
#include "solver/solve.hpp"

namespace lockwood::findings {
namespace {

// Which uses each definition reaches, without regard to locks and with; found out when it is first asked for.
class Links {
 public:
  Links(const program::Lowered& lowered, StopToken stop) : lowered_{lowered}, stop_{stop} {}

  struct Link {
    AccessId use;
    bool feasible;  // with locks
  };
  const std::vector<Link>& from(AccessId definition) {
    const auto [at, inserted] = known_.try_emplace(definition);
    if (!inserted) return at->second;
    const DefinitionQuestion question{lowered_, definition};
    const ReachedUses without = question.reached(dpn::Semantics::LockInsensitive, stop_);
    stop_.check();
    const ReachedUses with = question.reached(dpn::Semantics::LockSensitive, stop_);
    stop_.check();
    for (std::size_t i = 0; i < without.uses.size(); ++i)
      if (without.uses[i].by_same || without.uses[i].by_other)
        at->second.push_back({without.uses[i].use, with.uses[i].by_same || with.uses[i].by_other});
    return at->second;
  }

 private:
  const program::Lowered& lowered_;
  StopToken stop_;
  std::map<AccessId, std::vector<Link>> known_;
};

class Search {
 public:
  Search(const program::Program& program, const program::Lowered& lowered, const std::vector<Sink>& sinks,
         const FlowOptions& options)
      : paths_{program, lowered}, lowered_{lowered}, sinks_{sinks}, options_{options}, links_{lowered, options.stop} {}

  FlowAnswer run(const std::vector<Source>& sources) {
    for (const Source& source : sources) waiting_.push_back({source, {}, {}});
    while (!waiting_.empty() && !answer_.chain && !answer_.bound_reached) {
      const Chain prefix = waiting_.front();
      waiting_.pop_front();
      extend(prefix);
    }
    if (answer_.chain) {
      answer_.verdict = dpn::Verdict::Reachable;
    } else if (!answer_.bound_reached && !too_long_) {
      answer_.verdict = dpn::Verdict::Unreachable;
    }
    answer_.bound_reached = !answer_.chain && (answer_.bound_reached || too_long_);
    return std::move(answer_);
  }
  [[nodiscard]] FlowAnswer interrupted(StopReason reason) && {
    answer_.stopped = reason;
    return std::move(answer_);
  }

 private:
  // The prefix is feasible, if it has transfers. First its ends, then its extensions: shorter chains first.
  void extend(const Chain& prefix) {
    const AccessId carrier = prefix.transfers.empty() ? prefix.source.definition : prefix.transfers.back().definition;
    const auto& links = links_.from(carrier);
    for (const auto& [use, feasible] : links) {
      const auto sink = std::ranges::find(sinks_, use, &Sink::use);
      if (sink == sinks_.end()) continue;
      Chain whole = prefix;
      whole.sink = *sink;
      if (!feasible) {
        answer_.refuted.push_back({whole, false});
      } else if (ask(whole)) {
        return;
      }
    }
    for (const auto& [use, feasible] : links)
      for (const Transfer& transfer : transfers(use)) {
        Chain longer = prefix;
        longer.transfers.push_back(transfer);
        if (!feasible) {
          answer_.refuted.push_back({longer, false});
          continue;
        }
        if (!leads_on(transfer.definition)) continue;
        if (longer.transfers.size() > options_.max_transfers) {
          too_long_ = true;
          continue;
        }
        if (ask(longer)) waiting_.push_back(std::move(longer));
        if (answer_.bound_reached) return;
      }
  }

  // Without regard to locks some sequence of links leads from the definition to a sink.
  bool leads_on(AccessId definition) {
    std::vector<AccessId> seen{definition};
    for (std::size_t i = 0; i < seen.size(); ++i)
      for (const auto& [use, feasible] : links_.from(seen[i])) {
        if (std::ranges::find(sinks_, use, &Sink::use) != sinks_.end()) return true;
        for (const Transfer& transfer : transfers(use))
          if (std::ranges::count(seen, transfer.definition) == 0) seen.push_back(transfer.definition);
      }
    return false;
  }

  // What is written may be made of what the use reads: the transfers, in the order of the writes.
  const std::vector<Transfer>& transfers(AccessId use) {
    const auto [at, inserted] = transfers_.try_emplace(use);
    if (!inserted) return at->second;
    const auto users = paths_.users(access(lowered_, use).before);
    for (AccessId definition : definitions(lowered_))
      if (std::ranges::any_of(access(lowered_, definition).before,
                              [&](dpn::StackSymbol symbol) { return std::ranges::binary_search(users, symbol); }))
        at->second.push_back({use, definition});
    return at->second;
  }

  // Whether an execution does the chain.
  bool ask(const Chain& chain) {
    if (answer_.asked >= options_.max_chains) {
      answer_.bound_reached = true;
      return false;
    }
    ++answer_.asked;
    const ChainQuestion question = chain_question(paths_, chain, dpn::Semantics::LockSensitive);
    const auto choice = chain.sink ? solver::WitnessChoice::Smallest : solver::WitnessChoice::None;
    solver::Answer found =
        solver::solve(question.instrumented.network, question.problem, {.witness = choice, .stop = options_.stop});
    options_.stop.check();
    if (options_.answered) options_.answered(question, found.verdict);
    if (found.verdict != dpn::Verdict::Reachable) {
      answer_.refuted.push_back({chain, true});
      return false;
    }
    if (chain.sink) {
      answer_.chain = chain;
      answer_.schedule = original_schedule(question.instrumented, found.witness->schedule);
    }
    return true;
  }

  ValuePaths paths_;
  const program::Lowered& lowered_;
  const std::vector<Sink>& sinks_;
  FlowOptions options_;
  std::map<AccessId, std::vector<Transfer>> transfers_;  // by use, once asked for
  Links links_;
  std::deque<Chain> waiting_;
  FlowAnswer answer_;
  bool too_long_ = false;  // a feasible chain was not extended
};

}  // namespace

FlowAnswer find_flow(const program::Program& program, const program::Lowered& lowered,
                     const std::vector<Source>& sources, const std::vector<Sink>& sinks, const FlowOptions& options) {
  Search search{program, lowered, sinks, options};
  try {
    return search.run(sources);
  } catch (const Interrupted& interrupted) {
    return std::move(search).interrupted(interrupted.reason());
  }
}

}  // namespace lockwood::findings
