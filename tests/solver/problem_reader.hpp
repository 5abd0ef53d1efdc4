#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "dpn/network.hpp"
#include "solver/problem.hpp"

namespace lockwood::solver {

// The inverse of problem_json. Throws std::runtime_error if a name is not the network's.
[[nodiscard]] inline Problem problem_of(const dpn::Network& network, const nlohmann::ordered_json& json) {
  using Json = nlohmann::ordered_json;
  const auto symbol = [](const auto& vocabulary, const std::string& name) {
    const auto key = vocabulary.find(name);
    if (!key) throw std::runtime_error{"unknown name " + name};
    return *key;
  };
  const auto symbols = [&](const auto& vocabulary, const Json& names) {
    std::vector<std::decay_t<decltype(*vocabulary.find(""))>> keys;
    for (const Json& name : names) keys.push_back(symbol(vocabulary, name.get<std::string>()));
    return keys;
  };
  Problem problem;
  if (json.at("semantics") == "lock-insensitive") problem.semantics = dpn::Semantics::LockInsensitive;
  for (const Json& item : json.at("phases")) {
    Phase& phase = problem.phases.emplace_back();
    if (item.contains("avoiding")) phase.avoiding = symbols(network.actions(), item["avoiding"]);
    if (item.contains("fired"))
      for (const Json& actions : item["fired"]) phase.fired.push_back(symbols(network.actions(), actions));
    if (item.contains("standing"))
      for (const Json& entry : item["standing"]) {
        StandGoal& goal = phase.standing.emplace_back();
        if (entry.contains("tops")) goal.tops = symbols(network.stacks(), entry["tops"]);
        if (entry.contains("holding")) goal.holding = symbol(network.locks(), entry["holding"]);
        if (entry.contains("wanting")) goal.wanting = symbol(network.locks(), entry["wanting"]);
      }
  }
  if (json.contains("collect") && !json["collect"].empty()) {
    problem.collect.emplace();
    for (const Json& tops : json["collect"]) problem.collect->among.push_back(symbols(network.stacks(), tops));
  }
  return problem;
}

}  // namespace lockwood::solver
