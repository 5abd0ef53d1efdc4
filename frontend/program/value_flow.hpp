#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/id_vector.hpp"
#include "frontend/program/program.hpp"

namespace lockwood::program {

// Where the values of locals may go: through assignments, arguments, results and writes, whatever the order of the
// statements is. That a statement is done at all because of a value does not count, but within one statement a branch
// does, since `&&` and `||` are branches.
class ValueFlow {
 public:
  explicit ValueFlow(const Program& program);

  // A local, seen from a statement that sets it.
  struct Source {
    ProcedureId procedure;
    Local local;
    std::uint32_t statement;
  };
  // How far a value gets.
  enum class Way {
    Inside = 1,  // within the frame and the statement where it begins, and in what that calls
    Outside = 2  // on some other way
  };
  class Reached {
   public:
    // Whether the instruction at the point uses the value, or is done in a statement that branches on it.
    [[nodiscard]] bool used_at(ProcedureId procedure, Point point, Way way) const;
    [[nodiscard]] bool used_at(ProcedureId procedure, Point point) const {
      return used_at(procedure, point, Way::Inside) || used_at(procedure, point, Way::Outside);
    }

   private:
    friend class ValueFlow;
    Reached(const ValueFlow& flow, std::size_t nodes) : flow_{flow}, ways_(nodes) {}
    const ValueFlow& flow_;
    std::vector<unsigned char> ways_;  // of each node, the ways that lead there
  };
  // The flow must outlive it.
  [[nodiscard]] Reached reached(const std::vector<Source>& sources) const;

 private:
  // Locals and the result of each procedure, and its statements that branch.
  struct Edge {
    std::size_t to;
    ProcedureId procedure;  // whose instruction it is
    std::uint32_t statement;
    std::optional<ProcedureId> enters;  // by a call; for a spawn, which starts a thread, `spawns` too
    bool spawns = false;
  };
  [[nodiscard]] std::size_t node(ProcedureId procedure, Local local) const { return first_[procedure] + local.index(); }
  [[nodiscard]] std::size_t result(ProcedureId procedure) const {
    return first_[procedure] + program_.procedures[procedure].locals.size();
  }
  [[nodiscard]] std::size_t statement(ProcedureId procedure, std::uint32_t number) const {
    return result(procedure) + 1 + number;
  }
  void add(ProcedureId procedure, const Node& node);

  const Program& program_;
  IdVector<ProcedureId, std::size_t> first_;  // node
  std::vector<std::vector<Edge>> edges_;
};

}  // namespace lockwood::program
