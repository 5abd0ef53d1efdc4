#pragma once

#include <boost/container/flat_set.hpp>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "treeauto/automaton/automaton.hpp"
#include "treeauto/automaton/tree.hpp"
#include "treeauto/counting/size_counts.hpp"
#include "treeauto/operations/deterministic.hpp"

namespace lockwood::treeauto {

// Counts the trees of a language by their number of nodes, exactly, and finds each by its number. Trees are counted,
// not runs: an automaton that is not deterministic is made so, perhaps with exponentially many states. Counts for n
// nodes take at most time n² for each left side, less if there are trees of few sizes, and are kept, with those of all
// smaller sizes.
class TreeCounter {
 public:
  explicit TreeCounter(const Automaton& automaton, StopToken stop = {});

  // How many trees with exactly that many nodes are accepted.
  [[nodiscard]] const BigInteger& count(std::size_t nodes, StopToken stop = {});
  // The accepted trees of that size are numbered from 0. Requires 0 ≤ number < count(nodes).
  [[nodiscard]] Tree tree(std::size_t nodes, BigInteger number, StopToken stop = {});

 private:
  // A set of states that are not told apart at some place.
  struct ChildClass {
    std::vector<State> members;
    std::vector<std::uint32_t> prefixes;  // those with such a last child
    SizeCounts counts;
  };
  // Sequences of children from given classes, by the sum of their sizes. Left sides with the same first children share
  // what is counted for these. The first one is the empty sequence.
  struct Prefix {
    std::uint32_t parent;               // without the last child
    std::uint32_t child_class;          // of the last child
    std::vector<std::uint32_t> longer;  // by one child
    std::vector<State> targets;         // of the rows with these children
    SizeCounts counts;
    boost::container::flat_set<std::size_t> due;  // sizes to come of which there are some
  };
  struct Row {
    Symbol symbol;
    std::uint32_t children;  // a prefix
  };

  class PrefixTable;
  void take(const Automaton& automaton, PrefixTable& prefixes);
  void take(const DeterministicAutomaton& automaton, PrefixTable& prefixes);
  std::uint32_t new_class();
  void put(State state, std::uint32_t child_class);
  void put_row(State target, Row row);
  void extend(std::size_t nodes, StopToken stop);
  void count_next_size(StopToken stop);
  void expect(std::uint32_t prefix, std::size_t size);

  Alphabet alphabet_;
  std::vector<State> final_;
  IdVector<State, bool> is_final_;
  IdVector<State, std::vector<Row>> rows_;  // by target
  IdVector<State, std::vector<std::uint32_t>> classes_of_;
  IdVector<State, SizeCounts> counts_;
  std::vector<ChildClass> classes_;
  std::vector<Prefix> prefixes_;
  std::size_t counted_ = 0;                                          // counts other than 0, of states and prefixes
  std::vector<BigInteger> accepted_;                                 // by size
  std::vector<std::uint32_t> grown_;                                 // prefixes of the last size that was counted
  std::unordered_map<std::size_t, std::vector<std::uint32_t>> due_;  // prefixes by a size to come
};

// How many trees with exactly that many nodes the automaton accepts.
[[nodiscard]] BigInteger count_trees(const Automaton& automaton, std::size_t nodes, StopToken stop = {});

}  // namespace lockwood::treeauto
