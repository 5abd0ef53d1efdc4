#include "solver/automaton_observer.hpp"

#include <boost/container/small_vector.hpp>
#include <string>
#include <utility>

#include "base/suggestion.hpp"
#include "treeauto/timbuk.hpp"

namespace lockwood::solver {

using treeauto::Symbol;

namespace {

constexpr std::size_t error_limit = 20;

std::string children_text(std::size_t count) {
  return count == 0 ? "no child" : count == 1 ? "1 child" : std::to_string(count) + " children";
}

}  // namespace

std::vector<Diagnostic> misfits(const TreeAlphabet& alphabet, const treeauto::Automaton& automaton,
                                std::string_view file) {
  std::vector<Diagnostic> diagnostics;
  const treeauto::Alphabet& ours = alphabet.symbols();
  const treeauto::Alphabet& theirs = automaton.alphabet();
  const auto match = matched(theirs, ours);
  for (Symbol symbol : theirs.symbols()) {
    if (match[symbol]) continue;
    if (diagnostics.size() == error_limit) break;
    const std::string name{theirs.name(symbol)};
    Diagnostic& diagnostic = diagnostics.emplace_back();
    diagnostic.file = file;
    if (const auto namesakes = ours.with_name(name); !namesakes.empty()) {
      diagnostic.message = "'" + name + "' is given " + children_text(theirs.rank(symbol)) + ", but has " +
                           children_text(ours.rank(namesakes.front())) + " in an execution tree";
      continue;
    }
    diagnostic.message = "'" + name + "' is not a symbol of the execution trees of this model";
    Suggestion suggestion{name};
    for (Symbol candidate : ours.symbols()) suggestion.consider(ours.name(candidate));
    diagnostic.hint = suggestion.hint();
  }
  return diagnostics;
}

AutomatonObserver::AutomatonObserver(const TreeAlphabet& alphabet, treeauto::Automaton automaton, std::string_view file)
    : alphabet_{alphabet},
      automaton_{std::move(automaton)},
      match_{matched(alphabet.symbols(), automaton_.alphabet())} {
  if (std::vector<Diagnostic> diagnostics = misfits(alphabet, automaton_, file); !diagnostics.empty())
    throw InputError{std::move(diagnostics)};
}

std::vector<Observer::State> AutomatonObserver::targets(const NodeLabel& label, std::span<const State> children) const {
  const auto symbol = match_[alphabet_.symbol(label)];
  if (!symbol) return {};
  boost::container::small_vector<treeauto::State, 2> below;
  for (State child : children) below.emplace_back(child);
  std::vector<State> result;
  for (treeauto::TransitionId id : automaton_.transitions_of(*symbol, {below.data(), below.size()}))
    result.push_back(static_cast<State>(automaton_.target(id).index()));
  return result;
}

bool AutomatonObserver::accepting(State state) const { return automaton_.is_final(treeauto::State{state}); }

std::string AutomatonObserver::to_timbuk() const { return treeauto::to_timbuk(automaton_); }

std::string AutomatonObserver::state_name(State state) const { return automaton_.state_name(treeauto::State{state}); }

}  // namespace lockwood::solver
