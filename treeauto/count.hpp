#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/id_vector.hpp"
#include "base/stop.hpp"
#include "treeauto/automaton.hpp"
#include "treeauto/deterministic.hpp"
#include "treeauto/tree.hpp"

namespace lockwood::treeauto {

using BigInteger = boost::multiprecision::cpp_int;

/// Counts the trees of a language by their number of nodes, exactly, and finds each by its number. Trees are counted,
/// not runs: an automaton that is not deterministic is made so, perhaps with exponentially many states. Counts for n
/// nodes take time n² for each left side, and are kept, with those of all smaller sizes.
class TreeCounter {
 public:
  explicit TreeCounter(const Automaton& automaton, StopToken stop = {});

  /// How many trees with exactly that many nodes are accepted.
  [[nodiscard]] const BigInteger& count(std::size_t nodes, StopToken stop = {});
  /// The accepted trees of that size are numbered from 0. Requires 0 ≤ number < count(nodes).
  [[nodiscard]] Tree tree(std::size_t nodes, BigInteger number, StopToken stop = {});

 private:
  // Counts by size: entry i is for i nodes.
  using Counts = std::vector<BigInteger>;
  // A set of states that are not told apart at some place.
  struct ChildClass {
    std::vector<State> members;
    Counts counts;
    std::vector<std::size_t> sizes;  // those with a count other than 0
  };
  // Sequences of children from given classes, by the sum of their sizes. Left sides with the same first children share
  // what is counted for these. The first one is the empty sequence.
  struct Prefix {
    std::uint32_t parent;       // without the last child
    std::uint32_t child_class;  // of the last child
    Counts counts;
  };
  struct Row {
    Symbol symbol;
    std::uint32_t children;  // a prefix
  };

  class PrefixTable;
  void take(const Automaton& automaton, PrefixTable& prefixes);
  void take(const DeterministicAutomaton& automaton, PrefixTable& prefixes);
  void extend(std::size_t nodes, StopToken stop);

  Alphabet alphabet_;
  std::vector<State> final_;
  IdVector<State, std::vector<Row>> rows_;  // by target
  IdVector<State, Counts> counts_;
  std::vector<ChildClass> classes_;
  std::vector<Prefix> prefixes_;
  Counts accepted_;
};

/// How many trees with exactly that many nodes the automaton accepts.
[[nodiscard]] BigInteger count_trees(const Automaton& automaton, std::size_t nodes, StopToken stop = {});

}  // namespace lockwood::treeauto
