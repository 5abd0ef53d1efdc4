#include "frontend/program/interpreter/sites.hpp"

namespace lockwood::program {

Sites::Sites(const Program& program) {
  for (ProcedureId procedure : program.procedures.keys()) {
    first_.push_back(procedures_.size());
    procedures_.insert(procedures_.end(), program.procedures[procedure].points.size(), procedure);
  }
}

}  // namespace lockwood::program
