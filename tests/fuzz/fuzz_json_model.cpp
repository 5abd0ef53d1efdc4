// Models in JSON: what can be read is printed, and read back as it was.
#include "base/text/diagnostic.hpp"
#include "dpn/formats/json_format.hpp"
#include "tests/fuzz/target.hpp"

namespace fuzz = lockwood::fuzz;
namespace dpn = lockwood::dpn;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const dpn::ModelFile model = dpn::parse_json(fuzz::text_of(data, size), "input");
    const std::string json = dpn::to_json(model.network, model.queries);
    const dpn::ModelFile again = dpn::parse_json(json, "printed");
    fuzz::require(dpn::to_json(again.network, again.queries) == json, "a printed model is read as it was", json);
  } catch (const lockwood::InputError&) {
    // No model.
  }
  return 0;
}
