#include "frontend/sets/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/text/suggestion.hpp"
#include "solver/query/observer.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/lazy/inclusion.hpp"

namespace lockwood::sets {
namespace {

constexpr std::size_t evaluation_depth_limit = 1000;
constexpr std::size_t bound_limit = 64;  // of threads >= n: the automaton may have n² transitions for a spawn
constexpr std::uint64_t shown_tree_limit = 10'000;
constexpr std::size_t shown_name_limit = 50;         // of sets, as they are written
constexpr std::size_t number_limit = 1'000'000'000;  // of ranges
constexpr std::size_t round_limit = 100'000;         // of loops over ranges

template <class Key>
List names_of(const dpn::Vocabulary<Key>& vocabulary) {
  List names;
  for (Key key : vocabulary.keys()) names.emplace_back(vocabulary.name(key));
  return names;
}

// A tree that the first of two sets has, and the second has not.
Evidence evidence_of(const ModelPtr& model, const std::string& sentence,
                     const std::optional<treeauto::SharedTree>& tree) {
  if (!tree) return {};
  if (tree_size(*tree) > shown_tree_limit) return {sentence, {}};
  const treeauto::Tree found = with_alphabet(unfolded(*tree, shown_tree_limit), model->alphabet.symbols());
  return {sentence, TreeValue{model, dpn::to_execution_tree(model->alphabet, found)}};
}

}  // namespace

void Evaluator::fail(Extent at, std::string message, std::string hint) const {
  throw InputError{{problem_at(*source_, at, std::move(message), std::move(hint))}};
}

std::string Evaluator::path_of(const std::string& path) const {
  if (path == "-" || folder_.empty()) return path;
  return (std::filesystem::path{folder_} / path).string();
}

Value Evaluator::evaluate(const Expression& expression, const SourcePtr& source) {
  source_ = source;
  depth_ = 0;
  return value_of(expression);
}

std::vector<Evaluator::Element> Evaluator::elements_of(const Expression& expression, const SourcePtr& source) {
  source_ = source;
  depth_ = 0;
  return elements_of(expression);
}

const Value* Evaluator::find(const std::string& name) const {
  for (std::size_t i = scopes_.size(); i-- > 0;)
    if (const auto found = scopes_[i].find(name); found != scopes_[i].end()) return &found->second;
  return nullptr;
}

void Evaluator::define_broken(const std::string& name) {
  Scope& scope = scopes_.back();
  if (scopes_.size() == 1 && !before_broken_.contains(name)) {
    const auto known = scope.find(name);
    before_broken_.emplace(name, known == scope.end() ? std::nullopt : std::optional{known->second});
  }
  scope[name] = Broken{};
}

void Evaluator::forget_broken() {
  Scope& scope = scopes_.front();
  for (auto& [name, before] : before_broken_) {
    if (!std::holds_alternative<Broken>(scope.at(name))) continue;  // it was defined once more
    scope.erase(name);
    if (before) scope.emplace(name, *std::move(before));
  }
  before_broken_.clear();
}

std::vector<std::string> Evaluator::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : scopes_.front()) names.push_back(name);
  return names;
}

std::map<std::string_view, const Value*> Evaluator::meanings() const {
  std::map<std::string_view, const Value*> meanings;
  for (const Scope& scope : scopes_)  // inner ones last
    for (const auto& [name, value] : scope) meanings[name] = &value;
  return meanings;
}

const ModelPtr& Evaluator::model(Extent at) const {
  if (model_ == nullptr) fail(at, "there is no model yet", "load \"FILE\" reads one");
  return model_;
}

bool Evaluator::hides(const std::string& name) const {
  return scopes_.size() > 1 && !scopes_.back().contains(name) && find(name) != nullptr;
}

void Evaluator::explain(std::string line) {
  if (explanations_) explanations_->push_back(std::move(line));
}

Question Evaluator::question_about(const SetPtr& set) {
  Question question = sets::question_about(set, way_, automata_.limits().stop);
  if (explanations_)
    for (std::string& line : way_of(question)) explain(std::move(line));
  return question;
}

Value Evaluator::value_of(const Expression& expression) {
  automata_.limits().stop.check();
  if (depth_ == evaluation_depth_limit)
    fail(expression.at, "functions call each other too deeply", "a set cannot be defined by itself");
  ++depth_;
  Value value = std::visit([&](const auto& what) { return value_of(expression, what); }, expression.what);
  --depth_;
  if (std::holds_alternative<Broken>(value)) throw Skipped{};
  return value;
}

