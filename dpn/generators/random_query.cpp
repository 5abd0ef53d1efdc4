#include "dpn/generators/random_query.hpp"

#include <algorithm>
#include <cassert>

#include "base/ids/random.hpp"

namespace lockwood::dpn {
namespace {

// Between one and `most` different symbols, ascending.
template <class Key>
std::vector<Key> some(const Vocabulary<Key>& vocabulary, std::size_t most, Random& random) {
  std::vector<Key> keys;
  for (std::size_t i = 1 + random.below(most); i > 0; --i) keys.push_back(Key{random.below(vocabulary.size())});
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace

Query random_query(const Network& network, const QueryShape& shape, std::uint64_t seed) {
  assert(!network.rules().empty() && shape.steps > 0 && shape.sets > 0 && shape.symbols > 0);
  Random random{seed};
  Query query;
  query.steps.resize(1 + random.below(shape.steps));
  bool restricted = false;
  for (QueryStep& step : query.steps) {
    for (std::size_t i = 1 + random.below(shape.sets); i > 0; --i)
      step.positions.push_back(some(network.stack_symbols(), shape.symbols, random));
    if (shape.restricted && random.percent(40)) step.avoiding = some(network.actions(), 2, random);
    if (shape.restricted && random.percent(25)) step.requiring = some(network.actions(), 2, random);
    restricted = restricted || !step.avoiding.empty() || !step.requiring.empty();
  }
  const std::size_t sets = query.steps[0].positions.size();
  query.form = query.steps.size() > 1 || restricted || sets > 2 ? QueryForm::Iterate
               : sets == 2                                      ? QueryForm::Conflict
                                                                : QueryForm::Reach;
  return query;
}

}  // namespace lockwood::dpn
