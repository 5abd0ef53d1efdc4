#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "treeauto/automaton/shared_tree.hpp"
#include "treeauto/lazy/lazy.hpp"
#include "treeauto/lazy/lazy_exploration.hpp"

namespace lockwood::treeauto {

// A component of a product that is evaluated from the root down and left to right. Each node has a context, inherited
// from above, and an outcome, which is handed back to its parent. What may be at a node is a choice that the
// context offers; a choice determines the symbol. The context of a child may depend on the outcomes of the children
// before it: where a call returns to, say, is known only once its body has been evaluated. A deterministic top-down
// automaton offers one choice per symbol, and its outcomes say nothing. Contexts and outcomes are small regular
// values; choices are copyable.
//   alphabet()
//   each_root(sink)                            calls sink(context) for every context that the root may have
//   each_choice(context, sink)                 calls sink(choice)
//   symbol(choice)
//   child_context(context, choice, outcomes)   of the next child, given the outcomes of all before; nothing if there
//                                              cannot be one
//   each_outcome(context, choice, outcomes, sink)   given those of all children, calls sink(outcome)
//   accepts(outcome)                           at the root
template <class D>
concept DownwardComponent = std::copyable<typename D::Context> && std::equality_comparable<typename D::Context> &&
    std::copyable<typename D::Outcome> && std::equality_comparable<typename D::Outcome> &&
    std::copyable<typename D::Choice> &&
    requires(const D& down, const typename D::Context& context, const typename D::Choice& choice,
             const typename D::Outcome& outcome, std::span<const typename D::Outcome> outcomes) {
  { down.alphabet() } -> std::convertible_to<const Alphabet&>;
  { std::hash<typename D::Context>{}(context) } -> std::convertible_to<std::size_t>;
  { std::hash<typename D::Outcome>{}(outcome) } -> std::convertible_to<std::size_t>;
  down.each_root(AnySink{});
  down.each_choice(context, AnySink{});
  { down.symbol(choice) } -> std::convertible_to<Symbol>;
  { down.child_context(context, choice, outcomes) } -> std::convertible_to<std::optional<typename D::Context>>;
  down.each_outcome(context, choice, outcomes, AnySink{});
  { down.accepts(outcome) } -> std::convertible_to<bool>;
};

// An explicit automaton, evaluated from the root: contexts are states, choices transitions.
class DownwardView {
 public:
  using Context = State;
  using Choice = TransitionId;
  struct Outcome {
    friend bool operator==(Outcome, Outcome) = default;
  };
  explicit DownwardView(Automaton automaton) : automaton_{std::move(automaton)} {}
  [[nodiscard]] const Alphabet& alphabet() const { return automaton_.alphabet(); }
  template <class Sink>
  void each_root(Sink&& sink) const {
    for (State state : automaton_.final_states()) sink(state);
  }
  template <class Sink>
  void each_choice(State state, Sink&& sink) const {
    for (TransitionId id : automaton_.transitions_to(state)) sink(id);
  }
  [[nodiscard]] Symbol symbol(TransitionId id) const { return automaton_.symbol(id); }
  [[nodiscard]] std::optional<State> child_context(State, TransitionId id, std::span<const Outcome> outcomes) const {
    return automaton_.children(id)[outcomes.size()];
  }
  template <class Sink>
  void each_outcome(State, TransitionId, std::span<const Outcome>, Sink&& sink) const {
    sink(Outcome{});
  }
  [[nodiscard]] bool accepts(Outcome) const { return true; }

 private:
  Automaton automaton_;
};

}  // namespace lockwood::treeauto

template <>
struct std::hash<lockwood::treeauto::DownwardView::Outcome> {
  std::size_t operator()(lockwood::treeauto::DownwardView::Outcome) const noexcept { return 0; }
};

namespace lockwood::treeauto {

// Searches the product of a component evaluated downwards and an automaton evaluated upwards for a tree, exploring
// only what both allow [nordhoff.13.iterable, Sect. 3.2.2]: contexts are discovered from the roots, and facts (an
// outcome and a state of the automaton) are made from the leaves, only for discovered contexts. Of the facts with the
// same context and outcome only those are kept whose states no other subsumes, if the automaton has an order.
template <DownwardComponent Down, LazyAutomaton Up>
class TwoWaySearch {
 public:
  using Context = typename Down::Context;
  using Choice = typename Down::Choice;
  using Outcome = typename Down::Outcome;
  using UpState = typename Up::State;

  TwoWaySearch(const Down& down, const Up& up, Superseded superseded, StopToken stop)
      : down_{down}, up_{up}, superseded_{superseded}, stop_{stop}, match_{matched(down.alphabet(), up.alphabet())} {}

