// The functions of the language.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <type_traits>

#include "base/text/suggestion.hpp"
#include "frontend/sets/evaluator.hpp"
#include "treeauto/automaton/tree.hpp"
#include "treeauto/counting/count_all.hpp"
#include "treeauto/counting/enumerate.hpp"
#include "treeauto/counting/sample.hpp"
#include "treeauto/operations/finiteness.hpp"
#include "treeauto/operations/membership.hpp"

namespace lockwood::sets {
namespace {

constexpr std::size_t standing_limit = 64;      // sets of stand
constexpr std::size_t usual_enumeration = 100;  // trees
constexpr std::size_t enumeration_limit = 10'000;
constexpr std::size_t shown_node_limit = 1'000;  // of a tree that shows why something does not hold

}  // namespace

const std::map<std::string_view, Evaluator::Builtin>& Evaluator::builtins() {
  static const std::map<std::string_view, Builtin> table{
      {"stand", &Evaluator::stand},   {"holding", &Evaluator::holding},     {"wanting", &Evaluator::wanting},
      {"fired", &Evaluator::fired},   {"empty", &Evaluator::empty},         {"finite", &Evaluator::finite},
      {"member", &Evaluator::member}, {"states", &Evaluator::states},       {"count", &Evaluator::count},
      {"sample", &Evaluator::sample}, {"witness", &Evaluator::witness},     {"reduce", &Evaluator::reduce},
      {"size", &Evaluator::size},     {"enumerate", &Evaluator::enumerate},
  };
  return table;
}

void Evaluator::expect_arguments(const Call& call, std::size_t unnamed,
                                 const std::vector<std::string_view>& named) const {
  std::size_t found = 0;
  std::vector<std::string_view> seen;
  for (const Argument& argument : call.arguments) {
    if (!argument.name) {
      if (!seen.empty()) fail(argument.value->at, "arguments with names come last");
      ++found;
      continue;
    }
    if (std::ranges::find(named, *argument.name) == named.end())
      fail(argument.value->at, fmt::format("'{}' has no argument '{}'", call.name, *argument.name),
           suggestion_hint(*argument.name, named));
    if (std::ranges::find(seen, *argument.name) != seen.end())
      fail(argument.value->at, fmt::format("'{}' is given twice", *argument.name));
    seen.push_back(*argument.name);
  }
  if (found != unnamed)
    fail(call.name_at, fmt::format("'{}' takes {} argument{}{}, not {}", call.name, unnamed, unnamed == 1 ? "" : "s",
                                   named.empty() ? "" : " without a name", found));
}

const Expression* Evaluator::argument(const Call& call, std::string_view name) const {
  for (const Argument& each : call.arguments)
    if (each.name == name) return each.value.get();
  return nullptr;
}

template <class Key>
std::vector<Key> Evaluator::symbols_of(const Expression& expression, const dpn::Vocabulary<Key>& vocabulary,
                                       std::string_view what) {
  std::vector<Extent> places;
  const auto* literal = std::get_if<ListLiteral>(&expression.what);
  const List names = literal != nullptr ? texts_of(*literal, &places) : list_of(expression);
  places.resize(names.size(), expression.at);
  std::vector<Key> keys;
  std::vector<Diagnostic> problems;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const auto key = vocabulary.find(names[i])) {
      keys.push_back(*key);
      continue;
    }
    if constexpr (std::is_same_v<Key, dpn::StackSymbol>)
      if (const auto& symbols_at = model(expression.at)->places.symbols_at) {
        try {
          const std::vector<Key> found = symbols_at(names[i]);
          keys.insert(keys.end(), found.begin(), found.end());
        } catch (const InputError& error) {
          const Diagnostic& inner = error.diagnostics().front();
          problems.push_back(problem_at(*source_, places[i], inner.message, inner.hint));
        }
        continue;
      }
    Suggestion suggestion{names[i]};
    for (Key key : vocabulary.keys()) suggestion.consider(vocabulary.name(key));
    problems.push_back(
        problem_at(*source_, places[i], fmt::format("the model has no {} '{}'", what, names[i]), suggestion.hint()));
  }
  if (!problems.empty()) throw InputError{std::move(problems)};
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}
template std::vector<dpn::Action> Evaluator::symbols_of(const Expression&, const dpn::Vocabulary<dpn::Action>&,
                                                        std::string_view);

