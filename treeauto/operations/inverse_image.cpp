#include "treeauto/operations/inverse_image.hpp"

#include <array>
#include <cassert>
#include <optional>
#include <variant>

#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/automaton/word.hpp"
#include "treeauto/lazy/lazy_exploration.hpp"

namespace lockwood::treeauto {
namespace {

// How the nodes of a term hang together, by their places in preorder.
struct TermShape {
  struct Parent {
    std::uint32_t node;
    std::uint32_t position;
  };
  std::vector<std::vector<std::uint32_t>> children;
  std::vector<std::optional<Parent>> parents;
};

TermShape shape_of(const Term& term, const Alphabet& alphabet) {
  TermShape shape;
  shape.children.resize(term.size());
  shape.parents.resize(term.size());
  std::vector<std::uint32_t> open;  // nodes with children still to come
  for (std::uint32_t node = 0; node < term.size(); ++node) {
    if (!open.empty()) {
      shape.parents[node] = {open.back(), word(shape.children[open.back()].size())};
      shape.children[open.back()].push_back(node);
    }
    if (std::holds_alternative<Symbol>(term.nodes()[node])) open.push_back(node);
    while (!open.empty() &&
           shape.children[open.back()].size() == alphabet.rank(std::get<Symbol>(term.nodes()[open.back()])))
      open.pop_back();
    assert(node == 0 || shape.parents[node]);
  }
  assert(open.empty());  // as many subterms as the ranks say
  return shape;
}

// In which order states are given to the nodes of a term, so that each choice is made among few: from a variable whose
// state is known upwards to the root, and from there downwards into the other branches.
enum class StepKind {
  Start,  // a transition with the symbol of the root: nothing is known yet
  Up,     // a transition with the known state of a child at its position
  Down,   // a transition to the known state of the node
  Check,  // a variable whose state is known: is there such an output?
};
struct Step {
  StepKind kind;
  std::uint32_t node;
  std::uint32_t from = 0;  // Up: the child whose state is known
};

std::vector<Step> plan(const Term& term, const TermShape& shape, std::optional<std::uint32_t> known) {
  std::vector<Step> steps;
  std::vector<std::uint32_t> pending;  // inner nodes whose state will be known
  const auto enter = [&](std::uint32_t node, std::optional<std::uint32_t> except) {
    for (std::uint32_t child : shape.children[node]) {
      if (child == except) continue;
      if (std::holds_alternative<Variable>(term.nodes()[child])) {
        steps.push_back({StepKind::Check, child});
      } else {
        pending.push_back(child);
      }
    }
  };
  if (known) {
    std::uint32_t node = *known;
    while (const auto parent = shape.parents[node]) {
      steps.push_back({StepKind::Up, parent->node, node});
      enter(parent->node, node);
      node = parent->node;
    }
  } else {
    steps.push_back({StepKind::Start, 0});
    enter(0, std::nullopt);
  }
  while (!pending.empty()) {
    const std::uint32_t node = pending.back();
    pending.pop_back();
    steps.push_back({StepKind::Down, node});
    enter(node, std::nullopt);
  }
  // Each inner node gets its transition in one step.
  assert(
      std::ranges::count_if(steps, [](const Step& step) { return step.kind != StepKind::Check; }) ==
      std::ranges::count_if(term.nodes(), [](const Term::Node& node) { return std::holds_alternative<Symbol>(node); }));
  return steps;
}

// The inverse image under a linear transducer. A state of the result is a pair (q, p): on some input the transducer
// reaches q with an output that the automaton labels p. Where a rule deletes an output, it does not matter what the
// automaton says of it, so there the state is (q, none). Those are found first. Then a worklist puts every new pair at
// every place of a rule where it fits, and searches for runs of the automaton on the rule's output (see plan).
class InverseImageBuilder {
 public:
  InverseImageBuilder(const Transducer& transducer, const Automaton& automaton)
      : transducer_{transducer},
        automaton_{with_alphabet(automaton, transducer.output())},
        builder_{transducer.input()} {}

