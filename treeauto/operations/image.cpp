#include "treeauto/operations/image.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <set>
#include <utility>

#include "base/ids/sequence_table.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/automaton/word.hpp"
#include "treeauto/operations/epsilon.hpp"

namespace lockwood::treeauto {
namespace {

// Trees over the output alphabet in which equal subtrees are one: (symbol, children), children before their parents.
class OutputTrees {
 public:
  explicit OutputTrees(const Alphabet& alphabet) : alphabet_{alphabet} {}

  std::uint32_t add(Symbol symbol, std::span<const std::uint32_t> children) {
    key_.assign(1, word(symbol.index()));
    key_.insert(key_.end(), children.begin(), children.end());
    return nodes_.intern(key_).number;
  }
  [[nodiscard]] SharedTree shared(std::uint32_t root) const {
    return tree_below(
        alphabet_, root, [&](std::size_t node) { return Symbol{nodes_[node][0]}; },
        [&](std::size_t node, auto&& sink) {
          for (std::uint32_t child : nodes_[node].subspan(1)) sink(child);
        });
  }

 private:
  const Alphabet& alphabet_;
  SequenceTable<> nodes_;
  std::vector<std::uint32_t> key_;
};

// The next choice of one item per place, as a number with one digit per place is counted up; false after the last.
bool advance(std::vector<std::size_t>& chosen, const std::vector<std::size_t>& choices) {
  assert(chosen.size() == choices.size());
  for (std::size_t place = 0; place < chosen.size(); ++place) {
    if (++chosen[place] < choices[place]) return true;
    chosen[place] = 0;
  }
  return false;
}

}  // namespace

std::vector<Tree> images(const Transducer& transducer, const Tree& tree, std::uint64_t limit, StopToken stop) {
  using Outputs = std::set<std::pair<TransducerState, std::uint32_t>>;  // states reached, with what was put out
  const Tree input = with_alphabet(tree, transducer.input());
  IdVector<Symbol, std::vector<TransducerRule>> rules_of(transducer.input().size());
  for (TransducerRule id : transducer.rules().keys()) rules_of[transducer.rules()[id].symbol].push_back(id);
  OutputTrees trees{transducer.output()};

  const Outputs outputs = evaluated<Outputs>(input, [&](Symbol symbol, std::span<const Outputs> children) {
    Outputs result;
    std::vector<std::vector<std::uint32_t>> fitting(children.size());
    std::vector<std::size_t> chosen(children.size());
    std::vector<std::size_t> choices(children.size());
    std::vector<std::uint32_t> values(children.size());
    for (TransducerRule id : rules_of[symbol]) {
      const Transducer::Rule& rule = transducer.rules()[id];
      for (std::size_t place = 0; place < children.size(); ++place) {
        fitting[place].clear();
        for (const auto& [state, output] : children[place])
          if (state == rule.children[place]) fitting[place].push_back(output);
        choices[place] = fitting[place].size();
      }
      if (std::ranges::find(choices, 0U) != choices.end()) continue;
      do {
        stop.check();
        for (std::size_t place = 0; place < children.size(); ++place) values[place] = fitting[place][chosen[place]];
        result.emplace(rule.target, evaluated<std::uint32_t>(rule.output, transducer.output(), values,
                                                             [&](Symbol output, std::span<const std::uint32_t> below) {
                                                               return trees.add(output, below);
                                                             }));
      } while (advance(chosen, choices));
    }
    return result;
  });

  std::set<std::uint32_t> accepted;
  for (const auto& [state, output] : outputs)
    if (transducer.is_final(state)) accepted.insert(output);
  std::vector<Tree> result;
  for (std::uint32_t output : accepted) result.push_back(unfolded(trees.shared(output), limit));
  std::ranges::sort(result, [](const Tree& a, const Tree& b) {
    return std::ranges::lexicographical_compare(a.preorder(), b.preorder());
  });
  return result;
}

namespace {

// Pairs (q, p) of states of the transducer and the input automaton that some tree reaches together are found by a
// worklist. A rule f(q₁(x₁), …) → q(t) and a transition f(p₁, …) → p over found pairs put t, with (qᵢ, pᵢ) for xᵢ, into
// the language of (q, p).
class ImageBuilder {
 public:
  ImageBuilder(const Transducer& transducer, const Automaton& automaton)
      : transducer_{transducer},
        automaton_{with_alphabet(automaton, transducer.input())},
        uses_(transducer.state_count()),
        builder_{transducer.output()} {
    for (TransducerRule id : transducer.rules().keys()) {
      const auto& children = transducer.rules()[id].children;
      for (std::size_t position = 0; position < children.size(); ++position)
        uses_[children[position]].push_back({transducer.rules()[id].symbol, word(position), id});
    }
    for (auto& uses : uses_) std::ranges::sort(uses);
  }

