#pragma once

#include <string>
#include <vector>

#include "frontend/program/ir/program.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::findings {

// A program and its model.
struct PlacedProgram {
  const program::Program& program;
  const program::Lowered& lowered;
  std::string path;  // of the program; not that of a source file if there are several
};

// A query as a person writes it about a program, with its places as stack symbols: in the sets of positions, a label,
// `line 12`, `FILE:12` or `main:12` is replaced by the symbols that stand there. Of a Java program, `A.java:12`,
// `pkg.A:12` (the class), and `pkg.A.run` (where the method begins). Everything else stays. Throws InputError: a place
// that does not exist.
[[nodiscard]] std::string with_symbols(const PlacedProgram& program, const std::string& query);

// The symbols that stand at one such place, or that the name is itself. Throws InputError.
[[nodiscard]] std::vector<dpn::StackSymbol> symbols_at(const PlacedProgram& program, const std::string& place);

}  // namespace lockwood::findings
