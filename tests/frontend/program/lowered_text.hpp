#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frontend/findings/analyses/races.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "tests/oracle/program/random_program.hpp"

namespace lockwood::findings {

// A program that is looked at, and its model.
struct Subject {
  lw::ProgramText source;
  program::Lowered lowered;
  [[nodiscard]] const program::Program& program() const { return source.program; }
};

inline Subject subject(const std::string& text) {
  lw::ProgramText source = lw::read_program(text, "test.lw");
  program::Lowered lowered = program::lower(source.program);
  return {std::move(source), std::move(lowered)};
}

inline constexpr lw::RandomProgramShape small{
    .procedures = 2, .statements = 5, .nesting = 2, .variables = 2, .locks = 2, .spawns = 2};

// That can be reached in the text.
inline std::vector<AccessId> accesses(const program::Lowered& lowered, program::AccessKind kind) {
  std::vector<AccessId> found;
  for (std::size_t i = 0; i < lowered.accesses.size(); ++i)
    if (lowered.accesses[i].kind == kind && !lowered.accesses[i].before.empty()) found.emplace_back(i);
  return found;
}

}  // namespace lockwood::findings
