#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "solver/reduction/head_numbers.hpp"

namespace lockwood::solver {

using SummarizedHead = Id<struct SummarizedHeadTag>;
using SummarizedReturn = Id<struct SummarizedReturnTag>;

// How frames return in which nothing matters but that they return: to which control states, and by which lightest trees
// [knuth.77.generalization]. Locks are ignored, and spawned threads stand where they begin.
class ProcedureSummaries {
 public:
  // The network must outlive it. `spawn_weight`: of the two nodes of a spawn and of the thread itself. `limited`: the
  // actions that may not be done in all phases.
  ProcedureSummaries(const dpn::Network& network, std::uint64_t spawn_weight, IdVector<dpn::Action, bool> limited)
      : network_{&network}, spawn_weight_{spawn_weight}, limited_{std::move(limited)}, numbers_{network} {}

  // One way to return.
  struct Return {
    SummarizedHead from;
    dpn::ControlState to;
    std::uint64_t weight;
    bool limited;                          // by a rule that may not be used in all phases
    dpn::RuleId rule;                      // the first one
    std::optional<SummarizedReturn> body;  // if that is a call
    std::optional<SummarizedReturn> rest;  // of what follows; of a return, none
  };

  void demand(dpn::Head head) { (void)number_of(head); }
  // Finds the returns of all heads that were asked for. Once.
  void compute();
  // The lightest way to each control state, and the lightest without limits, lightest first. Requires that the head was
  // asked for.
  [[nodiscard]] std::span<const SummarizedReturn> returns_of(dpn::Head head) const {
    return heads_[numbers_.at(head)].returns;
  }
  [[nodiscard]] const Return& operator[](SummarizedReturn id) const { return returns_[id]; }
  [[nodiscard]] dpn::Head head_of(SummarizedReturn id) const { return heads_[returns_[id].from].head; }

 private:
  // Who waits for a head to return: with `body`, for what follows a call that returned so; else for a call's body
  // (`is_body`), or for what follows a step.
  struct Listener {
    SummarizedHead head;
    dpn::RuleId rule;
    bool is_body;
    std::optional<SummarizedReturn> body;
  };
  struct Entry {
    dpn::Head head;
    std::vector<SummarizedReturn> returns;
    std::vector<Listener> listeners;
  };
  struct Candidate {
    std::uint64_t age;
    Return what;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.what.weight != b.what.weight ? a.what.weight > b.what.weight : a.age > b.age;
    }
  };

  SummarizedHead number_of(dpn::Head head);
  void expand(SummarizedHead head);
  void listen(dpn::Head to, const Listener& listener);
  void deliver(const Listener& listener, SummarizedReturn id);
  void propose(const Return& candidate);

  const dpn::Network* network_;
  std::uint64_t spawn_weight_;
  IdVector<dpn::Action, bool> limited_;
  IdVector<SummarizedHead, Entry> heads_;
  HeadNumbers<SummarizedHead> numbers_;
  IdVector<SummarizedReturn, Return> returns_;
  std::size_t expanded_ = 0;
  std::uint64_t age_ = 0;
  std::priority_queue<Candidate> queue_;
};

}  // namespace lockwood::solver
