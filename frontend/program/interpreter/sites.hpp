#pragma once

#include "base/ids/id_vector.hpp"
#include "explorer/machine/action.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::program {

// Points of all procedures in one numbering: what the explorer calls a site.
class Sites {
 public:
  explicit Sites(const Program& program);

  struct Location {
    ProcedureId procedure;
    Point point;
  };
  [[nodiscard]] explorer::Site operator[](Location place) const {
    return explorer::Site{first_[place.procedure] + place.point.index()};
  }
  [[nodiscard]] Location place(explorer::Site site) const {
    assert(site.index() < procedures_.size());
    const ProcedureId procedure = procedures_[site.index()];
    return {procedure, Point{site.index() - first_[procedure]}};
  }
  [[nodiscard]] std::size_t size() const { return procedures_.size(); }

 private:
  IdVector<ProcedureId, std::size_t> first_;
  std::vector<ProcedureId> procedures_;  // by site
};

}  // namespace lockwood::program
