// Queries of a batch: any text is a question or is refused.

#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/json_text.hpp"
#include "dpn/formats/text_format.hpp"
#include "frontend/cli/input/batch_input.hpp"
#include "frontend/cli/input/batch_query.hpp"
#include "tests/fuzz/target.hpp"

namespace fuzz = lockwood::fuzz;
namespace dpn = lockwood::dpn;

namespace {

const dpn::Network& network() {
  static const dpn::Network small =
      dpn::parse_dpn("dpn { initial (a) rules { (a) -- n --> (b :> c) (b) -- l - x --> (d, b) (d) -- r --> () } }",
                     "small")
          .network;
  return small;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    auto value = lockwood::parse_json_text(fuzz::text_of(data, size), "input");
    static_cast<void>(
        lockwood::frontend::question_of(network(), {.number = 1, .id = "1", .value = std::move(value), .flaw = {}}));
  } catch (const lockwood::InputError&) {
    // No query.
  }
  return 0;
}
