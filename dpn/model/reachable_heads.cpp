#include "dpn/model/reachable_heads.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/ids/sequence_table.hpp"

namespace lockwood::dpn {
namespace {

// A head that has rules is known by the first of them.
std::optional<RuleId> first_rule(const Network& network, Head head) {
  const auto rules = network.rules_from(head);
  return rules.empty() ? std::nullopt : std::optional{rules.front()};
}

std::uint32_t word(std::size_t index) { return static_cast<std::uint32_t>(index); }

ReachableHeads nothing_reached(const Network& network, HeadPrecision precision) {
  return {.precision = precision,
          .rules = IdVector<RuleId, bool>(network.rules().size()),
          .tops = IdVector<StackSymbol, bool>(network.stack_symbols().size())};
}

// The least set of facts "a frame that was entered at head e can come to head h" and "… can return with control p":
// post* of a pushdown system, in which an entry stands for the automaton's state after a call. Threads do not influence
// each other without locks, so a spawned thread is a frame with no caller.
class Summaries {
 public:
  Summaries(const Network& network, std::size_t effort, StopToken stop)
      : network_{network},
        effort_{effort},
        stop_{stop},
        result_{nothing_reached(network, HeadPrecision::Exact)},
        entry_of_(network.rules().size()) {}

  // Nothing if the effort was not enough.
  [[nodiscard]] std::optional<ReachableHeads> compute() && {
    start(network_.initial());
    for (std::size_t fact = 0; fact < facts_.size() && effort_ > 0; ++fact) {
      stop_.check();
      const EntryId entry{facts_[fact][0]};
      const RuleId first{facts_[fact][1]};
      for (RuleId id : network_.rules_from(network_.rule(first).from)) {
        result_.rules[id] = true;
        use(entry, network_.rule(id));
      }
    }
    return effort_ > 0 ? std::optional{std::move(result_)} : std::nullopt;
  }

 private:
  using EntryId = Id<struct EntryTag>;
  struct Caller {
    EntryId entry;
    StackSymbol return_point;
  };
  struct EntryFacts {
    std::vector<Caller> callers;
    std::vector<ControlState> returns;
  };

  void spend() { effort_ -= effort_ > 0 ? 1 : 0; }

  void come_to(EntryId entry, Head head) {
    spend();
    result_.tops[head.top] = true;
    const auto first = first_rule(network_, head);
    if (first) facts_.intern(std::array{word(entry.index()), word(first->index())});
  }
  // The entry for frames that begin at the head; nothing if they cannot move.
  std::optional<EntryId> start(Head head) {
    result_.tops[head.top] = true;
    const auto first = first_rule(network_, head);
    if (!first) return std::nullopt;
    if (!entry_of_[*first]) {
      entry_of_[*first] = entries_.push_back({});
      come_to(*entry_of_[*first], head);
    }
    return entry_of_[*first];
  }

  void use(EntryId entry, const Rule& rule) {
    if (const auto to = step_of(rule)) {
      come_to(entry, *to);
    } else if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) {
      come_to(entry, spawn->parent);
      start(spawn->child);
    } else if (const auto* ret = std::get_if<Return>(&rule.effect)) {
      leave(entry, ret->to);
    } else if (const auto call = entry_of(rule)) {
      if (const auto callee = start(call->callee)) enter(*callee, {entry, call->return_point});
    }
  }
  void enter(EntryId callee, Caller caller) {
    const std::array key{word(callee.index()), word(caller.entry.index()), word(caller.return_point.index())};
    if (!callers_.intern(key).is_new) return;
    entries_[callee].callers.push_back(caller);
    for (ControlState control : entries_[callee].returns) come_to(caller.entry, {control, caller.return_point});
  }
  void leave(EntryId entry, ControlState control) {
    if (!returns_.intern(std::array{word(entry.index()), word(control.index())}).is_new) return;
    entries_[entry].returns.push_back(control);
    for (const Caller& caller : entries_[entry].callers) come_to(caller.entry, {control, caller.return_point});
  }

  const Network& network_;
  std::size_t effort_;
  StopToken stop_;
  ReachableHeads result_;
  IdVector<RuleId, std::optional<EntryId>> entry_of_;  // by the first rule of the entry's head
  IdVector<EntryId, EntryFacts> entries_;
  SequenceTable<> facts_;    // entry, first rule of the head: also the worklist
  SequenceTable<> callers_;  // callee, entry, return point
  SequenceTable<> returns_;  // entry, control
};

// Any return leads to any return point: reachable are the heads (p, γ) with some return to p and some return point γ.
class AnyReturns {
 public:
  AnyReturns(const Network& network, StopToken stop)
      : network_{network},
        stop_{stop},
        result_{nothing_reached(network, HeadPrecision::AnyReturns)},
        returned_(network.control_states().size()),
        return_points_(network.stack_symbols().size()),
        heads_of_(network.control_states().size()) {
    for (RuleId id : network.rules().keys()) {
      const Head head = network.rule(id).from;
      if (first_rule(network, head) == id) heads_of_[head.control].push_back(id);
    }
  }

  [[nodiscard]] ReachableHeads compute() && {
    come_to(network_.initial());
    while (!worklist_.empty()) {
      stop_.check();
      const RuleId first = worklist_.back();
      worklist_.pop_back();
      for (RuleId id : network_.rules_from(network_.rule(first).from)) {
        result_.rules[id] = true;
        use(network_.rule(id));
      }
    }
    return std::move(result_);
  }

 private:
  void come_to(Head head) {
    result_.tops[head.top] = true;
    const auto first = first_rule(network_, head);
    if (!first || result_.rules[*first]) return;
    result_.rules[*first] = true;
    worklist_.push_back(*first);
  }
  void use(const Rule& rule) {
    if (const auto to = step_of(rule)) {
      come_to(*to);
    } else if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) {
      come_to(spawn->parent);
      come_to(spawn->child);
    } else if (const auto* ret = std::get_if<Return>(&rule.effect)) {
      leave(ret->to);
    } else if (const auto call = entry_of(rule)) {
      come_to(call->callee);
      expect(call->return_point);
    }
  }
  void leave(ControlState control) {
    if (returned_[control]) return;
    returned_[control] = any_returned_ = true;
    for (StackSymbol point : expected_without_return_) result_.tops[point] = true;
    expected_without_return_.clear();
    for (RuleId first : heads_of_[control])
      if (return_points_[network_.rule(first).from.top]) come_to(network_.rule(first).from);
  }
  void expect(StackSymbol point) {
    if (return_points_[point]) return;
    return_points_[point] = true;
    if (any_returned_)
      result_.tops[point] = true;
    else
      expected_without_return_.push_back(point);
    for (RuleId id : network_.rules_at(point))
      if (returned_[network_.rule(id).from.control]) come_to(network_.rule(id).from);
  }

  const Network& network_;
  StopToken stop_;
  ReachableHeads result_;
  IdVector<ControlState, bool> returned_;
  bool any_returned_ = false;
  IdVector<StackSymbol, bool> return_points_;
  std::vector<StackSymbol> expected_without_return_;
  IdVector<ControlState, std::vector<RuleId>> heads_of_;  // first rules
  std::vector<RuleId> worklist_;
};

}  // namespace

ReachableHeads reachable_heads(const Network& network, std::size_t effort, StopToken stop) {
  if (auto exact = Summaries{network, effort, stop}.compute()) return std::move(*exact);
  return AnyReturns{network, stop}.compute();
}

}  // namespace lockwood::dpn
