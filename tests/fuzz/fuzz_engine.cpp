// The engines themselves: the input is read as a list of choices, which make a small network and a query. The engine,
// with either domain, the construction of the paper and exploration must not contradict each other; every witness must
// replay, and every certificate must be accepted.
#include <chrono>

#include "dpn/formats/text_format.hpp"
#include "frontend/cli/answering/engines.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/oracle/dpn/random_network.hpp"

namespace fuzz = lockwood::fuzz;
namespace dpn = lockwood::dpn;
namespace frontend = lockwood::frontend;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 16) return 0;
  std::size_t used = 0;
  const auto choose = [&](std::size_t bound) { return used < size ? data[used++] % bound : 0; };
  const dpn::Network network =
      dpn::network_by(choose, {.controls = 2, .stacks = 6, .locks = 2, .actions = 3, .rules = 10});
  const dpn::Query query = dpn::query_by(choose, network);
  static const std::vector<frontend::Engine> engines{
      frontend::fast_engine(), frontend::zdd_engine(), frontend::reference_engine(),
      frontend::explore_engine({.configurations = 2000, .stack_depth = 6, .threads = 4})};
  const auto opinions = frontend::opinions(engines, network, query, std::chrono::milliseconds{300}, {});
  if (!frontend::disagree(opinions)) return 0;
  std::string evidence = dpn::to_dpn(network, {{query}});
  for (std::size_t i = 0; i < engines.size(); ++i)
    evidence += engines[i].name + ": " + frontend::to_text(opinions[i]) + "\n";
  fuzz::require(false, "the engines agree", evidence);
  return 0;
}
