#include "tests/oracle/ways_to_solve.hpp"

#include <array>
#include <cassert>

#include "tests/oracle/state_space.hpp"

namespace lockwood::oracle {
namespace {

using solver::DomainChoice;
using solver::Reductions;

struct NamedReduction {
  const char* name;
  bool Reductions::*member;
};
constexpr std::array reductions{
    NamedReduction{"rules", &Reductions::rules},   NamedReduction{"spawns", &Reductions::spawns},
    NamedReduction{"locks", &Reductions::locks},   NamedReduction{"procedures", &Reductions::procedures},
    NamedReduction{"chains", &Reductions::chains}, NamedReduction{"goals", &Reductions::goals}};
constexpr std::size_t subsets = std::size_t{1} << reductions.size();

Reductions subset(std::size_t bits) {
  assert(bits < subsets);
  Reductions chosen = Reductions::none();
  for (std::size_t i = 0; i < reductions.size(); ++i) chosen.*reductions[i].member = ((bits >> i) & 1U) != 0;
  return chosen;
}

std::string text_of(std::size_t bits) {
  std::string text = "reductions:";
  for (std::size_t i = 0; i < reductions.size(); ++i)
    if (((bits >> i) & 1U) != 0) text += std::string{" "} + reductions[i].name;
  return bits == 0 ? text + " none" : text;
}

Way way(std::size_t bits, DomainChoice domain) {
  // Diagrams take over as soon as two structures are incomparable.
  return {text_of(bits) + (domain == DomainChoice::Zdd    ? "; domain: zdd"
                           : domain == DomainChoice::Auto ? "; domain: auto"
                                                          : "; domain: explicit"),
          {.domain = domain, .many_structures = 1, .reductions = subset(bits)}};
}

}  // namespace

std::vector<Way> ways_to_solve(std::uint64_t turn) {
  std::vector<std::size_t> chosen{subsets - 1, 0};
  for (std::size_t i = 0; i < reductions.size(); ++i) {
    chosen.push_back(std::size_t{1} << i);
    chosen.push_back(subsets - 1 - (std::size_t{1} << i));
  }
  std::vector<Way> ways;
  for (const std::size_t bits : chosen) ways.push_back(way(bits, DomainChoice::Explicit));
  for (std::uint64_t i = 0; i < 4; ++i) ways.push_back(way(chosen[(4 * turn + i) % chosen.size()], DomainChoice::Zdd));
  constexpr std::uint64_t stride = 37;  // so that neighbours are unlike each other, and all subsets come
  for (std::uint64_t i = 0; i < 2; ++i) {
    Way& other = ways.emplace_back(way((2 * turn + i) * stride % subsets, DomainChoice::Auto));
    if (turn % 8 != 0) continue;  // threads cost more than they find
    other.options.jobs = 2;
    other.options.large_frontier = 1;
    other.name += "; jobs: 2";
  }
  return ways;
}

std::optional<std::string> wrong_answer(const dpn::Network& network, const solver::Problem& problem, dpn::Verdict truth,
                                        const std::vector<Way>& ways, std::size_t& verdicts) {
  assert(truth != dpn::Verdict::Unknown);
  for (const Way& asked : ways) {
    ++verdicts;
    const auto wrong = [&](const std::string& what) { return what + " (" + asked.name + ")"; };
    try {
      const solver::Answer answer = solve(network, problem, asked.options);
      if (answer.verdict != truth)
        return wrong(std::string{to_string(answer.verdict)} + " instead of " + to_string(truth));
      if (answer.verdict != dpn::Verdict::Reachable) continue;
      if (!answer.witness) return wrong("there is no witness");
      if (const auto error = replay_error(network, problem, answer.witness->schedule))
        return wrong("the witness does not replay: " + *error);
    } catch (const solver::BrokenAnswer& error) {
      return wrong(error.what());
    }
  }
  return std::nullopt;
}

}  // namespace lockwood::oracle
