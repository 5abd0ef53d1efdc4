#include "frontend/findings/analyses/instrumented.hpp"

namespace lockwood::findings {

dpn::Schedule original_schedule(const Instrumented& instrumented, const dpn::Schedule& schedule) {
  dpn::Schedule result;
  std::size_t phase = 0;
  for (std::size_t i = 0; i <= schedule.moves.size(); ++i) {
    for (; phase < schedule.cuts.size() && schedule.cuts[phase] == i; ++phase)
      result.cuts.push_back(result.moves.size());
    if (i == schedule.moves.size()) break;
    const dpn::Move& move = schedule.moves[i];
    if (const auto rule = instrumented.original[move.rule]) result.moves.push_back({move.thread, *rule});
  }
  return result;
}

}  // namespace lockwood::findings
