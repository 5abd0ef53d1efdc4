// Programs: what can be read is printed and read back as it was, and lowered to a model if its bools permit.
#include "base/text/diagnostic.hpp"
#include "frontend/lw/printer.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "tests/fuzz/target.hpp"

namespace fuzz = lockwood::fuzz;
namespace lw = lockwood::lw;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const lw::ProgramText program = lw::read_program(fuzz::text_of(data, size), "input.lw");
    const std::string text = lw::to_text(program.tree);
    const lw::ProgramText again = lw::read_program(text, "printed.lw");
    fuzz::require(lw::to_text(again.tree) == text, "a printed program is read as it was", text);
    const auto lowered = lockwood::program::lower(program.program, {.abstracted = {}, .valuations_per_point = 64});
    fuzz::require(lowered.network.rules().size() == lowered.rules.size(), "every rule has an origin", text);
  } catch (const lockwood::InputError&) {
    // No program, or one with too many bools.
  }
  return 0;
}
