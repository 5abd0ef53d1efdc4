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

using InertHead = Id<struct InertHeadTag>;
using InertReturn = Id<struct InertReturnTag>;

// How frames return in which nothing matters but that they return: to which control states, and by which lightest trees
// [knuth.77.generalization]. Locks are ignored, and spawned threads stand where they begin.
class InertReturns {
 public:
  // The network must outlive it. `spawn_weight`: of the two nodes of a spawn and of the thread itself. `limited`: the
  // actions that may not be done in all phases.
  InertReturns(const dpn::Network& network, std::uint64_t spawn_weight, IdVector<dpn::Action, bool> limited)
      : network_{&network}, spawn_weight_{spawn_weight}, limited_{std::move(limited)}, numbers_{network} {}

  // One way to return.
  struct Return {
    InertHead from;
    dpn::ControlState to;
    std::uint64_t weight;
    bool limited;                     // by a rule that may not be used in all phases
    dpn::RuleId rule;                 // the first one
    std::optional<InertReturn> body;  // if that is a call
    std::optional<InertReturn> rest;  // of what follows; of a return, none
  };

  void demand(dpn::Head head) { (void)number_of(head); }
  // Finds the returns of all heads that were asked for. Once.
  void compute();
  // The lightest way to each control state, and the lightest without limits, lightest first. Requires that the head was
  // asked for.
  [[nodiscard]] std::span<const InertReturn> returns_of(dpn::Head head) const {
    return heads_[numbers_.at(head)].returns;
  }
  [[nodiscard]] const Return& operator[](InertReturn id) const { return returns_[id]; }
  [[nodiscard]] dpn::Head head_of(InertReturn id) const { return heads_[returns_[id].from].head; }

 private:
  // Who waits for a head to return: with `body`, for what follows a call that returned so; else for a call's body
  // (`is_body`), or for what follows a step.
  struct Listener {
    InertHead head;
    dpn::RuleId rule;
    bool is_body;
    std::optional<InertReturn> body;
  };
  struct Entry {
    dpn::Head head;
    std::vector<InertReturn> returns;
    std::vector<Listener> listeners;
  };
  struct Candidate {
    std::uint64_t age;
    Return what;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.what.weight != b.what.weight ? a.what.weight > b.what.weight : a.age > b.age;
    }
  };

  InertHead number_of(dpn::Head head);
  void expand(InertHead head);
  void listen(dpn::Head to, const Listener& listener);
  void deliver(const Listener& listener, InertReturn id);
  void propose(const Return& candidate);

  const dpn::Network* network_;
  std::uint64_t spawn_weight_;
  IdVector<dpn::Action, bool> limited_;
  IdVector<InertHead, Entry> heads_;
  HeadNumbers<InertHead> numbers_;
  IdVector<InertReturn, Return> returns_;
  std::size_t expanded_ = 0;
  std::uint64_t age_ = 0;
  std::priority_queue<Candidate> queue_;
};

}  // namespace lockwood::solver
