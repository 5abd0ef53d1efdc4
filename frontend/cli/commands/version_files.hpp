#pragma once

#include <map>
#include <string>

#include "frontend/cli/input/program_input.hpp"
#include "frontend/program/interpreter/exploration.hpp"
#include "frontend/program/interpreter/version_store.hpp"

namespace lockwood::frontend {

// What versions of a program must have in common, so that their states can be compared: variables, locks, bounds.
[[nodiscard]] std::string common_digest(const ProgramInput& input, const program::ExplorationOptions& search);

// A digest of each procedure, by name: of its text, and of the heads of those that it calls or spawns.
[[nodiscard]] std::map<std::string, std::string> procedure_digests(const ProgramInput& input);

// The text of each procedure, by name.
[[nodiscard]] std::map<std::string, std::string> procedure_texts(const ProgramInput& input);

}  // namespace lockwood::frontend