Value Evaluator::value_of(const Expression& at, const InitialSet&) { return made(at, Initial{}); }

Value Evaluator::value_of(const Expression& at, const NameUse& use) {
  if (use.name == "symbols") return names_of(model(at.at)->network.stack_symbols());
  if (use.name == "actions") return names_of(model(at.at)->network.actions());
  if (use.name == "locks") return names_of(model(at.at)->network.locks());
  if (const Value* value = find(use.name)) return *value;
  if (builtins().contains(use.name))
    fail(at.at, fmt::format("'{}' is a function of the language", use.name), fmt::format("write {}(…)", use.name));
  if (model_ != nullptr && model_->network.stack_symbols().find(use.name))
    fail(at.at, fmt::format("there is no variable '{0}'; sets of symbols are written {{{0}}}", use.name));
  Suggestion suggestion{use.name};
  for (const Scope& scope : scopes_)
    for (const auto& [name, value] : scope) suggestion.consider(name);
  fail(at.at, fmt::format("unknown name '{}'", use.name), suggestion.hint());
}

Value Evaluator::value_of(const Expression&, const NumberLiteral& number) { return Number{number.digits}; }
Value Evaluator::value_of(const Expression&, const TextLiteral& text) { return text.text; }
Value Evaluator::value_of(const Expression&, const TruthLiteral& truth) { return Truth{truth.holds, {}}; }
Value Evaluator::value_of(const Expression&, const ListLiteral& list) { return texts_of(list, nullptr); }

Value Evaluator::value_of(const Expression& at, const AutomatonFile& file) {
  const ModelPtr& about = model(at.at);
  const std::string path = path_of(file.path);
  try {
    treeauto::Automaton automaton =
        treeauto::read_timbuk_file(path, treeauto::TimbukReading::Lenient, automata_.limits().stop);
    if (auto problems = problem::misfits(about->alphabet, automaton, path); !problems.empty())
      throw InputError{std::move(problems)};
    return made(at, Property{Accepted{with_alphabet(automaton, about->alphabet.symbols())}});
  } catch (const InputError& error) {
    throw with_note(*source_, at.at, "the file is read here", error);
  }
}

Value Evaluator::value_of(const Expression& at, const Interval& interval) {
  const Numbers numbers{count_of(*interval.first, 0, number_limit), count_of(*interval.last, 0, number_limit)};
  if (numbers.first > numbers.last)
    fail(at.at, fmt::format("there is no number from {} to {}", numbers.first, numbers.last));
  return numbers;
}

Value Evaluator::value_of(const Expression& at, const Bound& bound) {
  const std::size_t least =
      bound.strict ? count_of(*bound.least, 0, bound_limit - 1) + 1 : count_of(*bound.least, 1, bound_limit);
  if (bound.measure == Measure::Threads) return made(at, Property{ThreadCount{least}});
  return made(at, Property{StackDepth{least}});
}

Value Evaluator::value_of(const Expression& at, const Negation& negation) {
  const Value operand = value_of(*negation.operand);
  if (const auto* truth = std::get_if<Truth>(&operand)) return Truth{!truth->holds, truth->because};
  if (const auto* set = std::get_if<SetPtr>(&operand)) return made(at, Complement{*set});
  fail(negation.operand->at, fmt::format("'~' is for sets and for what holds or not; this is {}", type_name(operand)));
}

Value Evaluator::value_of(const Expression& at, const Operation& operation) {
  const Value left = value_of(*operation.left);
  const Operator op = operation.op;
  // What holds or not: the right side counts only if the left one leaves it open.
  if (const auto* truth = std::get_if<Truth>(&left); truth != nullptr && (op == Operator::And || op == Operator::Or)) {
    if (truth->holds == (op == Operator::Or)) return *truth;
    Value right = value_of(*operation.right);
    if (!std::holds_alternative<Truth>(right))
      fail(operation.right->at, fmt::format("this should hold or not, and is {}", type_name(right)));
    return right;
  }
  const Value right = value_of(*operation.right);
  const auto* left_set = std::get_if<SetPtr>(&left);
  const auto* right_set = std::get_if<SetPtr>(&right);
  if (left_set != nullptr && right_set != nullptr) return combined(at, operation, *left_set, *right_set);
  const auto* left_list = std::get_if<List>(&left);
  const auto* right_list = std::get_if<List>(&right);
  if (left_list != nullptr && right_list != nullptr && op == Operator::Minus) {
    List rest;
    for (const std::string& each : *left_list)
      if (std::ranges::find(*right_list, each) == right_list->end()) rest.push_back(each);
    return rest;
  }
  if (op == Operator::Equal || op == Operator::Unequal) {
    const Truth truth = equal(at, left, right);
    return Truth{truth.holds == (op == Operator::Equal), {}};
  }
  const auto* left_number = std::get_if<Number>(&left);
  const auto* right_number = std::get_if<Number>(&right);
  if (left_number != nullptr && right_number != nullptr) {
    if (op == Operator::AtMost) return Truth{*left_number <= *right_number};
    if (op == Operator::AtLeast) return Truth{*left_number >= *right_number};
    if (op == Operator::Less) return Truth{*left_number < *right_number};
    if (op == Operator::Greater) return Truth{*left_number > *right_number};
  }
  fail(at.at, fmt::format("this joins {} and {}", type_name(left), type_name(right)));
}

