#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

// Models that differ from another one in nothing that matters: whatever is asked, the answer is the same.
namespace lockwood::oracle {

struct Variant {
  std::string name;  // what was changed, for a person
  dpn::Network network;
  // What became of the symbols of the original.
  IdVector<dpn::StackSymbol, dpn::StackSymbol> stacks;
  IdVector<dpn::Lock, dpn::Lock> locks;
  IdVector<dpn::Action, std::vector<dpn::Action>> actions;  // a copied rule has an action that means the same
};

// The rules in another order; all symbols with other names and numbers; a rule a second time, under another action; a
// lock that nobody uses; a rule that nobody reaches. And all of these at once. Always the same for a seed.
[[nodiscard]] std::vector<Variant> variants_of(const dpn::Network& network, std::uint64_t seed);

// The same question about the variant.
[[nodiscard]] dpn::Query translated(const Variant& variant, const dpn::Query& query);

// The actions that mean the same as these.
[[nodiscard]] std::vector<dpn::Action> translated(const Variant& variant, const std::vector<dpn::Action>& actions);

}  // namespace lockwood::oracle