  Automaton build(StopToken stop) {
    add_untracked(stop);
    prepare_rules();
    const std::uint32_t first_tracked = word(pairs_.size());
    for (const Prepared& rule : prepared_)
      if (rule.is_ground) search(rule, std::nullopt, stop);
    for (std::uint32_t next = first_tracked; next < pairs_.size(); ++next) {
      stop.check_states(pairs_.size());
      const TransducerState state{pairs_[next][0]};
      for (const Use& use : uses_[state]) search(prepared_[use.rule], Newest{next, use.plan}, stop);
    }
    return std::move(builder_).build();
  }

 private:
  struct Plan {
    std::uint32_t position;  // of the child whose state is known
    std::uint32_t node;      // its variable
    std::vector<Step> steps;
  };
  struct Prepared {
    const Transducer::Rule* rule;
    TermShape shape;                  // of the output
    bool is_ground;                   // no variable in the output
    std::vector<bool> is_deleted;     // by child
    std::vector<std::uint32_t> node;  // by child: where its variable is in the output
    std::vector<Plan> plans;
  };
  struct Use {
    std::size_t rule;
    std::size_t plan;
  };
  struct Newest {
    std::uint32_t pair;
    std::size_t plan;
  };
  struct Range {
    std::size_t next;
    std::size_t end;
  };

  // A pair is the state of the result with the same number.
  std::uint32_t pair(TransducerState first, std::uint32_t second) {
    const auto [number, is_new] = pairs_.intern(std::array{word(first.index()), second});
    if (is_new) {
      const bool is_final =
          second != untracked && transducer_.is_final(first) && automaton_.is_final(State{std::size_t{second} - 1});
      builder_.set_final(builder_.add_state(), is_final);
    }
    assert(builder_.state_count() == pairs_.size());
    return number;
  }
  [[nodiscard]] std::optional<std::uint32_t> found(TransducerState first, std::uint32_t second) const {
    return pairs_.find(std::array{word(first.index()), second});
  }
  static std::uint32_t tracked(State state) { return word(state.index() + 1); }

  // States that stand where an output is deleted, and all below them.
  IdVector<TransducerState, bool> needed_untracked() const {
    IdVector<TransducerState, bool> needed(transducer_.state_count());
    IdVector<TransducerState, std::vector<TransducerRule>> rules_to(transducer_.state_count());
    std::vector<TransducerState> worklist;
    const auto need = [&](TransducerState state) {
      if (needed[state]) return;
      needed[state] = true;
      worklist.push_back(state);
    };
    for (TransducerRule id : transducer_.rules().keys()) {
      const Transducer::Rule& rule = transducer_.rules()[id];
      rules_to[rule.target].push_back(id);
      const auto counts = variable_counts(rule.output, rule.children.size());
      for (std::size_t child = 0; child < counts.size(); ++child)
        if (counts[child] == 0) need(rule.children[child]);
    }
    while (!worklist.empty()) {
      const TransducerState state = worklist.back();
      worklist.pop_back();
      for (TransducerRule id : rules_to[state])
        for (TransducerState child : transducer_.rules()[id].children) need(child);
    }
    return needed;
  }

  void add_untracked(StopToken stop) {
    const auto needed = needed_untracked();
    IdVector<TransducerState, std::vector<TransducerRule>> waiting(transducer_.state_count());
    IdVector<TransducerRule, std::size_t> missing(transducer_.rules().size());  // children not yet accessible
    const auto fire = [&](const Transducer::Rule& rule) {
      children_.clear();
      for (TransducerState child : rule.children) children_.emplace_back(pair(child, untracked));
      builder_.add(rule.symbol, children_, State{pair(rule.target, untracked)});
    };
    for (TransducerRule id : transducer_.rules().keys()) {
      const Transducer::Rule& rule = transducer_.rules()[id];
      if (!needed[rule.target]) continue;
      missing[id] = rule.children.size();
      for (TransducerState child : rule.children) waiting[child].push_back(id);
      if (rule.children.empty()) fire(rule);
    }
    for (std::uint32_t next = 0; next < pairs_.size(); ++next) {
      stop.check();
      for (TransducerRule id : waiting[TransducerState{pairs_[next][0]}]) {
        assert(missing[id] > 0);
        if (--missing[id] == 0) fire(transducer_.rules()[id]);
      }
    }
  }

