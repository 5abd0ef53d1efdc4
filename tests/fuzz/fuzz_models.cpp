// Models of library classes: what can be read is printed and read back as it was.
#include <vector>

#include "base/text/diagnostic.hpp"
#include "frontend/java/library/model_printer.hpp"
#include "frontend/java/library/model_reader.hpp"
#include "tests/fuzz/target.hpp"

namespace fuzz = lockwood::fuzz;
namespace library = lockwood::java::library;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::vector<library::ModelText> input{{"input.models", fuzz::text_of(data, size)}};
    const library::Library models = library::read_library(input);
    const std::vector<library::ModelText> printed{{"printed.models", library::to_text(models)}};
    const library::Library again = library::read_library(printed);
    fuzz::require(library::to_text(again) == printed.front().text, "printed models are read as they were",
                  printed.front().text);
  } catch (const lockwood::InputError&) {
    // No models.
  }
  return 0;
}
