#include "solver/query/observer.hpp"

#include <array>
#include <string>
#include <utility>

#include "base/text/suggestion.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/operations/membership.hpp"

namespace lockwood::problem {

using treeauto::Symbol;

namespace {

constexpr std::size_t error_limit = 20;

std::string children_text(std::size_t count) {
  return count == 0 ? "no child" : count == 1 ? "1 child" : std::to_string(count) + " children";
}

}  // namespace

std::vector<Diagnostic> misfits(const dpn::TreeAlphabet& alphabet, const treeauto::Automaton& automaton,
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

Observer::Observer(std::shared_ptr<const dpn::TreeAlphabet> alphabet, treeauto::Automaton automaton,
                   std::string_view file)
    : alphabet_{std::move(alphabet)},
      automaton_{std::move(automaton)},
      match_{matched(alphabet_->symbols(), automaton_.alphabet())} {
  if (std::vector<Diagnostic> diagnostics = misfits(*alphabet_, automaton_, file); !diagnostics.empty())
    throw InputError{std::move(diagnostics)};
}

std::vector<Observer::State> Observer::targets(const dpn::NodeLabel& label, std::span<const State> children) const {
  const auto symbol = match_[alphabet_->symbol(label)];
  if (!symbol) return {};
  std::array<treeauto::State, 2> below{treeauto::State{0}, treeauto::State{0}};  // no node has more children
  for (std::size_t i = 0; i < children.size(); ++i) below[i] = treeauto::State{children[i]};
  std::vector<State> result;
  for (treeauto::TransitionId id : automaton_.transitions_of(*symbol, std::span{below}.first(children.size())))
    result.push_back(static_cast<State>(automaton_.target(id).index()));
  return result;
}

bool Observer::accepts(const dpn::ExecutionTree& tree) const {
  return treeauto::accepts(automaton_, to_tree(*alphabet_, tree));
}

std::string Observer::to_timbuk() const { return treeauto::to_timbuk(automaton_); }

}  // namespace lockwood::problem