  // Plans for the rules whose deleted children can be reached.
  void prepare_rules() {
    uses_.resize(transducer_.state_count());
    for (const Transducer::Rule& rule : transducer_.rules()) {
      Prepared prepared{&rule,
                        shape_of(rule.output, transducer_.output()),
                        true,
                        std::vector<bool>(rule.children.size(), true),
                        std::vector<std::uint32_t>(rule.children.size()),
                        {}};
      for (std::uint32_t node = 0; node < rule.output.size(); ++node)
        if (const Variable* variable = std::get_if<Variable>(&rule.output.nodes()[node])) {
          prepared.is_ground = false;
          prepared.is_deleted[variable->index()] = false;
          prepared.node[variable->index()] = node;
        }
      bool possible = true;
      for (std::size_t child = 0; child < rule.children.size(); ++child)
        possible = possible && (!prepared.is_deleted[child] || found(rule.children[child], untracked));
      if (!possible) continue;
      if (prepared.is_ground) prepared.plans.push_back({0, 0, plan(rule.output, prepared.shape, std::nullopt)});
      for (std::size_t child = 0; child < rule.children.size(); ++child) {
        if (prepared.is_deleted[child]) continue;
        uses_[rule.children[child]].push_back({prepared_.size(), prepared.plans.size()});
        prepared.plans.push_back(
            {word(child), prepared.node[child], plan(rule.output, prepared.shape, prepared.node[child])});
      }
      prepared_.push_back(std::move(prepared));
    }
  }

  // All runs on the rule's output over pairs found so far in which the newest is at the plan's place; at places
  // before that one only older ones, so that each combination is met once. Backtracking over the steps of the plan.
  void search(const Prepared& prepared, std::optional<Newest> newest, StopToken stop) {
    const Plan& plan = prepared.plans[newest ? newest->plan : 0];
    states_.assign(prepared.rule->output.size(), State{0});
    if (newest) states_[plan.node] = State{std::size_t{pairs_[newest->pair][1]} - 1};
    if (plan.steps.empty()) return emit(prepared);
    choices_.assign(1, choices(prepared, plan, plan.steps[0], newest));
    while (!choices_.empty()) {
      if (choices_.back().next == choices_.back().end) {
        choices_.pop_back();
        continue;
      }
      stop.check();
      if (!choose(prepared, plan.steps[choices_.size() - 1], choices_.back().next++)) continue;
      if (choices_.size() == plan.steps.size()) {
        emit(prepared);
      } else {
        choices_.push_back(choices(prepared, plan, plan.steps[choices_.size()], newest));
      }
    }
  }

  // The numbers of the choices that a step has, given the states chosen so far.
  [[nodiscard]] Range choices(const Prepared& prepared, const Plan& plan, const Step& step,
                              std::optional<Newest> newest) const {
    const Transducer::Rule& rule = *prepared.rule;
    if (step.kind == StepKind::Check) {
      assert(newest);  // a term with a variable is searched from one of them
      const std::size_t child = std::get<Variable>(rule.output.nodes()[step.node]).index();
      const auto other = found(rule.children[child], tracked(states_[step.node]));
      const bool fits = other && (child < plan.position ? *other < newest->pair : *other <= newest->pair);
      return {0, fits ? 1U : 0U};
    }
    const Symbol symbol = std::get<Symbol>(rule.output.nodes()[step.node]);
    if (step.kind == StepKind::Start) {
      const auto all = automaton_.transitions_of(symbol);
      return {(*all.begin()).index(), (*all.end()).index()};
    }
    const auto range_of = [&](auto all, auto&& transition_of) {
      const auto symbol_of = [&](const auto& item) { return automaton_.symbol(transition_of(item)); };
      return Range{static_cast<std::size_t>(std::ranges::lower_bound(all, symbol, {}, symbol_of) - all.begin()),
                   static_cast<std::size_t>(std::ranges::upper_bound(all, symbol, {}, symbol_of) - all.begin())};
    };
    if (step.kind == StepKind::Up)
      return range_of(automaton_.occurrences(states_[step.from]),
                      [](const Occurrence& occurrence) { return occurrence.transition; });
    return range_of(automaton_.transitions_to(states_[step.node]), [](TransitionId id) { return id; });
  }

