#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dpn/trees/execution_tree.hpp"
#include "frontend/sets/automata.hpp"
#include "frontend/sets/set.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::sets {

// How questions about sets are answered.
enum class Way {
  Automatic,  // by the engine if the set is of its shape, else by automata
  Automata,
};

// Whether a set is empty, and if not by which tree: the problem that the engine is given, or why it is not asked.
struct Question {
  SetPtr set;
  std::variant<solver::Problem, std::string> asked;
  std::uint32_t phase = 0;  // of the problem: at its end, the tree of the execution is in the set
};
[[nodiscard]] Question question_about(const SetPtr& set, Way way, StopToken stop);

// Which way the answer is found, and why: sentences for people.
[[nodiscard]] std::vector<std::string> way_of(const Question& question);

// No tree is made. Throws Interrupted, as does what follows.
[[nodiscard]] bool is_empty(const Question& question, Automata& automata);

struct FoundTree {
  dpn::ExecutionTree tree;
  bool smallest;  // no tree of the set is known to have fewer nodes, or else it is merely one that was found
};
// Nothing if the set is empty. Throws treeauto::TreeTooLarge, which is a std::length_error.
[[nodiscard]] std::optional<FoundTree> some_tree(const Question& question, Automata& automata,
                                                 std::uint64_t max_nodes = 1'000'000);

}  // namespace lockwood::sets
