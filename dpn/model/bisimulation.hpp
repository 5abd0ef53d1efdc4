#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::dpn {

using SymbolClass = Id<struct SymbolClassTag>;

// The coarsest bisimulation on the stack symbols of a network: symbols of one class have the same rules, up to the
// classes of the symbols in them. Control states, locks and groups are told apart, and of the actions only those that
// are asked for. So threads at symbols of one class can do the same, now and later (docs/theory.md, Sect. 11).
class Bisimulation {
 public:
  // No action is told apart. The network must outlive it. Throws Interrupted.
  explicit Bisimulation(const Network& network, StopToken stop = {});
  // The same with these actions told apart from all others. Takes time for what becomes different only, after a copy of
  // the classes.
  [[nodiscard]] Bisimulation telling_apart(std::span<const Action> actions, StopToken stop = {}) const;

  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] std::size_t size() const { return begins_.size(); }  // the number of classes
  [[nodiscard]] SymbolClass class_of(StackSymbol symbol) const { return class_of_[symbol]; }
  [[nodiscard]] bool tells_apart(Action action) const { return told_[action] != 0; }

 private:
  // A rule without its symbols, by number, and these symbols.
  struct Shape {
    std::uint32_t number;
    std::vector<StackSymbol> symbols;
  };
  struct Structure {
    IdVector<RuleId, Shape> shapes;  // no action is told apart
    std::uint32_t shape_count = 0;
    std::vector<StackSymbol> users;  // symbols with rules that have a symbol, by symbol, ascending
    std::vector<std::uint32_t> user_begins;
  };

  [[nodiscard]] static Structure structure_of(const Network& network);
  [[nodiscard]] std::span<const StackSymbol> users_of(StackSymbol symbol) const;
  void mark(StackSymbol symbol);
  void refine(StopToken stop);
  struct Signatures;
  void split(SymbolClass what, Signatures& signatures);
  [[nodiscard]] std::uint32_t signature(StackSymbol symbol, Signatures& signatures) const;
  void check_invariants() const;

  const Network* network_;
  std::shared_ptr<const Structure> structure_;
  IdVector<Action, std::uint32_t> told_;  // the number of an action that is told apart, from 1, or 0
  IdVector<StackSymbol, SymbolClass> class_of_;
  // The members of a class are members_[begins_[c] .. ends_[c]); the first `marked_[c]` of them may have another
  // signature than the others, which all have the same.
  std::vector<StackSymbol> members_;
  IdVector<StackSymbol, std::uint32_t> position_;  // in members_
  IdVector<SymbolClass, std::uint32_t> begins_;
  IdVector<SymbolClass, std::uint32_t> ends_;
  IdVector<SymbolClass, std::uint32_t> marked_;
  std::vector<SymbolClass> worklist_;  // classes with marked members
};

}  // namespace lockwood::dpn