  Automaton build(StopToken stop) {
    for (const Transducer::Rule& rule : transducer_.rules())
      if (rule.children.empty())
        for (TransitionId id : automaton_.transitions_of(rule.symbol)) put_out(rule, {}, automaton_.target(id));
    for (std::uint32_t next = 0; next < pairs_.size(); ++next) {
      stop.check();
      stop.check_states(pairs_.size() + inner_.size());
      combine(next, stop);
    }
    return without_epsilon(std::move(builder_).build(), epsilon_, stop);
  }

 private:
  // A place where a state is in a rule, ordered like occurrences in the automaton: by symbol first.
  struct Use {
    Symbol symbol;
    std::uint32_t position;
    TransducerRule rule;
    friend auto operator<=>(const Use&, const Use&) = default;
  };

  // All rules and transitions in which the newest pair is at some place, and pairs found before (or itself) at the
  // others. What fits with the newest at two places is met twice, which does no harm.
  void combine(std::uint32_t newest, StopToken stop) {
    const TransducerState state{pairs_[newest][0]};
    const auto occurrences = automaton_.occurrences(State{pairs_[newest][1]});
    const auto symbol_of = [&](const Occurrence& occurrence) { return automaton_.symbol(occurrence.transition); };
    for (const Use& use : uses_[state]) {
      const Transducer::Rule& rule = transducer_.rules()[use.rule];
      auto next = std::ranges::lower_bound(occurrences, use.symbol, {}, symbol_of);
      for (; next != occurrences.end() && symbol_of(*next) == use.symbol; ++next) {
        const Occurrence& occurrence = *next;
        if (occurrence.position != use.position) continue;
        stop.check();
        const auto children = automaton_.children(occurrence.transition);
        children_.clear();
        for (std::size_t place = 0; place < children.size(); ++place) {
          const auto number = found(rule.children[place], children[place]);
          if (!number || *number > newest) break;
          children_.push_back(state_of_[*number]);
        }
        if (children_.size() == children.size())
          put_out(rule, std::vector<State>{children_}, automaton_.target(occurrence.transition));
      }
    }
  }

  [[nodiscard]] std::optional<std::uint32_t> found(TransducerState first, State second) const {
    return pairs_.find(std::array{word(first.index()), word(second.index())});
  }

  void put_out(const Transducer::Rule& rule, std::span<const State> children, State input_target) {
    const auto [number, is_new] = pairs_.intern(std::array{word(rule.target.index()), word(input_target.index())});
    if (is_new) {
      state_of_.push_back(builder_.add_state());
      builder_.set_final(state_of_.back(), transducer_.is_final(rule.target) && automaton_.is_final(input_target));
    }
    const State target = state_of_[number];
    if (const Variable* variable = std::get_if<Variable>(&rule.output.nodes()[0])) {
      if (children[variable->index()] != target) epsilon_.push_back({children[variable->index()], target});
      return;
    }
    // Each inner node gets a state of its own, the same for the same symbol and states below it.
    std::size_t missing = rule.output.size() - variables(rule.output);
    (void)evaluated<State>(rule.output, transducer_.output(), children,
                           [&](Symbol symbol, std::span<const State> below) {
                             if (--missing == 0) {
                               builder_.add(symbol, below, target);
                               return target;
                             }
                             return inner_state(symbol, below);
                           });
  }

  static std::size_t variables(const Term& term) {
    return static_cast<std::size_t>(std::ranges::count_if(
        term.nodes(), [](const Term::Node& node) { return std::holds_alternative<Variable>(node); }));
  }

  State inner_state(Symbol symbol, std::span<const State> below) {
    key_.assign(1, word(symbol.index()));
    for (State state : below) key_.push_back(word(state.index()));
    const auto [number, is_new] = inner_.intern(key_);
    if (is_new) {
      inner_states_.push_back(builder_.add_state());
      builder_.add(symbol, below, inner_states_.back());
    }
    return inner_states_[number];
  }

  const Transducer& transducer_;
  Automaton automaton_;
  IdVector<TransducerState, std::vector<Use>> uses_;
  SequenceTable<> pairs_;        // (state of the transducer, state of the automaton)
  std::vector<State> state_of_;  // by the number of the pair
  SequenceTable<> inner_;        // (symbol, states below)
  std::vector<State> inner_states_;
  AutomatonBuilder builder_;
  std::vector<EpsilonTransition> epsilon_;
  std::vector<State> children_;
  std::vector<std::uint32_t> key_;
};

}  // namespace

Automaton image(const Transducer& transducer, const Automaton& automaton, StopToken stop) {
  assert(is_linear(transducer));
  return ImageBuilder{transducer, automaton}.build(stop);
}

}  // namespace lockwood::treeauto