Value Evaluator::combined(const Expression& at, const Operation& operation, const SetPtr& left, const SetPtr& right) {
  if (left->model != right->model) fail(at.at, "these are sets of different models");
  switch (operation.op) {
    case Operator::And: return made(at, Intersection{left, right});
    case Operator::Or: return made(at, Union{left, right});
    case Operator::Minus: return made(at, Difference{left, right});
    default:
      return compared(operation.op, side(*operation.left, left, "the left set"),
                      side(*operation.right, right, "the right set"));
  }
}

// By its text, if that is short.
Evaluator::Side Evaluator::side(const Expression& expression, const SetPtr& set, std::string_view place) const {
  std::string text = quoted_line(*source_, expression.at);
  return {set, text.size() <= shown_name_limit ? std::move(text) : std::string{place}};
}

Truth Evaluator::compared(Operator op, const Side& left, const Side& right) {
  explain("by automata: sets are compared by their automata");
  if (op == Operator::AtMost) return included(left, right);
  if (op == Operator::AtLeast) return included(right, left);
  if (op == Operator::Greater) return compared(Operator::Less, right, left);
  if (op == Operator::Less) {
    Truth smaller = included(left, right);
    if (!smaller.holds) return smaller;
    Truth larger = included(right, left);
    if (!larger.holds) return {true, larger.because};
    return {false, [] { return Evidence{"both are the same set", {}}; }};
  }
  Truth equal = included(left, right);
  if (equal.holds) equal = included(right, left);
  if (equal.holds) equal.because = [] { return Evidence{"both are the same set", {}}; };
  if (op == Operator::Unequal) equal.holds = !equal.holds;
  return equal;
}

Truth Evaluator::included(const Side& left, const Side& right) {
  // A copy: the second may make the table of automata grow.
  const treeauto::Automaton first = automata_.of(left.set);
  const treeauto::Inclusion inclusion =
      treeauto::inclusion(first, automata_.of(right.set), {}, automata_.limits().stop);
  return {inclusion.holds, [model = left.set->model, sentence = "only in " + left.name,
                            tree = inclusion.counterexample] { return evidence_of(model, sentence, tree); }};
}

Truth Evaluator::equal(const Expression& at, const Value& left, const Value& right) {
  if (left.index() != right.index()) {
    // Nothing can be compared with what might have been something.
    if (std::holds_alternative<Nothing>(left) || std::holds_alternative<Nothing>(right)) return {false, {}};
    fail(at.at, fmt::format("this compares {} with {}", type_name(left), type_name(right)));
  }
  if (std::holds_alternative<Nothing>(left)) return {true, {}};
  if (const auto* truth = std::get_if<Truth>(&left)) return {truth->holds == std::get<Truth>(right).holds, {}};
  if (const auto* number = std::get_if<Number>(&left)) return {*number == std::get<Number>(right), {}};
  if (const auto* text = std::get_if<std::string>(&left)) return {*text == std::get<std::string>(right), {}};
  if (const auto* list = std::get_if<List>(&left)) return {*list == std::get<List>(right), {}};
  if (const auto* tree = std::get_if<TreeValue>(&left)) {
    const auto& other = std::get<TreeValue>(right);
    return {tree->model == other.model && tree->tree == other.tree, {}};
  }
  if (const auto* numbers = std::get_if<Numbers>(&left)) return {*numbers == std::get<Numbers>(right), {}};
  if (const auto* trees = std::get_if<TreeList>(&left)) {
    const auto& others = std::get<TreeList>(right);
    return {trees->model == others.model && trees->trees == others.trees, {}};
  }
  fail(at.at, "functions cannot be compared");
}

