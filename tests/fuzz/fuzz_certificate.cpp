// Proofs: whatever the verifier accepts is true, as the engine decides it anew.
#include "base/text/diagnostic.hpp"
#include "dpn/formats/text_format.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/problem_json.hpp"
#include "tests/fuzz/target.hpp"
#include "verify/verify.hpp"

namespace fuzz = lockwood::fuzz;
namespace dpn = lockwood::dpn;
namespace solver = lockwood::solver;

namespace {

// Two threads, two locks taken in opposite orders: most questions about it need locks.
const dpn::Network& network() {
  static const dpn::Network small =
      dpn::parse_dpn(
          "dpn { initial (a0) rules { (a0) -- spawn --> (a :> b) (a) -- ax - x --> (ay, a) (ay) -- ay - y --> (az, ae) "
          "(az) -- ret --> () (ae) -- ret --> () (b) -- by - y --> (bx, b) (bx) -- bx - x --> (bz, be) (bz) -- ret --> "
          "() "
          "(be) -- ret --> () } }",
          "small")
          .network;
  return small;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  try {
    const auto checked = lockwood::verify::judge(network(), text, "input");
    if (checked.flaw) return 0;
    const auto problem = lockwood::problem::read_problem(network(), nlohmann::json::parse(text).at("problem"));
    if (problem.collect) return 0;
    const dpn::Verdict verdict = solver::solve(network(), problem).verdict;
    fuzz::require(verdict == (checked.claim == "reachable" ? dpn::Verdict::Reachable : dpn::Verdict::Unreachable),
                  "what the verifier accepts is true", text);
  } catch (const lockwood::InputError&) {
    // No proof.
  }
  return 0;
}
