#pragma once

#include <vector>

#include "explorer/search/pairwise.hpp"
#include "frontend/program/interpreter/machine.hpp"

namespace lockwood::program {

// Places of a program that have changed, as threads see them.
class ChangedFragment final : public explorer::Fragment {
 public:
  // The machine must be the one that is searched.
  ChangedFragment(const ProgramMachine& machine, const std::vector<Sites::Location>& places);

  [[nodiscard]] bool contains(const explorer::Machine& machine, explorer::ThreadId thread) override;
  [[nodiscard]] bool may_be_entered(const explorer::Machine& machine, explorer::ThreadId thread) override;

 private:
  const ProgramMachine& machine_;
  std::vector<bool> changed_;                   // by site
  IdVector<ProcedureId, bool> may_be_entered_;  // by a thread that executes the procedure
};

// The places of this version that the one before does not have: of each procedure that differs, the statements that
// overlap what lies between the common beginning and the common end of the two texts. All of the procedure, if it is
// new, or if nothing visible is among them. Texts of procedures by name.
[[nodiscard]] std::vector<Sites::Location> changed_places(const Program& program, const std::string& text,
                                                          const std::map<std::string, std::string>& before);
// All places of these procedures.
[[nodiscard]] std::vector<Sites::Location> places_of(const Program& program,
                                                     const std::vector<std::string>& procedures);

}  // namespace lockwood::program
