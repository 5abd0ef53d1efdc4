#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/sets/asking.hpp"
#include "frontend/sets/automata.hpp"
#include "frontend/sets/syntax.hpp"
#include "frontend/sets/value.hpp"

namespace lockwood::sets {

// Something that this depends on is broken, which was reported where it broke.
struct Skipped {};

// The values of expressions. Throws InputError for what is wrong in them, Interrupted and Skipped.
class Evaluator {
 public:
  // Files are looked for in `folder`, which may be empty.
  Evaluator(Limits limits, Way way, std::string folder) : automata_{limits}, way_{way}, folder_{std::move(folder)} {}

  [[nodiscard]] Value evaluate(const Expression& expression, const SourcePtr& source);

  // Names of the innermost scope hide those of outer ones. Functions see only the outermost, besides their parameters.
  void define(const std::string& name, Value value) { scopes_.back()[name] = std::move(value); }
  // What the name should mean could not be found out: until the script ends, whatever uses it is skipped.
  void define_broken(const std::string& name);
  // At the end of a script: such names mean again what they meant before it, if anything.
  void forget_broken();
  void open_scope() { scopes_.emplace_back(); }
  void close_scope() { scopes_.pop_back(); }
  void set_model(ModelPtr model) { model_ = std::move(model); }
  [[nodiscard]] const Model* model() const { return model_.get(); }
  [[nodiscard]] std::vector<std::string> names() const;
  // What all names mean that can be used, by name. Valid until something is defined.
  [[nodiscard]] std::map<std::string_view, const Value*> meanings() const;

  // What is written is a list, a text, which is a list of one, a range, or a list of trees: its members, also as text.
  struct Element {
    Value value;
    std::string text;
  };
  [[nodiscard]] std::vector<Element> elements_of(const Expression& expression, const SourcePtr& source);

  [[nodiscard]] Automata& automata() { return automata_; }
  [[nodiscard]] const Automata& automata() const { return automata_; }
  [[nodiscard]] std::string path_of(const std::string& path) const;

  // Whether a definition in the innermost scope hides one outside of it, until that scope ends.
  [[nodiscard]] bool hides(const std::string& name) const;

  // From now on, the ways in which questions are answered are noted, until they are taken.
  void start_explaining() { explanations_.emplace(); }
  [[nodiscard]] std::vector<std::string> take_explanations() {
    return std::exchange(explanations_, std::nullopt).value_or(std::vector<std::string>{});
  }
  // Whether the set is empty.
  [[nodiscard]] Question question_about(const SetPtr& set);

 private:
  using Scope = std::map<std::string, Value>;
  using Builtin = Value (Evaluator::*)(const Expression&, const Call&);

  void explain(std::string line);
  [[noreturn]] void fail(Extent at, std::string message, std::string hint = {}) const;
  [[nodiscard]] const Value* find(const std::string& name) const;
  [[nodiscard]] const ModelPtr& model(Extent at) const;

  [[nodiscard]] Value value_of(const Expression& expression);
  [[nodiscard]] Value value_of(const Expression& at, const InitialSet&);
  [[nodiscard]] Value value_of(const Expression& at, const NameUse& use);
  [[nodiscard]] Value value_of(const Expression& at, const NumberLiteral& number);
  [[nodiscard]] Value value_of(const Expression& at, const TextLiteral& text);
  [[nodiscard]] Value value_of(const Expression& at, const TruthLiteral& truth);
  [[nodiscard]] Value value_of(const Expression& at, const ListLiteral& list);
  [[nodiscard]] Value value_of(const Expression& at, const AutomatonFile& file);
  [[nodiscard]] Value value_of(const Expression& at, const Interval& interval);
  [[nodiscard]] Value value_of(const Expression& at, const Bound& bound);
  [[nodiscard]] Value value_of(const Expression& at, const StackSet& stack);
  [[nodiscard]] Value value_of(const Expression& at, const Negation& negation);
  [[nodiscard]] Value value_of(const Expression& at, const Operation& operation);
  [[nodiscard]] Value value_of(const Expression& at, const Star& star);
  [[nodiscard]] Value value_of(const Expression& at, const Call& call);
  [[nodiscard]] Value value_of(const Expression& at, const UnionOver& over);

