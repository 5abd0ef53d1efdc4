// Answers the queries of a model, and prints a verdict a line.
#include <iostream>

#include "dpn/formats/model_file.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const lockwood::dpn::ModelFile model = lockwood::dpn::load_model(argv[1]);
  for (const lockwood::dpn::Query& query : model.queries)
    std::cout << to_string(lockwood::solver::solve(model.network, lockwood::solver::problem_of(query)).verdict) << '\n';
}
