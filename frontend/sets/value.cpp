#include "frontend/sets/value.hpp"

#include <array>

#include "treeauto/automaton/tree.hpp"

namespace lockwood::sets {

std::string_view type_name(const Value& value) {
  static constexpr std::array<std::string_view, std::variant_size_v<Value>> names{
      "something broken", "nothing", "true or false", "a number", "a text",         "a list",
      "a tree",           "a set",   "a function",    "a range",  "a list of trees"};
  return names[value.index()];
}

std::string term_text(const Model& model, const dpn::ExecutionTree& tree) {
  return treeauto::to_text(dpn::to_tree(model.alphabet, tree));
}

}  // namespace lockwood::sets
