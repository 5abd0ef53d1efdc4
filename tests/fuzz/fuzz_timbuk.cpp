// Tree automata in Timbuk's format: what can be read is printed and read back as it was.
#include "base/text/diagnostic.hpp"
#include "tests/fuzz/target.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/formats/timbuk_specification.hpp"

namespace fuzz = lockwood::fuzz;
namespace treeauto = lockwood::treeauto;

namespace {

void read(const std::string& text) {
  try {
    const std::string printed = treeauto::to_timbuk(treeauto::read_timbuk(text, "input"));
    const treeauto::Automaton again = treeauto::read_timbuk(printed, "printed", treeauto::TimbukReading::Strict);
    fuzz::require(treeauto::to_timbuk(again) == printed, "a printed automaton is read as it was", printed);
  } catch (const lockwood::InputError&) {
    // No automaton.
  }
}

void read_specification(const std::string& text) {
  try {
    static_cast<void>(treeauto::read_timbuk_specification(text, "input"));
  } catch (const lockwood::InputError&) {
    // No specification.
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  read(text);
  read_specification(text);
  return 0;
}
