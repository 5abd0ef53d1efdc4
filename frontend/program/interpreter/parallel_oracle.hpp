#pragma once

#include <map>
#include <vector>

#include "explorer/reduction/oracle.hpp"
#include "explorer/search/search.hpp"
#include "frontend/program/interpreter/sites.hpp"

namespace lockwood::program {

// Before which pairs of sites two different threads can be at the same time, locks respected: a static fact about
// the whole program. What is not in the table is certain not to happen.
class ParallelTable {
 public:
  explicit ParallelTable(std::size_t sites) : sites_{sites}, pairs_(sites * sites) {}

  void insert(explorer::Site a, explorer::Site b) {
    pairs_[a.index() * sites_ + b.index()] = true;
    pairs_[b.index() * sites_ + a.index()] = true;
  }
  [[nodiscard]] bool contains(explorer::Site a, explorer::Site b) const {
    return pairs_[a.index() * sites_ + b.index()];
  }
  [[nodiscard]] std::size_t sites() const { return sites_; }

 private:
  std::size_t sites_;
  std::vector<bool> pairs_;
};

// An oracle for frozen sets: if nobody can ever be before a conflicting action while another thread stands where a
// frozen one does, nobody comes to stand there while it is frozen. The order of two accesses that one lock protects is
// decided where the lock is acquired. Throws std::logic_error if the thread that it is asked about stands there now:
// then the table is wrong.
class ParallelOracle final : public explorer::Oracle {
 public:
  // Both must outlive it.
  ParallelOracle(const Program& program, const ParallelTable& table);

  [[nodiscard]] bool cannot_reach(const explorer::Machine& machine, const explorer::Question& question) override;

 private:
  struct Deed {  // what may be done at a site
    explorer::Site site;
    explorer::KindSet kinds;
  };
  using Key = std::pair<explorer::Site, std::pair<bool, std::uint32_t>>;  // where a thread is frozen; of which object

  const Program& program_;
  const ParallelTable& table_;
  std::map<std::pair<bool, std::uint32_t>, std::vector<Deed>> deeds_;  // by whether it is a monitor, and which object
  std::map<Key, explorer::KindSet> parallel_;                          // what may be done by others then
};

// Watches that the table is right: throws std::logic_error if two threads stand where it says that they cannot.
class ParallelWatch final : public explorer::Listener {
 public:
  // Both must outlive it.
  ParallelWatch(const Program& program, const ParallelTable& table) : program_{program}, table_{table} {}
  void visit(const explorer::Machine& machine) override;

 private:
  const Program& program_;
  const ParallelTable& table_;
};

}  // namespace lockwood::program