// A lock may stand alone; braces would suggest that several are meant.
dpn::Lock Evaluator::lock_of(const Expression& expression) {
  const dpn::Vocabulary<dpn::Lock>& locks = model(expression.at)->network.locks();
  const auto* use = std::get_if<NameUse>(&expression.what);
  const auto* number = std::get_if<NumberLiteral>(&expression.what);
  std::string name;
  if (const Value* value = use == nullptr ? nullptr : find(use->name); use != nullptr) {
    if (value != nullptr && std::holds_alternative<Broken>(*value)) throw Skipped{};
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
    name = text == nullptr ? use->name : *text;
  } else if (number != nullptr) {
    name = number->digits;
  } else {
    const List names = list_of(expression);
    if (names.size() != 1) fail(expression.at, "this should be one lock");
    name = names.front();
  }
  if (const auto lock = locks.find(name)) return *lock;
  Suggestion suggestion{name};
  for (dpn::Lock lock : locks.keys()) suggestion.consider(locks.name(lock));
  fail(expression.at, fmt::format("the model has no lock '{}'", name), suggestion.hint());
}

Value Evaluator::stand(const Expression& at, const Call& call) {
  expect_arguments(call, std::max<std::size_t>(call.arguments.size(), 1), {});
  if (call.arguments.size() > standing_limit)
    fail(at.at, fmt::format("this asks for more than {} threads, which is the limit", standing_limit));
  Standing standing;
  for (const Argument& argument : call.arguments)
    standing.places.push_back(symbols_of(*argument.value, model(at.at)->network.stack_symbols(), "stack symbol"));
  return made(at, Property{std::move(standing)});
}

Value Evaluator::value_of(const Expression& at, const StackSet& stack) {
  const dpn::Vocabulary<dpn::StackSymbol>& stacks = model(at.at)->network.stack_symbols();
  if (size_of(*stack.pattern) > pattern_limit)
    fail(stack.pattern->at, fmt::format("this pattern has more than {} symbols", pattern_limit));
  const auto symbols = [&](const OneSymbol& symbol) {
    const Expression words{stack.pattern->at, 1, ListLiteral{symbol.words}};
    return symbols_of(words, stacks, "stack symbol");
  };
  return made(at,
              Property{StackWord{stack_automaton(*stack.pattern, stacks.size(), symbols, automata_.limits().stop)}});
}

Value Evaluator::holding(const Expression& at, const Call& call) {
  expect_arguments(call, 1, {});
  return made(at, Property{Holding{lock_of(*call.arguments[0].value)}});
}

Value Evaluator::wanting(const Expression& at, const Call& call) {
  expect_arguments(call, 1, {});
  return made(at, Property{Wanting{lock_of(*call.arguments[0].value)}});
}

Value Evaluator::fired(const Expression& at, const Call& call) {
  expect_arguments(call, 1, {});
  return made(at, Property{Fired{symbols_of(*call.arguments[0].value, model(at.at)->network.actions(), "action")}});
}

Value Evaluator::empty(const Expression&, const Call& call) {
  expect_arguments(call, 1, {});
  const SetPtr set = set_of(*call.arguments[0].value);
  const auto question = std::make_shared<const Question>(question_about(set));
  if (is_empty(*question, automata_)) return Truth{true};
  return Truth{false, [this, question]() -> Evidence {
                 auto found = some_tree(*question, automata_, shown_node_limit);
                 if (!found) return {};
                 return {{}, TreeValue{question->set->model, std::move(found->tree)}};
               }};
}

Value Evaluator::witness(const Expression&, const Call& call) {
  expect_arguments(call, 1, {});
  const SetPtr set = set_of(*call.arguments[0].value);
  std::optional<FoundTree> found = some_tree(question_about(set), automata_);
  if (!found) return Nothing{};
  return TreeValue{set->model, std::move(found->tree), found->smallest};
}

Value Evaluator::finite(const Expression&, const Call& call) {
  expect_arguments(call, 1, {});
  const SetPtr set = set_of(*call.arguments[0].value);
  explain("by automata: whether a set is finite is seen in its automaton");
  return Truth{treeauto::is_finite(automata_.of(set)), {}};
}

