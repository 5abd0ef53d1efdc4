#include "frontend/findings/analyses/flows.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <queue>
#include <set>
#include <tuple>

#include "frontend/findings/analyses/def_use.hpp"
#include "solver/analyses/explain.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood::findings {
namespace {

// The steps by which the value gets somewhere else.
std::vector<dpn::RuleId> way_of(const ChainQuestion& question, const dpn::Schedule& schedule) {
  std::vector<dpn::RuleId> way;
  for (const dpn::Move& move : schedule.moves)
    if (const auto original = question.instrumented.original[move.rule]; original && question.moves[move.rule])
      way.push_back(*original);
  return way;
}

}  // namespace

// Which uses each definition reaches, without regard to locks and with; found out when it is first asked for.
class FlowLinks {
 public:
  FlowLinks(const program::Lowered& lowered, StopToken stop) : lowered_{lowered}, stop_{stop} {}

  const std::vector<AccessId>& without_locks(AccessId definition) {
    return known(without_, definition, dpn::Semantics::LockInsensitive);
  }
  // By the variable, by what comes when, and by locks.
  [[nodiscard]] LinkCounts counts() const {
    LinkCounts counts;
    for (const auto& [definition, reached] : without_) {
      counts.suspected += uses(lowered_, access(lowered_, definition).variable).size();
      counts.without_locks += reached.size();
    }
    for (const auto& [definition, reached] : with_) {
      counts.with_locks += reached.size();
      if (const auto all = without_.find(definition); all != without_.end())
        counts.asked_with_locks += all->second.size();
    }
    return counts;
  }
  // Locks that keep the link from happening.
  [[nodiscard]] std::vector<dpn::Lock> separating(AccessId definition, AccessId use) const {
    const DefUseModel model{lowered_, access(lowered_, definition).variable, nullptr, stop_};
    const DefinitionQuestion question{model, definition};
    std::vector<dpn::Lock> found;
    for (Reader reader : {Reader::Other, Reader::Same}) {
      const solver::Reason reason = question.reason(use, reader, stop_);
      if (const auto* apart = std::get_if<solver::Excluded>(&reason))
        for (solver::Lock lock : apart->locks)
          if (std::ranges::find(found, dpn::Lock{lock}) == found.end()) found.push_back(dpn::Lock{lock});
    }
    return found;
  }
  [[nodiscard]] bool feasible(AccessId definition, AccessId use) {
    return std::ranges::count(known(with_, definition, dpn::Semantics::LockSensitive), use) > 0;
  }

 private:
  using Uses = std::map<AccessId, std::vector<AccessId>>;  // by definition
  const std::vector<AccessId>& known(Uses& uses, AccessId definition, dpn::Semantics semantics) {
    if (const auto at = uses.find(definition); at != uses.end()) return at->second;
    if (!focus_) focus_.emplace(lowered_, stop_);
    const DefUseModel model{lowered_, access(lowered_, definition).variable, &*focus_, stop_};
    const ReachedUses reached = DefinitionQuestion{model, definition}.reached(semantics, stop_);
    stop_.check();
    std::vector<AccessId> found;
    for (const auto& each : reached.uses)
      if (each.by_same || each.by_other) found.push_back(each.use);
    return uses.emplace(definition, std::move(found)).first->second;
  }

  const program::Lowered& lowered_;
  StopToken stop_;
  std::optional<Focus> focus_;  // once it is needed
  Uses without_;
  Uses with_;
};

// What searches find out about the program, whatever they look for.
struct FlowSearch::Knowledge {
  Knowledge(const program::Program& its_program, const program::Lowered& its_model, const FlowOptions& wanted)
      : program{its_program},
        lowered{its_model},
        options{wanted},
        paths{program, lowered},
        links{lowered, options.stop} {}

