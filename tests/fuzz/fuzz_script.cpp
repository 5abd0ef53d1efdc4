// Scripts about sets: read, and run on a small model within narrow limits.
#include <chrono>
#include <memory>

#include "base/process/output_error.hpp"
#include "base/process/watchdog.hpp"
#include "base/text/diagnostic.hpp"
#include "dpn/formats/text_format.hpp"
#include "frontend/sets/parser.hpp"
#include "frontend/sets/session.hpp"
#include "tests/fuzz/target.hpp"

namespace fuzz = lockwood::fuzz;
namespace sets = lockwood::sets;
namespace dpn = lockwood::dpn;

namespace {

const sets::ModelPtr& model() {
  static const auto small = std::make_shared<const sets::Model>(
      dpn::parse_dpn("dpn { initial (a) rules { (a) -- n --> (b :> c) (b) -- l - x --> (d, b) "
                     "(d) -- r --> () (c) -- m - x --> (d, c) } }",
                     "small")
          .network);
  return small;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sets::Script script = sets::parse_script(fuzz::text_of(data, size), "input.lwq");
    lockwood::StopSource stop;
    const lockwood::Watchdog watchdog{stop, {.timeout = std::chrono::milliseconds{200}, .memory = std::nullopt}};
    sets::Session session{{.limits = {.states = 200, .stop = lockwood::StopToken{stop}},
                           .way = sets::Way::Automatic,
                           .folder = "/dev/null",  // nothing can be read or written there
                           .load = [](const std::string&) { return model(); },
                           .report = [](const sets::Result&) {},
                           .warn = [](const lockwood::Diagnostic&) {}}};
    session.run(script);
  } catch (const lockwood::InputError&) {
    // No script, or not a right one.
  } catch (const lockwood::OutputError&) {
    // It wants to write.
  } catch (const lockwood::Interrupted&) {
    // It takes too long.
  }
  return 0;
}