Value Evaluator::value_of(const Expression& at, const Star& star) {
  const SetPtr of = set_of(*star.of);
  const dpn::Network& network = of->model->network;
  IdVector<dpn::Action, bool> avoided(network.actions().size());
  for (const RestrictedActions& restriction : star.restrictions) {
    IdVector<dpn::Action, bool> named(network.actions().size());
    for (dpn::Action action : symbols_of(*restriction.actions, network.actions(), "action")) named[action] = true;
    for (dpn::Action action : avoided.keys())
      if (named[action] == (restriction.restriction == Restriction::Avoiding)) avoided[action] = true;
  }
  std::vector<dpn::Action> actions;
  for (dpn::Action action : avoided.keys())
    if (avoided[action]) actions.push_back(action);
  const auto semantics = star.nolocks ? dpn::Semantics::LockInsensitive : dpn::Semantics::LockSensitive;
  if (star.direction == Direction::Forward) return made(at, Successors{of, semantics, std::move(actions)});
  return made(at, Predecessors{of, semantics, std::move(actions)});
}

Value Evaluator::value_of(const Expression& at, const Call& call) {
  if (const auto found = builtins().find(call.name); found != builtins().end()) return (this->*found->second)(at, call);
  if (const Value* value = find(call.name)) {
    if (std::holds_alternative<Broken>(*value)) return Broken{};
    if (const auto* function = std::get_if<FunctionPtr>(value)) {
      const FunctionPtr kept = *function;  // its name may get another meaning on the way
      return called(at, call, *kept);
    }
    fail(call.name_at, fmt::format("'{}' is {}, not a function", call.name, type_name(*value)));
  }
  Suggestion suggestion{call.name};
  for (const auto& [name, builtin] : builtins()) suggestion.consider(name);
  for (const Scope& scope : scopes_)
    for (const auto& [name, value] : scope)
      if (std::holds_alternative<FunctionPtr>(value)) suggestion.consider(name);
  fail(call.name_at, fmt::format("unknown function '{}'", call.name), suggestion.hint());
}

Value Evaluator::called(const Expression& at, const Call& call, const Function& function) {
  for (const Argument& argument : call.arguments)
    if (argument.name) fail(argument.value->at, fmt::format("'{}' has no argument '{}'", call.name, *argument.name));
  if (call.arguments.size() != function.parameters.size())
    fail(at.at, fmt::format("'{}' takes {} argument{}, not {}", call.name, function.parameters.size(),
                            function.parameters.size() == 1 ? "" : "s", call.arguments.size()));
  Scope parameters;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    parameters[function.parameters[i]] = value_of(*call.arguments[i].value);

  // The body sees the outermost names and its parameters; the caller's scopes come back however it ends.
  struct Caller {
    Evaluator& evaluator;
    std::vector<Scope> scopes;
    SourcePtr source;
    ~Caller() {
      std::vector<Scope>& inside = evaluator.scopes_;
      inside.pop_back();
      inside.insert(inside.end(), std::make_move_iterator(scopes.begin()), std::make_move_iterator(scopes.end()));
      evaluator.source_ = source;
    }
  };
  Caller caller{*this, {}, source_};
  caller.scopes.assign(std::make_move_iterator(scopes_.begin() + 1), std::make_move_iterator(scopes_.end()));
  scopes_.resize(1);
  scopes_.push_back(std::move(parameters));
  source_ = function.source;
  try {
    return value_of(*function.body);
  } catch (const InputError& error) {
    throw with_note(*caller.source, at.at, fmt::format("'{}' is called here", call.name), error);
  }
}

// Joined two by two, so that they do not nest deep.
Value Evaluator::value_of(const Expression& at, const UnionOver& over) {
  struct Round {
    Evaluator& evaluator;
    ~Round() { evaluator.close_scope(); }
  };
  std::vector<SetPtr> parts;
  for (Element& element : elements_of(*over.range.list)) {
    open_scope();
    const Round round{*this};
    define(over.range.variable, std::move(element.value));
    parts.push_back(set_of(*over.each));
    if (parts.back()->model != parts.front()->model) fail(over.each->at, "these are sets of different models");
  }
  if (parts.empty()) {
    const SetPtr initial = made(at, Initial{});
    return made(at, Difference{initial, initial});
  }
  while (parts.size() > 1) {
    std::vector<SetPtr> joined;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) joined.push_back(made(at, Union{parts[i], parts[i + 1]}));
    if (parts.size() % 2 == 1) joined.push_back(std::move(parts.back()));
    parts = std::move(joined);
  }
  return std::move(parts.front());
}