  // Where a value is used that the place of the use makes, ascending.
  const std::vector<dpn::StackSymbol>& users(AccessId use) {
    const auto [at, inserted] = users_.try_emplace(use);
    if (inserted) at->second = paths.users(access(lowered, use).before);
    return at->second;
  }
  // What is written may be made of what the use reads: the transfers, in the order of the writes.
  const std::vector<Transfer>& transfers(AccessId use) {
    const auto [at, inserted] = transfers_.try_emplace(use);
    if (!inserted) return at->second;
    const auto& reached = users(use);
    for (AccessId definition : definitions(lowered))
      if (std::ranges::any_of(access(lowered, definition).before,
                              [&](dpn::StackSymbol symbol) { return std::ranges::binary_search(reached, symbol); }))
        at->second.push_back({use, definition});
    return at->second;
  }

  const program::Program& program;
  const program::Lowered& lowered;
  const FlowOptions& options;
  ValuePaths paths;
  FlowLinks links;

 private:
  std::map<AccessId, std::vector<dpn::StackSymbol>> users_;
  std::map<AccessId, std::vector<Transfer>> transfers_;  // by use, once asked for
};

namespace {

template <class Knowledge>
class Search {
 public:
  Search(Knowledge& knowledge, const std::vector<Sink>& sinks)
      : knowledge_{knowledge},
        paths_{knowledge.paths},
        lowered_{knowledge.lowered},
        sinks_{sinks},
        options_{knowledge.options},
        links_{knowledge.links},
        away_(knowledge.program.variables.size(), nowhere) {}

  FlowAnswer run(const std::vector<Source>& sources) {
    measure_ways();
    for (const Source& source : sources) extend({source, {}, {}});
    while (!waiting_.empty() && !answer_.chain && !answer_.bound_reached) {
      const Chain chain = waiting_.top().chain;
      waiting_.pop();
      look_at(chain);
    }
    if (answer_.chain) {
      answer_.verdict = dpn::Verdict::Reachable;
    } else if (!answer_.bound_reached && !too_long_) {
      answer_.verdict = dpn::Verdict::Unreachable;
    }
    answer_.bound_reached = !answer_.chain && (answer_.bound_reached || too_long_);
    return finished();
  }
  [[nodiscard]] FlowAnswer interrupted(StopReason reason) && {
    answer_.stopped = reason;
    return finished();
  }

 private:
  static constexpr auto nowhere = static_cast<std::size_t>(-1);

  // A chain that is to be looked at: those that can lead to the shortest whole chains first, of these the ones that
  // lack least, and then in the order in which they were found.
  struct Candidate {
    std::size_t transfers;  // of a whole chain, at least
    std::size_t lacking;    // of these; whole chains lack less than those that lack only the sink
    std::size_t number;
    Chain chain;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return std::tie(a.transfers, a.lacking, a.number) > std::tie(b.transfers, b.lacking, b.number);
    }
  };

  FlowAnswer finished() {
    std::ranges::stable_sort(answer_.refuted, {},
                             [](const RefutedChain& refuted) { return refuted.chain.transfers.size(); });
    return std::move(answer_);
  }

  [[nodiscard]] const Sink* sink_at(AccessId use) const {
    const auto at = std::ranges::find(sinks_, use, &Sink::use);
    return at == sinks_.end() ? nullptr : &*at;
  }
  [[nodiscard]] std::size_t away(AccessId access_id) const { return away_[access(lowered_, access_id).variable]; }

  // How many transfers away from a sink each variable is, if nothing is known but which statements pass on what.
  void measure_ways() {
    IdVector<program::Variable, std::vector<program::Variable>> before(away_.size());
    std::queue<program::Variable> reached;
    const auto reach = [&](program::Variable variable, std::size_t distance) {
      if (away_[variable] != nowhere) return;
      away_[variable] = distance;
      reached.push(variable);
    };
    for (AccessId use : uses(lowered_))
      for (const Transfer& transfer : transfers(use))
        before[access(lowered_, transfer.definition).variable].push_back(access(lowered_, use).variable);
    for (const Sink& sink : sinks_) reach(access(lowered_, sink.use).variable, 0);
    for (; !reached.empty(); reached.pop())
      for (program::Variable variable : before[reached.front()]) reach(variable, away_[reached.front()] + 1);
  }

