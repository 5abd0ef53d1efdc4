#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "dpn/execution_tree.hpp"
#include "frontend/sets/set.hpp"
#include "frontend/sets/syntax.hpp"
#include "treeauto/count.hpp"

namespace lockwood::sets {

// What expressions mean.
struct Nothing {};  // the tree of a set that has none
struct Truth {
  bool holds;
  std::string because;  // a tree that shows it, as a term; may be empty
};
using Number = treeauto::BigInteger;
using List = std::vector<std::string>;  // names of symbols, mostly
struct TreeValue {
  ModelPtr model;
  dpn::ExecutionTree tree;
};
struct Function {
  std::string name;
  std::vector<std::string> parameters;
  ExpressionPtr body;
  SourcePtr source;  // of the body
};
using FunctionPtr = std::shared_ptr<const Function>;
// The definition failed, which was reported. Whatever depends on it is passed over in silence.
struct Broken {};

using Value = std::variant<Broken, Nothing, Truth, Number, std::string, List, TreeValue, SetPtr, FunctionPtr>;

// "a set", "a number", …
[[nodiscard]] std::string_view type_name(const Value& value);

// The tree as a term that `member` reads.
[[nodiscard]] std::string term_text(const Model& model, const dpn::ExecutionTree& tree);

}  // namespace lockwood::sets