SetPtr Evaluator::set_of(const Expression& expression) {
  Value value = value_of(expression);
  if (auto* set = std::get_if<SetPtr>(&value)) return std::move(*set);
  fail(expression.at, fmt::format("this should be a set of trees, and is {}", type_name(value)),
       std::holds_alternative<List>(value) ? "stand({…}) is the set of trees with a thread there" : "");
}

SetPtr Evaluator::made(const Expression& at, decltype(Set::what) what) {
  const ModelPtr about = std::visit(
      [&](const auto& kind) -> ModelPtr {
        if constexpr (requires { kind.first; })
          return kind.first->model;
        else if constexpr (requires { kind.from; })
          return kind.from->model;
        else if constexpr (requires { kind.to; })
          return kind.to->model;
        else if constexpr (requires { kind.of; })
          return kind.of->model;
        else
          return model(at.at);
      },
      what);
  if (depth_of(what) > set_depth_limit)
    fail(at.at, fmt::format("sets are built of each other more than {} deep", set_depth_limit));
  return make_set(about, std::move(what));
}

std::size_t Evaluator::count_of(const Expression& expression, std::size_t least, std::size_t most) {
  const Value value = value_of(expression);
  const auto* number = std::get_if<Number>(&value);
  if (number == nullptr) fail(expression.at, fmt::format("this should be a number, and is {}", type_name(value)));
  if (*number < least || *number > most)
    fail(expression.at, fmt::format("this should be a number from {} to {}", least, most));
  return number->convert_to<std::size_t>();
}

Numbers Evaluator::numbers_of(const Expression& expression, std::size_t least, std::size_t most) {
  const Value value = value_of(expression);
  const auto* range = std::get_if<Numbers>(&value);
  const auto* number = std::get_if<Number>(&value);
  if (range == nullptr && number == nullptr)
    fail(expression.at, fmt::format("this should be a number or a range such as 1..9, and is {}", type_name(value)));
  if (range != nullptr ? range->first < least || range->last > most : *number < least || *number > most)
    fail(expression.at,
         fmt::format("{} from {} to {}", range != nullptr ? "these should be numbers" : "this should be a number",
                     least, most));
  if (range != nullptr) return *range;
  const auto only = number->convert_to<std::size_t>();
  return {only, only};
}

std::vector<Evaluator::Element> Evaluator::elements_of(const Expression& expression) {
  Value value = value_of(expression);
  std::vector<Element> elements;
  if (const auto* range = std::get_if<Numbers>(&value)) {
    if (range->last - range->first >= round_limit)
      fail(expression.at, fmt::format("these are more than {} numbers", round_limit));
    for (std::size_t number = range->first; number <= range->last; ++number)
      elements.push_back({Value{std::in_place_type<Number>, number}, std::to_string(number)});
  } else if (auto* trees = std::get_if<TreeList>(&value)) {
    for (dpn::ExecutionTree& tree : trees->trees) {
      std::string text = term_text(*trees->model, tree);
      elements.push_back({TreeValue{trees->model, std::move(tree)}, std::move(text)});
    }
  } else if (auto* text = std::get_if<std::string>(&value)) {
    elements.push_back({*text, *text});
  } else if (const auto* list = std::get_if<List>(&value)) {
    for (const std::string& each : *list) elements.push_back({each, each});
  } else {
    fail(expression.at, fmt::format("this should be a list such as {{a, b}} or 1..9, and is {}", type_name(value)));
  }
  return elements;
}

List Evaluator::list_of(const Expression& expression) {
  Value value = value_of(expression);
  if (auto* list = std::get_if<List>(&value)) return std::move(*list);
  if (auto* text = std::get_if<std::string>(&value)) return {std::move(*text)};
  fail(expression.at, fmt::format("this should be a list such as {{a, b}}, and is {}", type_name(value)));
}

List Evaluator::texts_of(const ListLiteral& list, std::vector<Extent>* places) {
  List texts;
  const auto add = [&](std::string text, Extent at) {
    texts.push_back(std::move(text));
    if (places != nullptr) places->push_back(at);
  };
  for (const Word& word : list.words) {
    const Value* value = word.quoted ? nullptr : find(word.text);
    if (value != nullptr && std::holds_alternative<Broken>(*value)) throw Skipped{};
    if (const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value)) {
      add(*text, word.at);
    } else if (const auto* inner = value == nullptr ? nullptr : std::get_if<List>(value)) {
      for (const std::string& each : *inner) add(each, word.at);
    } else {
      add(word.text, word.at);
    }
  }
  return texts;
}

}  // namespace lockwood::sets