  // The chain is feasible, as far as it goes.
  void extend(const Chain& chain) {
    const AccessId carrier = chain.transfers.empty() ? chain.source.definition : chain.transfers.back().definition;
    if (away(carrier) == nowhere) return;
    for (AccessId use : links_.without_locks(carrier)) {
      std::vector<Chain> longer;
      if (const Sink* sink = sink_at(use)) longer.push_back({chain.source, chain.transfers, *sink});
      for (const Transfer& transfer : transfers(use)) {
        if (away(transfer.definition) == nowhere) continue;
        longer.push_back(chain);
        longer.back().transfers.push_back(transfer);
      }
      if (longer.empty()) continue;
      const bool feasible = links_.feasible(carrier, use);
      for (Chain& one : longer) {
        if (feasible) {
          add(std::move(one));
        } else {
          answer_.refuted.push_back({std::move(one), false});
          if (explained_++ < options_.explained) answer_.refuted.back().locks = links_.separating(carrier, use);
        }
      }
    }
  }
  void add(Chain chain) {
    const std::size_t done = chain.transfers.size();
    const std::size_t lacking = chain.sink ? 0 : away(chain.transfers.back().definition);
    waiting_.push({done + lacking, chain.sink ? 0 : lacking + 1, number_++, std::move(chain)});
  }

  void look_at(const Chain& chain) {
    if (chain.sink) {
      ask(chain);
    } else if (!leads_on(chain.transfers.back().definition)) {
      return;
    } else if (chain.transfers.size() > options_.max_transfers) {
      too_long_ = true;
    } else if (ask(chain)) {
      extend(chain);
    }
  }

  // Without regard to locks some sequence of links leads from the definition to a sink. Those that seem to be near one
  // are looked at first, since it takes time to find out what links there are.
  bool leads_on(AccessId definition) {
    std::map<AccessId, std::optional<AccessId>> before{{definition, std::nullopt}};
    std::set<std::pair<std::size_t, AccessId>> pending{{away(definition), definition}};
    const auto leads = [&](AccessId last) {
      for (std::optional<AccessId> each = last; each; each = before.at(*each)) leads_on_[*each] = true;
      return true;
    };
    while (!pending.empty()) {
      const AccessId next = pending.begin()->second;
      pending.erase(pending.begin());
      if (const auto known = leads_on_.find(next); known != leads_on_.end()) {
        if (known->second) return leads(next);
        continue;
      }
      for (AccessId use : links_.without_locks(next)) {
        if (sink_at(use) != nullptr) return leads(next);
        for (const Transfer& transfer : transfers(use))
          if (away(transfer.definition) != nowhere && before.try_emplace(transfer.definition, next).second)
            pending.emplace(away(transfer.definition), transfer.definition);
      }
    }
    for (const auto& [seen, from] : before) leads_on_[seen] = false;
    return false;
  }

  const std::vector<Transfer>& transfers(AccessId use) { return knowledge_.transfers(use); }

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
      if (explained_++ < options_.explained) {
        const solver::Reason reason = solver::explain(question.instrumented.network, question.problem, options_.stop);
        if (const auto* apart = std::get_if<solver::Excluded>(&reason))
          for (solver::Lock lock : apart->locks) answer_.refuted.back().locks.emplace_back(lock);
      }
      return false;
    }
    if (chain.sink) {
      answer_.chain = chain;
      answer_.schedule = original_schedule(question.instrumented, found.witness->schedule);
      answer_.way = way_of(question, found.witness->schedule);
    }
    return true;
  }

  Knowledge& knowledge_;
  const ValuePaths& paths_;
  const program::Lowered& lowered_;
  const std::vector<Sink>& sinks_;
  const FlowOptions& options_;
  FlowLinks& links_;
  IdVector<program::Variable, std::size_t> away_;  // from a sink, in transfers
  std::map<AccessId, bool> leads_on_;              // once asked for
  std::priority_queue<Candidate> waiting_;
  std::size_t number_ = 0;
  FlowAnswer answer_;
  bool too_long_ = false;  // a feasible chain was not extended
  std::size_t explained_ = 0;
};

