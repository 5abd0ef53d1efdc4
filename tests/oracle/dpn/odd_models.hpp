#pragma once

#include <random>
#include <vector>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

namespace lockwood::dpn {

// A network of random shape, with names and labels that need every kind of care in writing, its symbols in an order
// that is not that of their first appearance, and some of them not used at all.
[[nodiscard]] Network odd_network(std::mt19937_64& random);

// Questions of all forms about it, some of them with empty sets, some that their form cannot say.
[[nodiscard]] std::vector<Query> odd_queries(std::mt19937_64& random, const Network& network);

// The same questions in forms that can say them.
[[nodiscard]] std::vector<Query> as_written(std::vector<Query> queries);

}  // namespace lockwood::dpn
