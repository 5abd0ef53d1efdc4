#include "solver/construction/network_trees.hpp"

#include <cassert>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "solver/construction/lock_graph.hpp"
#include "treeauto/automaton/automaton_builder.hpp"

namespace lockwood::solver::reference {
namespace {

using dpn::Head;
using dpn::NodeKind;
using dpn::Reentrance;
using dpn::RuleId;
using treeauto::State;
using treeauto::Symbol;

using ContextId = Id<struct TreeContextTag>;

// Where a subtree begins, and with which locks held: (p, γ, L) of a state.
struct Context {
  Head head;
  Locks held;
  friend auto operator<=>(const Context&, const Context&) = default;
};

// How its own thread ends: (p', t) of a state.
struct End {
  dpn::ControlState control;
  bool returned;
  friend auto operator<=>(const End&, const End&) = default;
};

class Construction {
 public:
  Construction(const dpn::TreeAlphabet& alphabet, CutNodes cuts, StopToken stop)
      : alphabet_{alphabet}, network_{alphabet.network()}, cuts_{cuts}, stop_{stop}, builder_{alphabet.symbols()} {}

  treeauto::Automaton automaton() && {
    builder_.set_name("network");
    const ContextId root = demand({network_.initial(), {}});
    while (!contexts_to_expand_.empty() || !deliveries_.empty()) {
      stop_.check();
      if (!contexts_to_expand_.empty()) {
        const ContextId context = contexts_to_expand_.front();
        contexts_to_expand_.pop_front();
        expand(context);
      } else {
        const Delivery delivery = deliveries_.front();
        deliveries_.pop_front();
        receive(delivery.user, delivery.state);
      }
    }
    for (State state : states_[root]) builder_.set_final(state);
    return std::move(builder_).build();
  }

 private:
  // A place for the states of a context below some node.
  struct User {
    enum class Position : std::uint8_t { OnlyChild, Body, Rest, NewThread, Parent };
    Position place;
    ContextId context;     // of the node
    dpn::NodeLabel label;  // of the node; at Body, of the call that has not returned
    std::optional<State> body = {};
    std::optional<ContextId> sibling = {};
  };
  struct Delivery {
    User user;
    State state;
  };
  struct Meaning {
    ContextId context;
    End end;
  };

  ContextId demand(const Context& context) {
    const auto [at, inserted] = numbers_.try_emplace(context, ContextId{contexts_.size()});
    if (inserted) {
      contexts_.push_back(context);
      states_.push_back({});
      users_.push_back({});
      contexts_to_expand_.push_back(at->second);
    }
    return at->second;
  }

  void expand(ContextId id) {
    const Context context = contexts_[id];
    add({NodeKind::Nil, context.head}, {}, id, {context.head.control, false});
    if (cuts_ == CutNodes::With) {
      const dpn::NodeLabel cut{NodeKind::Cut, context.head};
      use(id, {User::Position::OnlyChild, id, cut});
    }
    for (RuleId rule : network_.rules_from(context.head)) expand(id, context, rule);
  }

  void expand(ContextId id, const Context& context, RuleId rule) {
    const dpn::Effect& effect = network_.rule(rule).effect;
    if (const auto* ret = std::get_if<dpn::Return>(&effect)) {
      add({NodeKind::Ret, rule}, {}, id, {ret->to, true});
    } else if (const auto to = dpn::step_of(network_.rule(rule))) {
      const dpn::NodeLabel label{kind_of_step(effect), rule};
      use(demand({*to, context.held}), {User::Position::OnlyChild, id, label});
    } else if (const auto* spawn = std::get_if<dpn::Spawn>(&effect)) {
      const ContextId child = demand({spawn->child, {}});
      const ContextId parent = demand({spawn->parent, context.held});
      const dpn::NodeLabel label{NodeKind::Spawn, rule};
      use(child, {.place = User::Position::NewThread, .context = id, .label = label, .sibling = parent});
      use(parent, {.place = User::Position::Parent, .context = id, .label = label, .sibling = child});
    } else {
      const dpn::Entry entry = *dpn::entry_of(network_.rule(rule));
      dpn::NodeLabel label{NodeKind::NCall, rule};
      Locks held = context.held;
      if (entry.lock) {
        const bool taken = held.insert(*entry.lock).second;
        label = {NodeKind::Acq, rule, taken ? Reentrance::No : Reentrance::Yes};
      }
      use(demand({entry.callee, held}), {User::Position::Body, id, label});
    }
  }