  // A tree that both accept, the smallest if superseded facts are kept; nothing if there is none.
  [[nodiscard]] std::optional<SharedTree> run() {
    down_.each_root([&](const Context& context) { tables_[discovered(context)].is_root = true; });
    while (true) {
      stop_.check();
      if (!starts_.empty()) {
        extend();
      } else if (!queue_.empty()) {
        const FactId next{queue_.top().second};
        queue_.pop();
        if (settle(next)) return tree_of(next);
      } else {
        return std::nullopt;
      }
    }
  }

  // How much was explored.
  [[nodiscard]] std::size_t context_count() const { return tables_.size(); }
  [[nodiscard]] std::size_t fact_count() const { return facts_.size(); }

 private:
  using ContextId = Id<struct TwoWayContextTag>;
  using FactId = Id<struct TwoWayFactTag>;
  using PartId = Id<struct TwoWayPartTag>;

  // A tree in some context.
  struct Fact {
    ContextId context;
    Outcome outcome;
    UpState state;
    Symbol symbol;
    std::size_t children_begin;  // in fact_children_
    std::size_t rank;
    std::uint64_t size;
    bool is_retired = false;  // one was settled that subsumes it
  };
  // A node whose first children have facts; it waits for facts in the context of the next.
  struct Part {
    ContextId context;  // of the node
    Choice choice;
    std::optional<PartId> before;  // the part with one child less
    std::optional<FactId> last;    // its last child
    std::size_t children;
  };
  struct Table {
    Context context;
    bool is_root = false;
    std::vector<PartId> waiting;
    std::unordered_map<Outcome, SettledFacts<Up, FactId>> settled;
    std::vector<FactId> in_order;  // of all outcomes, oldest first
    std::size_t retired = 0;       // how many of these are: at most half
  };
  // To be done, before any other fact is settled: join a part with all facts that its next child may have.
  struct Start {
    PartId part;
    ContextId next;
    std::size_t joined;  // how many of them it was joined with
  };

  ContextId discovered(const Context& context) {
    const auto [place, is_new] = numbers_.try_emplace(context, ContextId{tables_.size()});
    if (!is_new) return place->second;
    const ContextId added = tables_.push_back({context, false, {}, {}, {}, 0});
    down_.each_choice(context, [&](const Choice& choice) {
      if (match_[down_.symbol(choice)]) begun_.push_back({added, choice, std::nullopt, std::nullopt, 0});
    });
    // Parts are made in turn, not here: discovering contexts below may go as deep as there are contexts.
    if (!is_beginning_) begin_parts();
    return added;
  }
  void begin_parts() {
    is_beginning_ = true;
    while (!begun_.empty()) {
      stop_.check();
      Part part = std::move(begun_.back());
      begun_.pop_back();
      take(std::move(part));
    }
    is_beginning_ = false;
  }

  // A part with all its children makes facts; another waits for its next child.
  void take(Part part) {
    collect_children(part);
    const std::size_t rank = down_.alphabet().rank(down_.symbol(part.choice));
    assert(part.children <= rank && outcomes_.size() == part.children);
    const Context context = tables_[part.context].context;
    if (part.children == rank) {
      complete(part, context);
      return;
    }
    assert(match_[down_.symbol(part.choice)]);
    const std::optional<Context> next = down_.child_context(context, part.choice, std::span<const Outcome>{outcomes_});
    if (!next) return;
    const PartId id = parts_.push_back(std::move(part));
    const ContextId next_id = discovered(*next);
    tables_[next_id].waiting.push_back(id);
    if (!tables_[next_id].in_order.empty()) starts_.push_back({id, next_id, 0});
  }

  void collect_children(const Part& part) {
    children_.clear();
    outcomes_.clear();
    const Part* at = &part;
    for (std::size_t left = part.children; left > 0; --left) {
      assert(at->last && at->children == left);
      children_.push_back(*at->last);
      if (left > 1) at = &parts_[*at->before];
    }
    std::ranges::reverse(children_);
    for (FactId child : children_) outcomes_.push_back(facts_[child].outcome);
  }

