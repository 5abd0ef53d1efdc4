#pragma once

#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "solver/locks/lock_set.hpp"

namespace lockwood::solver {

// Which locks a thread can hold at a head, and which it can be without: what other threads do is not looked at. Sets of
// locks that are held together are not enumerated, only pairs of a lock that is held and one that is not. So it takes
// time and memory linear in the network and in the square of the locks, where contexts of the engine may be 2ⁿ for each
// head. For models without joins it is as exact as these; a join may keep a thread from where it seems to come here.
class ThreadLocks {
 public:
  // The network must outlive it. Throws Interrupted.
  explicit ThreadLocks(const dpn::Network& network, StopToken stop = {});

  // The heads that threads come to, each once, ascending.
  [[nodiscard]] const std::vector<dpn::Head>& heads() const { return heads_; }
  // At one of these heads: the locks that a thread holds in some run, that it is without in some run, and that it holds
  // in some run in which it is without the given one.
  [[nodiscard]] LockSet held(dpn::Head head) const;
  [[nodiscard]] LockSet lacked(dpn::Head head) const;
  [[nodiscard]] LockSet held_without(dpn::Head head, Lock lacking) const;

 private:
  using FrameId = Id<struct FrameTag>;
  // All frames that are entered, or threads that begin, at one head. All heads in a frame have the locks of its entry.
  struct Frame {
    LockSet held;
    LockSet lacked;
    std::vector<LockSet> held_without;  // by the lock that is lacking
  };
  class Frames;
  [[nodiscard]] const std::vector<FrameId>& frames_at(dpn::Head head) const;

  std::vector<dpn::Head> heads_;
  std::vector<std::vector<FrameId>> frames_at_;  // by the number of the head
  IdVector<FrameId, Frame> frames_;
};

}  // namespace lockwood::solver
