#include "frontend/verify/locks.hpp"

#include <algorithm>

namespace lockwood::verify {
namespace {

bool disjoint(const Names& a, const Names& b) {
  return std::ranges::none_of(a, [&](const std::string& lock) { return b.contains(lock); });
}

// Adds an edge for each two in a row until there is nothing new.
void close(Edges& edges) {
  for (std::size_t before = 0; before != edges.size();) {
    before = edges.size();
    for (const auto& [from, through] : edges)
      for (auto at = edges.lower_bound({through, ""}); at != edges.end() && at->first == through; ++at)
        edges.insert({from, at->second});
  }
}

bool acyclic(const Edges& closed) {
  return std::ranges::none_of(closed, [](const auto& edge) { return edge.first == edge.second; });
}

}  // namespace

void from_json(const Json& json, PhaseLocks& phase) {
  read_members(json, Member{"acquired", phase.acquired}, Member{"used", phase.used}, Member{"held", phase.held},
               Member{"acquisition", phase.acquisition}, Member{"release", phase.release});
}

void from_json(const Json& json, Structure& structure) {
  read_members(json, Member{"own_uses", structure.own_uses}, Member{"phases", structure.phases});
}

std::optional<Structure> if_consistent(Structure structure) {
  for (PhaseLocks& phase : structure.phases) {
    close(phase.acquisition);
    close(phase.release);
    if (!acyclic(phase.acquisition) || !acyclic(phase.release) || !disjoint(phase.held, phase.used))
      return std::nullopt;
  }
  return structure;
}

bool included(const Structure& smaller, const Structure& larger) {
  if (!std::ranges::includes(larger.own_uses, smaller.own_uses)) return false;
  return std::ranges::equal(smaller.phases, larger.phases, [](const PhaseLocks& a, const PhaseLocks& b) {
    return std::ranges::includes(b.acquired, a.acquired) && std::ranges::includes(b.used, a.used) &&
           std::ranges::includes(b.held, a.held) && std::ranges::includes(b.acquisition, a.acquisition) &&
           std::ranges::includes(b.release, a.release);
  });
}

std::optional<Structure> joined(const Structure& left, const Structure& right, bool own_uses_of_left) {
  const auto add = [](auto& to, const auto& from) { to.insert(from.begin(), from.end()); };
  Structure both = right;
  if (own_uses_of_left) add(both.own_uses, left.own_uses);
  for (std::size_t i = 0; i < both.phases.size(); ++i) {
    const auto& [acquired, used, held, acquisition, release] = left.phases[i];
    PhaseLocks& phase = both.phases[i];
    if (!disjoint(acquired, phase.acquired)) return std::nullopt;
    add(phase.acquired, acquired);
    add(phase.used, used);
    add(phase.held, held);
    add(phase.acquisition, acquisition);
    add(phase.release, release);
  }
  return if_consistent(std::move(both));
}

std::optional<Structure> monitored(const std::string& lock, std::size_t entered, std::optional<std::size_t> returned,
                                   const Structure& body) {
  Structure around = body;
  around.phases[entered].used.insert(lock);
  if (returned == entered) {
    around.own_uses.insert(lock);
  } else {
    if (!around.phases[entered].acquired.insert(lock).second) return std::nullopt;
    for (const std::string& after : body.phases[entered].used) around.phases[entered].acquisition.insert({lock, after});
    for (std::size_t i = entered + 1; i < returned.value_or(around.phases.size()); ++i)
      around.phases[i].held.insert(lock);
    if (returned)
      for (const std::string& before : body.own_uses) around.phases[*returned].release.insert({lock, before});
  }
  return if_consistent(std::move(around));
}

std::string to_text(const Structure& structure) {
  std::string text;
  const auto put = [&](const char* what, const Names& locks) {
    if (!locks.empty()) text += what;
    for (const std::string& lock : locks) text += " " + lock;
  };
  put(", itself uses", structure.own_uses);
  for (std::size_t i = 0; i < structure.phases.size(); ++i) {
    const auto& [acquired, used, held, acquisition, release] = structure.phases[i];
    if (structure.phases[i] != PhaseLocks{}) text += "; in phase " + std::to_string(i + 1);
    put(" acquires", acquired);
    put(" uses", used);
    put(" keeps", held);
    for (const auto& [lock, after] : acquisition) text += " acquires " + lock + " before " + after;
    for (const auto& [lock, before] : release) text += " releases " + lock + " after " + before;
  }
  return text;
}

}  // namespace lockwood::verify
