#pragma once

#include <vector>

#include "base/ids/id_vector.hpp"
#include "frontend/program/interpreter/sites.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::program {

// A program in which threads are before some points that they would otherwise run through: each gets a choice before
// it, with two outcomes that are the same. Whoever searches for a place where nothing visible happens needs that.
class MarkedProgram {
 public:
  // Points whose instructions are always visible get no mark.
  MarkedProgram(Program program, const std::vector<Sites::Location>& places);

  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] bool is_mark(const Sites::Location& place) const;
  // Of the program without marks.
  [[nodiscard]] Sites::Location original(const Sites::Location& place) const;

 private:
  Program program_;
  IdVector<ProcedureId, std::size_t> points_;        // that the procedure had
  IdVector<ProcedureId, std::vector<Point>> marks_;  // of the points that came after them, each where it was
};

}  // namespace lockwood::program