  void complete(const Part& part, const Context& context) {
    const Symbol symbol = down_.symbol(part.choice);
    std::vector<UpState> states;
    std::uint64_t size = 1;
    for (FactId child : children_) {
      states.push_back(facts_[child].state);
      size = saturating_sum(size, facts_[child].size);
    }
    std::vector<UpState> targets;
    up_.each_target(*match_[symbol], std::span<const UpState>{states},
                    [&](const UpState& target) { targets.push_back(target); });
    if (targets.empty()) return;
    down_.each_outcome(context, part.choice, std::span<const Outcome>{outcomes_}, [&](const Outcome& outcome) {
      for (const UpState& target : targets) {
        if (is_covered(part.context, outcome, target)) continue;
        const FactId id =
            facts_.push_back({part.context, outcome, target, symbol, fact_children_.size(), children_.size(), size});
        fact_children_.insert(fact_children_.end(), children_.begin(), children_.end());
        queue_.push({size, id.index()});
      }
    });
  }

  [[nodiscard]] bool is_covered(ContextId context, const Outcome& outcome, const UpState& state) const {
    const auto& settled = tables_[context].settled;
    const auto found = settled.find(outcome);
    return found != settled.end() && found->second.cover(up_, state, state_of());
  }
  [[nodiscard]] auto state_of() const {
    return [this](FactId id) -> const UpState& { return facts_[id].state; };
  }

  // Makes a fact known to the parts that wait for it. True if its tree is accepted.
  bool settle(FactId id) {
    const Fact fact = facts_[id];
    if (is_covered(fact.context, fact.outcome, fact.state)) return false;
    if (tables_[fact.context].is_root && down_.accepts(fact.outcome) && up_.is_final(fact.state)) return true;
    Table& table = tables_[fact.context];
    for (FactId retired : table.settled[fact.outcome].settle(up_, id, superseded_, state_of())) {
      assert(!facts_[retired].is_retired && facts_[retired].context == fact.context);
      facts_[retired].is_retired = true;
      ++table.retired;
    }
    if (2 * table.retired > table.in_order.size()) {
      std::erase_if(table.in_order, [&](FactId each) { return facts_[each].is_retired; });
      table.retired = 0;
    }
    table.in_order.push_back(id);
    // Parts that begin to wait from now on find the fact in the table; by index, as taking parts may move tables.
    const std::size_t waiting = tables_[fact.context].waiting.size();
    for (std::size_t i = 0; i < waiting; ++i) {
      stop_.check();
      join(tables_[fact.context].waiting[i], id);
    }
    return false;
  }

  void join(PartId waiting, FactId child) {
    const Part& part = parts_[waiting];
    assert(!facts_[child].is_retired);
    take({part.context, part.choice, waiting, child, part.children + 1});
  }

  // One step of the joins that are to be done.
  void extend() {
    Start& start = starts_.back();
    assert(start.joined <= tables_[start.next].in_order.size());
    if (start.joined == tables_[start.next].in_order.size()) {
      starts_.pop_back();
      return;
    }
    const FactId child = tables_[start.next].in_order[start.joined++];
    if (!facts_[child].is_retired) join(start.part, child);
  }

  [[nodiscard]] SharedTree tree_of(FactId root) const {
    return tree_below(
        down_.alphabet(), root.index(), [&](std::size_t fact) { return facts_[FactId{fact}].symbol; },
        [&](std::size_t number, auto&& sink) {
          const Fact& fact = facts_[FactId{number}];
          for (FactId child : std::span{fact_children_}.subspan(fact.children_begin, fact.rank)) sink(child.index());
        });
  }

  const Down& down_;
  const Up& up_;
  Superseded superseded_;
  StopToken stop_;
  IdVector<Symbol, std::optional<Symbol>> match_;
  std::unordered_map<Context, ContextId> numbers_;
  IdVector<ContextId, Table> tables_;
  IdVector<FactId, Fact> facts_;
  std::vector<FactId> fact_children_;
  IdVector<PartId, Part> parts_;
  std::vector<Part> begun_;
  bool is_beginning_ = false;
  std::vector<Start> starts_;
  using Entry = std::pair<std::uint64_t, std::size_t>;  // size of the tree, number of the fact
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::vector<FactId> children_;
  std::vector<Outcome> outcomes_;
};

// A smallest tree that both accept; nothing if there is none.
template <DownwardComponent Down, LazyAutomaton Up>
[[nodiscard]] std::optional<SharedTree> smallest_common_tree(const Down& down, const Up& up, StopToken stop = {}) {
  return TwoWaySearch<Down, Up>{down, up, Superseded::Kept, stop}.run();
}

// Some tree that both accept, not always a smallest one; nothing if there is none. Keeps antichains only, if the
// automaton has an order.
template <DownwardComponent Down, LazyAutomaton Up>
[[nodiscard]] std::optional<SharedTree> some_common_tree(const Down& down, const Up& up, StopToken stop = {}) {
  return TwoWaySearch<Down, Up>{down, up, Superseded::Retired, stop}.run();
}

}  // namespace lockwood::treeauto
