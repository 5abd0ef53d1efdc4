#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dpn/model/network.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::oracle {

// A way to have a problem decided, with its name for a person: "reductions: all but locks; domain: explicit".
struct Way {
  std::string name;
  solver::SolveOptions options;
};

// Each reduction alone, each one off alone, all and none, with structures one by one; the same in decision diagrams, of
// which each turn has four; and two subsets of the reductions with several threads, other ones in each turn.
[[nodiscard]] std::vector<Way> ways_to_solve(std::uint64_t turn);

// What is wrong with the answers of the solver in these ways, or nothing: a verdict that is not the true one, a witness
// that is missing or that does not replay, by the product's check or by the oracle's. Counts the verdicts that were
// compared.
[[nodiscard]] std::optional<std::string> wrong_answer(const dpn::Network& network, const solver::Problem& problem,
                                                      dpn::Verdict truth, const std::vector<Way>& ways,
                                                      std::size_t& verdicts);

}  // namespace lockwood::oracle
