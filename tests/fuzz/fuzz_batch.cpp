// Queries of a batch: any text is a question or is refused.

#include "base/diagnostic.hpp"
#include "base/json.hpp"
#include "base/json_text.hpp"
#include "dpn/text_format.hpp"
#include "frontend/batch_input.hpp"
#include "frontend/batch_query.hpp"
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
