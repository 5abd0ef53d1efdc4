#include "explorer/search/search.hpp"

#include <algorithm>
#include <cassert>

#include "explorer/search/depth_first.hpp"
#include "explorer/search/frontier_search.hpp"

namespace lockwood::explorer {

bool Omissions::any() const {
  return states || depth || preemptions || hashing || sampling || finding || shards || beyond_level || stopped ||
         std::ranges::find(bounds, true) != bounds.end();
}

std::vector<std::string> to_text(const Omissions& omissions) {
  std::vector<std::string> reasons;
  const auto add = [&](bool holds, const char* what) {
    if (holds) reasons.emplace_back(what);
  };
  add(omissions.states, "max states");
  add(omissions.depth, "max depth");
  add(omissions.preemptions, "max preemptions");
  add(omissions.hashing, "hashing");
  add(omissions.sampling, "sampling");
  add(omissions.finding, "first finding");
  add(omissions.shards, "other shards");
  if (omissions.beyond_level) reasons.push_back("beyond level " + std::to_string(*omissions.beyond_level));
  for (std::size_t i = 0; i < omissions.bounds.size(); ++i) add(omissions.bounds[i], to_string(static_cast<Bound>(i)));
  if (omissions.stopped) reasons.emplace_back(to_string(*omissions.stopped));
  return reasons;
}

SearchResult merged(const std::vector<SearchResult>& shards, std::size_t count) {
  assert(!shards.empty() && shards.size() <= count);
  SearchResult all;
  std::vector<ObservationKey> keys;
  for (const SearchResult& shard : shards) {
    for (const Finding& finding : shard.findings) {
      ObservationKey key = key_of(finding.observation);
      if (std::ranges::find(keys, key) != keys.end()) continue;
      keys.push_back(std::move(key));
      all.findings.push_back(finding);
    }
    if (!all.target) all.target = shard.target;
    Omissions& omissions = all.omissions;
    omissions.states |= shard.omissions.states;
    omissions.depth |= shard.omissions.depth;
    omissions.preemptions |= shard.omissions.preemptions;
    omissions.hashing |= shard.omissions.hashing;
    omissions.sampling |= shard.omissions.sampling;
    omissions.finding |= shard.omissions.finding;
    for (std::size_t i = 0; i < omissions.bounds.size(); ++i) omissions.bounds[i] |= shard.omissions.bounds[i];
    if (!omissions.stopped) omissions.stopped = shard.omissions.stopped;
    omissions.shards |= shard.omissions.shards && shards.size() < count;
    all.omission_probability = std::max(all.omission_probability, shard.omission_probability);
    all.counters.states += shard.counters.states;
    all.counters.matched += shard.counters.matched;
    all.counters.steps += shard.counters.steps;
    all.counters.choices += shard.counters.choices;
    all.counters.pruned += shard.counters.pruned;
    all.counters.full_expansions += shard.counters.full_expansions;
    all.counters.max_depth = std::max(all.counters.max_depth, shard.counters.max_depth);
    all.counters.store_bytes += shard.counters.store_bytes;
    all.counters.questions += shard.counters.questions;
  }
  return all;
}

SearchResult search(Machine& machine, const SearchOptions& options) {
  assert(options.shard.index < options.shard.count);
  assert(options.shard.count == 1 || options.order != Order::DepthFirst);
  assert(options.order != Order::Guided || options.guide != nullptr);
  assert(options.order != Order::Best || options.target != nullptr);
  assert(options.pruner == nullptr || options.order != Order::DepthFirst);
  SearchOptions chosen = options;
  if (options.target != nullptr && !options.target->allows_reduction()) chosen.reduction = Reduction::None;
  return options.order == Order::DepthFirst ? depth_first_search(machine, chosen) : frontier_search(machine, chosen);
}

}  // namespace lockwood::explorer
