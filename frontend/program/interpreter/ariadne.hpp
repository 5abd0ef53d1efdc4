#pragma once

#include <vector>

#include "explorer/search/search.hpp"
#include "frontend/program/interpreter/machine.hpp"
#include "frontend/program/interpreter/parallel_oracle.hpp"

namespace lockwood::program {

// Two accesses of one variable that may be a race.
struct RaceReport {
  Sites::Location left;
  Sites::Location right;
};

// All pairs of accesses of one variable, at least one of them a write, which the table says may meet; without a table,
// all there are.
[[nodiscard]] std::vector<RaceReport> race_reports(const Program& program, const ParallelTable* table);

// The heuristic of Ariadne [milewicz.17.ariadne, section III]. A report
// has two paths, each a list of call sites from where a thread begins to the access. A thread is so far on a path as
// the calls of its real stack are the first ones of the list: a share l of the left path, r of the right one. Let L and
// R be the sums of l and r over the last steps of the run that other threads took. Then the priority of a thread is the
// sum over all reports of R·l + L·r: who is far on one path of a report is kept running with who is far on the other
// one.
//
// The sums of the paper have the steps of the candidate itself, too: then one thread alone that is on both paths gets a
// priority. It is used for the order of the search alone.
class AriadneGuide final : public explorer::Guide {
 public:
  // The machine must be the one that is searched. `window` steps of the run count.
  AriadneGuide(const ProgramMachine& machine, const std::vector<RaceReport>& reports, std::size_t window = 5);

  [[nodiscard]] std::uint64_t priority(const explorer::Machine& machine, std::size_t node,
                                       explorer::ThreadId thread) override;
  void reached(std::size_t from, explorer::ThreadId thread, std::size_t to) override;

 private:
  using Path = std::vector<explorer::Site>;  // call sites, the outermost first, then the access
  using Shares = std::vector<double>;        // left and right of each report
  struct Taken {
    std::size_t from;
    explorer::ThreadId thread;
    Shares shares;  // of the thread, when it took the step
  };

  [[nodiscard]] double share(const Path& path, const std::vector<explorer::Site>& stack) const;
  [[nodiscard]] Shares shares_of(explorer::ThreadId thread) const;

  const ProgramMachine& machine_;
  std::size_t window_;
  std::vector<std::pair<Path, Path>> reports_;
  std::vector<Taken> steps_;  // by node: how the search came there
  Shares last_;               // of the thread that priority() was asked about last
};

}  // namespace lockwood::program
