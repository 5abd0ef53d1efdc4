#pragma once

#include "dpn/model/query.hpp"
#include "dpn/trees/node_label.hpp"
#include "solver/query/problem.hpp"

// The problems that the solver solves.
namespace lockwood::solver {

using dpn::NodeLabel;
using problem::Awaiting;
using problem::Collect;
using problem::Observer;
using problem::Phase;
using problem::Problem;
using problem::StandGoal;

// A problem that no execution answers, so that an engine which runs on it visits every context of the network.
[[nodiscard]] Problem unanswerable();

// The problem that a query of a file asks.
[[nodiscard]] Problem problem_of(const dpn::Query& query);

}  // namespace lockwood::solver
