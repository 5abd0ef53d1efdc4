// Models in the text format: what can be read is printed, and read back as it was, also through JSON.
#include "base/text/diagnostic.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/formats/text_format.hpp"
#include "tests/fuzz/target.hpp"

namespace fuzz = lockwood::fuzz;
namespace dpn = lockwood::dpn;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const dpn::ModelFile model = dpn::parse_dpn(fuzz::text_of(data, size), "input");
    const std::string text = dpn::to_dpn(model.network, model.queries);
    const dpn::ModelFile again = dpn::parse_dpn(text, "printed");
    fuzz::require(dpn::to_dpn(again.network, again.queries) == text, "a printed model is read as it was", text);
    const std::string json = dpn::to_json(model.network, model.queries);
    const dpn::ModelFile third = dpn::parse_json(json, "json");
    fuzz::require(dpn::to_json(third.network, third.queries) == json, "a model in JSON is read as it was", json);
  } catch (const lockwood::InputError&) {
    // No model.
  }
  return 0;
}
