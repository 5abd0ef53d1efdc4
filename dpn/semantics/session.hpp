#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dpn/model/network.hpp"
#include "dpn/semantics/configuration.hpp"
#include "dpn/semantics/small_step.hpp"

namespace lockwood::dpn {

// A run made by hand, move by move, forth and back. Going back costs no more than going forth: each move remembers
// what it overwrote, at most one frame and the thread's groups. Invariant: the configuration is what the moves lead to
// from the initial one.
class Session {
 public:
  // The network must outlive the session.
  Session(const Network& network, Semantics semantics);

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] Semantics semantics() const { return semantics_; }
  [[nodiscard]] const Configuration& configuration() const { return configuration_; }
  [[nodiscard]] std::vector<Move> enabled() const { return enabled_moves(network_, configuration_, semantics_); }
  // The moves made so far, and those taken back that can be made again, the next one last.
  [[nodiscard]] std::span<const Move> moves() const { return moves_; }
  [[nodiscard]] std::span<const Move> undone() const { return undone_; }

  // Makes the move and forgets the ones taken back; or says why it cannot be made and changes nothing.
  [[nodiscard]] std::optional<Blocked> make(Move move);
  // Takes back the last move, or makes the one taken back last. False if there is none.
  bool undo();
  bool redo();
  // Back to the initial configuration; everything can be redone.
  void rewind();

 private:
  struct Overwritten {
    ControlState control;
    Frame top;
    std::vector<OpenGroup> groups;
  };
  void go(Move move);

  const Network& network_;
  Semantics semantics_;
  Configuration configuration_;
  std::vector<Move> moves_;
  std::vector<Overwritten> overwritten_;  // by each of the moves
  std::vector<Move> undone_;
};

}  // namespace lockwood::dpn