  // Takes a choice of a step: gives states to its node and the nodes below. False if it does not fit.
  bool choose(const Prepared& prepared, const Step& step, std::size_t choice) {
    if (step.kind == StepKind::Check) return true;
    TransitionId id{choice};
    if (step.kind == StepKind::Up) {
      const Occurrence& occurrence = automaton_.occurrences(states_[step.from])[choice];
      if (occurrence.position != prepared.shape.parents[step.from]->position) return false;
      id = occurrence.transition;
    } else if (step.kind == StepKind::Down) {
      id = automaton_.transitions_to(states_[step.node])[choice];
    }
    assert(automaton_.symbol(id) == std::get<Symbol>(prepared.rule->output.nodes()[step.node]));
    assert(step.kind != StepKind::Down || automaton_.target(id) == states_[step.node]);
    states_[step.node] = automaton_.target(id);
    for (std::size_t place = 0; place < automaton_.children(id).size(); ++place)
      states_[prepared.shape.children[step.node][place]] = automaton_.children(id)[place];
    return true;
  }

  // A transition of the result: all nodes of the rule's output have their states.
  void emit(const Prepared& prepared) {
    const Transducer::Rule& rule = *prepared.rule;
    children_.clear();
    for (std::size_t child = 0; child < rule.children.size(); ++child)
      children_.emplace_back(
          pair(rule.children[child], prepared.is_deleted[child] ? untracked : tracked(states_[prepared.node[child]])));
    builder_.add(rule.symbol, children_, State{pair(rule.target, tracked(states_[0]))});
  }

  const Transducer& transducer_;
  Automaton automaton_;
  AutomatonBuilder builder_;
  SequenceTable<> pairs_;  // (state of the transducer, 1 + state of the automaton or `untracked`)
  static constexpr std::uint32_t untracked = 0;
  std::vector<Prepared> prepared_;
  IdVector<TransducerState, std::vector<Use>> uses_;
  std::vector<State> states_;   // chosen, by node of the output
  std::vector<Range> choices_;  // by step, those still to be tried
  std::vector<State> children_;
};

}  // namespace

Automaton inverse_image(const Transducer& transducer, const Automaton& automaton, StopToken stop) {
  if (is_linear(transducer)) return InverseImageBuilder{transducer, automaton}.build(stop);
  return materialised(LazyInverseImage{transducer, automaton}, stop);
}

LazyInverseImage::LazyInverseImage(const Transducer& transducer, const Automaton& automaton)
    : tables_{std::make_shared<Tables>(Tables{transducer,
                                              with_alphabet(automaton, transducer.output()),
                                              IdVector<Symbol, std::vector<TransducerRule>>(transducer.input().size()),
                                              {}})} {
  for (TransducerRule id : transducer.rules().keys()) tables_->rules_of[transducer.rules()[id].symbol].push_back(id);
}

bool LazyInverseImage::is_final(const State& state) const {
  return tables_->transducer.is_final(state.first) && std::ranges::any_of(tables_->sets[state.second], [&](auto index) {
           return tables_->automaton.is_final(treeauto::State{index});
         });
}

std::uint32_t LazyInverseImage::reached(const Term& output, std::span<const std::uint32_t> sets) const {
  const Automaton& automaton = tables_->automaton;
  return evaluated<std::uint32_t>(output, tables_->transducer.output(), sets,
                                  [&](Symbol symbol, std::span<const std::uint32_t> below) {
                                    std::vector<std::uint32_t> targets;
                                    for (TransitionId id : automaton.transitions_of(symbol)) {
                                      const auto fits = [&](treeauto::State child, std::uint32_t set) {
                                        return std::ranges::binary_search(tables_->sets[set], word(child.index()));
                                      };
                                      if (std::ranges::equal(automaton.children(id), below, fits))
                                        targets.push_back(word(automaton.target(id).index()));
                                    }
                                    std::ranges::sort(targets);
                                    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
                                    return tables_->sets.intern(targets).number;
                                  });
}

}  // namespace lockwood::treeauto
