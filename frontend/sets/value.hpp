#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dpn/trees/execution_tree.hpp"
#include "frontend/sets/set.hpp"
#include "frontend/sets/syntax.hpp"
#include "treeauto/counting/count.hpp"

namespace lockwood::sets {

// What expressions mean.
struct Nothing {};  // the tree of a set that has none
struct TreeValue {
  ModelPtr model;
  dpn::ExecutionTree tree;
  bool smallest = true;  // found by witness: no tree of the set is smaller
};
struct Evidence {
  std::string sentence;           // "only in A" of two sets that are compared; may be empty
  std::optional<TreeValue> tree;  // that shows it
};
struct Truth {
  bool holds;
  // Why. May throw Interrupted and std::length_error. A tree is looked for when it is asked for: that can take longer
  // than to know that there is one.
  std::function<Evidence()> because = {};
};
using Number = treeauto::BigInteger;
using List = std::vector<std::string>;  // names of symbols, mostly
struct Function {
  std::string name;
  std::vector<std::string> parameters;
  ExpressionPtr body;
  SourcePtr source;  // of the body
};
using FunctionPtr = std::shared_ptr<const Function>;
struct Numbers {  // all from the first to the last; there is one, at least
  std::size_t first;
  std::size_t last;
  friend bool operator==(const Numbers&, const Numbers&) = default;
};
struct TreeList {
  ModelPtr model;
  std::vector<dpn::ExecutionTree> trees;
  bool all = true;  // of those that were asked for
};
// The definition failed, which was reported. Whatever depends on it is passed over in silence.
struct Broken {};

using Value =
    std::variant<Broken, Nothing, Truth, Number, std::string, List, TreeValue, SetPtr, FunctionPtr, Numbers, TreeList>;

// "a set", "a number", …
[[nodiscard]] std::string_view type_name(const Value& value);

// The tree as a term that `member` reads.
[[nodiscard]] std::string term_text(const Model& model, const dpn::ExecutionTree& tree);

}  // namespace lockwood::sets
