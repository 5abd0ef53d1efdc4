#include "frontend/program/ir/control.hpp"

#include <algorithm>

namespace lockwood::program {
namespace {

// Marks reachable points, all procedures at once. A call is left with its callee, so that handlers are marked once the
// callee throws: each edge is walked once.
class Marking {
 public:
  explicit Marking(const Program& program) : program_{program}, callers_(program.procedures.size()) {
    result_.thrown.resize(program.procedures.size());
    for (const Procedure& procedure : program.procedures)
      result_.reachable.push_back(IdVector<Point, bool>(procedure.points.size()));
  }

  Control run() && {
    for (ProcedureId procedure : program_.procedures.keys()) mark({procedure, program_.procedures[procedure].entry});
    while (!worklist_.empty()) {
      const Location place = worklist_.back();
      worklist_.pop_back();
      follow(place);
    }
    return std::move(result_);
  }

 private:
  struct Location {
    ProcedureId procedure;
    Point point;
  };

  void mark(Location place) {
    auto reached = result_.reachable[place.procedure][place.point];
    if (reached) return;
    reached = true;
    worklist_.push_back(place);
  }

  void follow(Location place) {
    const Procedure& procedure = program_.procedures[place.procedure];
    const Instruction& instruction = procedure.points[place.point].instruction;
    if (const auto* call = std::get_if<Call>(&instruction)) {
      mark({place.procedure, call->next});
      callers_[call->procedure].push_back(place);
      for (ExceptionClass thrown : result_.thrown[call->procedure]) mark({place.procedure, handler_of(*call, thrown)});
      return;
    }
    if (const auto* raise = std::get_if<Raise>(&instruction)) throw_out(place.procedure, raise->thrown);
    for (Point next : successors(procedure, place.point)) mark({place.procedure, next});
  }

  void throw_out(ProcedureId procedure, ExceptionClass thrown) {
    auto& known = result_.thrown[procedure];
    const auto at = std::ranges::lower_bound(known, thrown);
    if (at != known.end() && *at == thrown) return;
    known.insert(at, thrown);
    for (const Location& caller : callers_[procedure]) mark({caller.procedure, handler_of(call_at(caller), thrown)});
  }
  [[nodiscard]] const Call& call_at(const Location& place) const {
    return std::get<Call>(program_.procedures[place.procedure].points[place.point].instruction);
  }

  const Program& program_;
  Control result_;
  IdVector<ProcedureId, std::vector<Location>> callers_;  // reachable calls
  std::vector<Location> worklist_;
};

}  // namespace

Control control_of(const Program& program) { return Marking{program}.run(); }

IdVector<ProcedureId, bool> reachable_procedures(const Program& program, const Control& control) {
  IdVector<ProcedureId, bool> reachable(program.procedures.size());
  std::vector<ProcedureId> worklist;
  const auto mark = [&](ProcedureId procedure) {
    if (reachable[procedure]) return;
    reachable[procedure] = true;
    worklist.push_back(procedure);
  };
  mark(program.main);
  while (!worklist.empty()) {
    const ProcedureId id = worklist.back();
    worklist.pop_back();
    const Procedure& procedure = program.procedures[id];
    for (Point point : procedure.points.keys()) {
      if (!control.reachable[id][point]) continue;
      const Instruction& instruction = procedure.points[point].instruction;
      if (const auto* call = std::get_if<Call>(&instruction)) mark(call->procedure);
      if (const auto* spawn = std::get_if<Spawn>(&instruction)) mark(spawn->procedure);
    }
  }
  return reachable;
}

}  // namespace lockwood::program