// Through locals alone.
template <class Knowledge>
FlowAnswer find_direct(Knowledge& knowledge, const std::vector<dpn::StackSymbol>& makers,
                       const std::vector<dpn::StackSymbol>& users) {
  FlowAnswer answer;
  const FlowOptions& options = knowledge.options;
  std::vector<dpn::StackSymbol> reached;
  std::ranges::set_intersection(knowledge.paths.users(makers), users, std::back_inserter(reached));
  answer.verdict = dpn::Verdict::Unreachable;
  if (reached.empty()) return answer;
  const ChainQuestion question = passage_question(knowledge.paths, makers, reached, dpn::Semantics::LockSensitive);
  const solver::Answer found = solver::solve(question.instrumented.network, question.problem,
                                             {.witness = solver::WitnessChoice::Smallest, .stop = options.stop});
  options.stop.check();
  ++answer.asked;
  if (options.answered) options.answered(question, found.verdict);
  answer.verdict = found.verdict;
  if (found.verdict != dpn::Verdict::Reachable) return answer;
  answer.direct = true;
  answer.schedule = original_schedule(question.instrumented, found.witness->schedule);
  answer.way = way_of(question, found.witness->schedule);
  return answer;
}

}  // namespace

FlowSearch::FlowSearch(const program::Program& program, const program::Lowered& lowered, const FlowOptions& options)
    : knowledge_{std::make_unique<Knowledge>(program, lowered, options)} {}
FlowSearch::~FlowSearch() = default;

FlowAnswer FlowSearch::find(const std::vector<Source>& sources, const std::vector<Sink>& sinks) {
  Search<Knowledge> search{*knowledge_, sinks};
  try {
    return search.run(sources);
  } catch (const Interrupted& interrupted) {
    return std::move(search).interrupted(interrupted.reason());
  }
}

FlowAnswer FlowSearch::find_between(const std::vector<dpn::StackSymbol>& makers,
                                    const std::vector<dpn::StackSymbol>& users) {
  std::vector<Source> sources;
  std::vector<Sink> sinks;
  try {
    FlowAnswer direct = find_direct(*knowledge_, makers, users);
    if (direct.verdict == dpn::Verdict::Reachable) return direct;
    const program::Lowered& lowered = knowledge_->lowered;
    const auto kept = knowledge_->paths.users(makers);
    for (AccessId id : definitions(lowered))
      if (std::ranges::any_of(access(lowered, id).before,
                              [&](dpn::StackSymbol each) { return std::ranges::binary_search(kept, each); }))
        sources.push_back({id, makers});
    for (AccessId id : uses(lowered)) {
      Sink sink{id};
      std::ranges::set_intersection(knowledge_->users(id), users, std::back_inserter(sink.places));
      if (!sink.places.empty()) sinks.push_back(std::move(sink));
    }
    FlowAnswer answer = find(sources, sinks);
    answer.asked += direct.asked;
    return answer;
  } catch (const Interrupted& interrupted) {
    FlowAnswer answer;
    answer.stopped = interrupted.reason();
    return answer;
  }
}

LinkCounts FlowSearch::links() const { return knowledge_->links.counts(); }

FlowAnswer find_flow(const program::Program& program, const program::Lowered& lowered,
                     const std::vector<Source>& sources, const std::vector<Sink>& sinks, const FlowOptions& options) {
  return FlowSearch{program, lowered, options}.find(sources, sinks);
}

}  // namespace lockwood::findings