  [[nodiscard]] Value called(const Expression& at, const Call& call, const Function& function);
  // A set that is compared, and what people are told it is.
  struct Side {
    SetPtr set;
    std::string name;
  };
  [[nodiscard]] Side side(const Expression& expression, const SetPtr& set, std::string_view place) const;
  [[nodiscard]] Value combined(const Expression& at, const Operation& operation, const SetPtr& left,
                               const SetPtr& right);
  [[nodiscard]] Truth compared(Operator op, const Side& left, const Side& right);
  [[nodiscard]] Truth included(const Side& left, const Side& right);
  [[nodiscard]] Truth equal(const Expression& at, const Value& left, const Value& right);

  // Parts of an expression that must be of some type.
  [[nodiscard]] SetPtr set_of(const Expression& expression);
  [[nodiscard]] SetPtr made(const Expression& at, decltype(Set::what) what);
  [[nodiscard]] std::size_t count_of(const Expression& expression, std::size_t least, std::size_t most);
  // A number, or all of a range.
  [[nodiscard]] Numbers numbers_of(const Expression& expression, std::size_t least, std::size_t most);
  [[nodiscard]] List list_of(const Expression& expression);
  [[nodiscard]] std::vector<Element> elements_of(const Expression& expression);
  [[nodiscard]] List texts_of(const ListLiteral& list, std::vector<Extent>* places);
  template <class Key>
  [[nodiscard]] std::vector<Key> symbols_of(const Expression& expression, const dpn::Vocabulary<Key>& vocabulary,
                                            std::string_view what);
  [[nodiscard]] dpn::Lock lock_of(const Expression& expression);

  // The functions of the language (builtins.cpp).
  [[nodiscard]] static const std::map<std::string_view, Builtin>& builtins();
  [[nodiscard]] Value stand(const Expression& at, const Call& call);
  [[nodiscard]] Value holding(const Expression& at, const Call& call);
  [[nodiscard]] Value wanting(const Expression& at, const Call& call);
  [[nodiscard]] Value fired(const Expression& at, const Call& call);
  [[nodiscard]] Value empty(const Expression& at, const Call& call);
  [[nodiscard]] Value finite(const Expression& at, const Call& call);
  [[nodiscard]] Value member(const Expression& at, const Call& call);
  [[nodiscard]] Value states(const Expression& at, const Call& call);
  [[nodiscard]] Value count(const Expression& at, const Call& call);
  [[nodiscard]] Value size(const Expression& at, const Call& call);
  [[nodiscard]] Value enumerate(const Expression& at, const Call& call);
  [[nodiscard]] Value sample(const Expression& at, const Call& call);
  [[nodiscard]] Value witness(const Expression& at, const Call& call);
  [[nodiscard]] Value reduce(const Expression& at, const Call& call);
  // How many trees the set has.
  [[nodiscard]] Value all_trees(const Expression& at, const SetPtr& set);
  // The arguments without names, which must be so many, and the one with the name, if it is there. No others may be.
  void expect_arguments(const Call& call, std::size_t unnamed, const std::vector<std::string_view>& named) const;
  [[nodiscard]] const Expression* argument(const Call& call, std::string_view name) const;

  Automata automata_;
  Way way_;
  std::string folder_;
  ModelPtr model_;
  std::vector<Scope> scopes_{1};
  std::map<std::string, std::optional<Value>> before_broken_;  // of the outermost scope
  SourcePtr source_;                                           // of what is being evaluated
  std::size_t depth_ = 0;
  std::optional<std::vector<std::string>> explanations_;  // if they are wanted
};

}  // namespace lockwood::sets