  // Whom a join waits for is not looked at here.
  [[nodiscard]] static NodeKind kind_of_step(const dpn::Effect& effect) {
    if (std::holds_alternative<dpn::Join>(effect)) return NodeKind::Join;
    return std::holds_alternative<dpn::Forget>(effect) ? NodeKind::Forget : NodeKind::Base;
  }

  // The user gets the states that the context has, and all that will come.
  void use(ContextId of, const User& user) {
    users_[of].push_back(user);
    for (State state : states_[of]) deliveries_.push_back({user, state});
  }

  void receive(const User& user, State state) {
    const End end = meanings_[state].end;
    switch (user.place) {
      case User::Position::OnlyChild: return add(user.label, {state}, user.context, end);
      case User::Position::Body:
        return end.returned ? await_rest(user, state) : add(user.label, {state}, user.context, end);
      case User::Position::Rest: return add(user.label, {*user.body, state}, user.context, end);
      case User::Position::NewThread:
        for (State parent : std::vector{states_[*user.sibling]})
          add(user.label, {state, parent}, user.context, meanings_[parent].end);
        return;
      case User::Position::Parent:
        for (State child : std::vector{states_[*user.sibling]}) add(user.label, {child, state}, user.context, end);
        return;
    }
  }

  void await_rest(const User& user, State body) {
    assert(meanings_[body].end.returned);
    const RuleId rule = std::get<RuleId>(user.label.what);
    dpn::NodeLabel label = user.label;
    label.kind = label.kind == NodeKind::NCall ? NodeKind::RCall : NodeKind::Use;
    const Head rest{meanings_[body].end.control, dpn::entry_of(network_.rule(rule))->return_point};
    use(demand({rest, contexts_[user.context].held}),
        {.place = User::Position::Rest, .context = user.context, .label = label, .body = body});
  }

  void add(const dpn::NodeLabel& label, std::initializer_list<State> children, ContextId context, End end) {
    builder_.add(alphabet_.symbol(label), children, state_of(context, end));
  }

  State state_of(ContextId context, End end) {
    const auto [at, inserted] = state_numbers_.try_emplace({context, end}, State{meanings_.size()});
    if (inserted) {
      assert(context.index() < contexts_.size());
      builder_.state(name_of(contexts_[context], end));
      meanings_.push_back({context, end});
      states_[context].push_back(at->second);
      for (const User& user : users_[context]) deliveries_.push_back({user, at->second});
    }
    return at->second;
  }

  // `p.g+x+y/p1`, ended by `!` if the subtree ends with a return.
  [[nodiscard]] std::string name_of(const Context& context, End end) const {
    const auto safe = [](std::string name) {
      for (char& letter : name)
        if (std::string_view{" \t\r\n(),:/>"}.find(letter) != std::string_view::npos) letter = '_';
      return name;
    };
    std::string name = safe(std::string{network_.control_states().name(context.head.control)}) + "." +
                       safe(std::string{network_.stack_symbols().name(context.head.top)});
    for (dpn::Lock lock : context.held) name += "+" + safe(std::string{network_.locks().name(lock)});
    name += "/" + safe(std::string{network_.control_states().name(end.control)}) + (end.returned ? "!" : "");
    while (builder_.find_state(name)) name += "'";
    return name;
  }

  const dpn::TreeAlphabet& alphabet_;
  const dpn::Network& network_;
  CutNodes cuts_;
  StopToken stop_;
  treeauto::AutomatonBuilder builder_;
  IdVector<ContextId, Context> contexts_;
  std::map<Context, ContextId> numbers_;
  IdVector<ContextId, std::vector<State>> states_;
  IdVector<ContextId, std::vector<User>> users_;
  IdVector<State, Meaning> meanings_;
  std::map<std::pair<ContextId, End>, State> state_numbers_;
  std::deque<ContextId> contexts_to_expand_;
  std::deque<Delivery> deliveries_;
};

}  // namespace

treeauto::Automaton network_trees(const dpn::TreeAlphabet& alphabet, CutNodes cuts, StopToken stop) {
  return Construction{alphabet, cuts, stop}.automaton();
}

}  // namespace lockwood::solver::reference