Value Evaluator::member(const Expression& at, const Call& call) {
  expect_arguments(call, 2, {});
  const Expression& first = *call.arguments[0].value;
  const Value tree = value_of(first);
  const SetPtr set = set_of(*call.arguments[1].value);
  explain("by automata: the automaton of the set runs on the tree");
  const StopToken stop = automata_.limits().stop;
  const treeauto::Alphabet& symbols = set->model->alphabet.symbols();
  if (const auto* known = std::get_if<TreeValue>(&tree)) {
    if (known->model != set->model) fail(at.at, "the tree and the set are of different models");
    return Truth{treeauto::accepts(automata_.of(set), dpn::to_tree(set->model->alphabet, known->tree), stop), {}};
  }
  const auto* text = std::get_if<std::string>(&tree);
  if (text == nullptr) fail(first.at, fmt::format("this should be a tree, and is {}", type_name(tree)));
  try {
    return Truth{treeauto::accepts(automata_.of(set), treeauto::read_tree(*text, symbols), stop), {}};
  } catch (const InputError& error) {
    const Diagnostic& inner = error.diagnostics().front();
    fail(first.at, fmt::format("this is not a tree over the symbols of the model: {}", inner.message), inner.hint);
  }
}

Value Evaluator::states(const Expression&, const Call& call) {
  expect_arguments(call, 1, {});
  const SetPtr set = set_of(*call.arguments[0].value);
  explain("by automata: these are the states of the automaton");
  return Number{automata_.of(set).state_count()};
}

Value Evaluator::count(const Expression& at, const Call& call) {
  expect_arguments(call, 1, {"nodes"});
  const SetPtr set = set_of(*call.arguments[0].value);
  explain("by automata: trees are counted by a deterministic automaton");
  const Expression* nodes = argument(call, "nodes");
  if (nodes == nullptr) return all_trees(at, set);
  const Numbers sizes = numbers_of(*nodes, 0, node_limit);
  const StopToken stop = automata_.limits().stop;
  treeauto::TreeCounter counter{automata_.of(set), stop};
  Number sum = 0;
  for (std::size_t each = sizes.first; each <= sizes.last; ++each) sum += counter.count(each, stop);
  return sum;
}

Value Evaluator::enumerate(const Expression&, const Call& call) {
  expect_arguments(call, 1, {"nodes", "limit"});
  const SetPtr set = set_of(*call.arguments[0].value);
  const Expression* nodes = argument(call, "nodes");
  const Numbers sizes = nodes == nullptr ? Numbers{0, node_limit} : numbers_of(*nodes, 0, node_limit);
  const Expression* limit = argument(call, "limit");
  const std::size_t most = limit == nullptr ? usual_enumeration : count_of(*limit, 1, enumeration_limit);
  explain("by automata: trees are found by their numbers, so they are counted");
  TreeList found{set->model, {}};
  treeauto::TreeEnumeration trees{automata_.of(set), automata_.limits().stop};
  trees.skip_to(sizes.first);
  while (const auto tree = trees.next()) {
    if (tree->size() > sizes.last) break;
    if (found.trees.size() == most) {
      found.all = false;
      break;
    }
    found.trees.push_back(
        dpn::to_execution_tree(set->model->alphabet, with_alphabet(*tree, set->model->alphabet.symbols())));
  }
  return found;
}

Value Evaluator::size(const Expression& at, const Call& call) {
  expect_arguments(call, 1, {});
  const SetPtr set = set_of(*call.arguments[0].value);
  explain("by automata: trees are counted by a deterministic automaton");
  return all_trees(at, set);
}

Value Evaluator::all_trees(const Expression& at, const SetPtr& set) {
  if (!treeauto::is_finite(automata_.of(set)))
    fail(at.at, "the set has infinitely many trees", "count(S, nodes = n) counts those with n nodes");
  return treeauto::count_all_trees(automata_.of(set), automata_.limits().stop);
}

Value Evaluator::sample(const Expression& at, const Call& call) {
  expect_arguments(call, 1, {"nodes", "seed"});
  const SetPtr set = set_of(*call.arguments[0].value);
  const Expression* nodes = argument(call, "nodes");
  if (nodes == nullptr) fail(at.at, "how large should the tree be?", "sample(S, nodes = n)");
  const std::size_t size = count_of(*nodes, 1, node_limit);
  const Expression* seed = argument(call, "seed");
  const std::size_t start = seed == nullptr ? 0 : count_of(*seed, 0, 0xFFFF'FFFF);
  explain("by automata: all trees of that size are equally likely, so they are counted");
  const auto tree = treeauto::sampled_tree(automata_.of(set), size, start, automata_.limits().stop);
  if (!tree) return Nothing{};
  return TreeValue{set->model,
                   dpn::to_execution_tree(set->model->alphabet, with_alphabet(*tree, set->model->alphabet.symbols()))};
}

Value Evaluator::reduce(const Expression& at, const Call& call) {
  expect_arguments(call, 1, {});
  return made(at, Reduced{set_of(*call.arguments[0].value)});
}

}  // namespace lockwood::sets
