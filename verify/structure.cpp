#include "verify/structure.hpp"

#include <algorithm>

namespace lockwood::verify {
namespace {

// Adds an edge of G or R for each two in a row until there is nothing new.
void close(std::set<Atom>& atoms) {
  for (std::size_t before = 0; before != atoms.size();) {
    before = atoms.size();
    for (const auto& [kind, phase, x, y] : atoms) {
      if (!y) continue;
      for (auto next = atoms.lower_bound({kind, phase, *y}); next != atoms.end(); ++next) {
        if (next->kind != kind || next->phase != phase || next->x != *y) break;
        atoms.insert({kind, phase, x, next->y});
      }
    }
  }
}

// The right part joins the members that the left one started. False if they cannot have ended by then. What they use in
// the phase of the join comes before what is released after it, and counts as used by the thread if it returns in that
// phase.
bool join_members(const Started& members, const First& join, ReturnsIn returns_in, std::set<Atom>& locks) {
  const PhaseIndex joined_in = *join.joined_in;
  if (members.end > joined_in) return false;
  for (const auto& [phase, used] : members.uses) {
    if (phase != joined_in) continue;
    for (dpn::Lock released : join.released) locks.insert({'R', joined_in, released, used});
    if (returns_in == joined_in) locks.insert({'M', joined_in, used});
  }
  return true;
}

// What stays of members when the tree's thread returns in that phase: later joins look no further back.
void forget_the_past(std::map<dpn::Group, Started>& started, PhaseIndex returned) {
  for (auto& [group, members] : started)
    std::erase_if(members.uses, [&](const auto& use) { return use.first < returned; });
  std::erase_if(started, [&](const auto& entry) { return entry.second.end <= returned && entry.second.uses.empty(); });
}

bool replaces(const First* smaller, const First* larger) {
  if (smaller != nullptr && !smaller->joined_in) return true;
  if (larger != nullptr && !larger->joined_in) return false;
  if (smaller == nullptr) return true;
  if (larger == nullptr || smaller->joined_in < larger->joined_in) return false;
  return smaller->joined_in > larger->joined_in || std::ranges::includes(larger->released, smaller->released);
}

template <class Value>
const Value* find(const std::map<dpn::Group, Value>& map, dpn::Group group) {
  const auto at = map.find(group);
  return at == map.end() ? nullptr : &at->second;
}

// Both end alike, in that phase.
bool replaces(const Started& smaller, const Started* larger, PhaseIndex returned, const std::set<Atom>& larger_locks) {
  if (smaller.end > std::max(larger == nullptr ? 0 : larger->end, returned)) return false;
  return std::ranges::all_of(smaller.uses, [&](const auto& use) {
    return (larger != nullptr && larger->uses.contains(use)) || use.first < returned ||
           (use.first == returned && larger_locks.contains({'M', returned, use.second}));
  });
}

}  // namespace

Number Structures::number_of(Structure structure) {
  close(structure.locks);
  std::uint64_t bits = 0;
  for (const auto& [kind, phase, x, y] : structure.locks) {
    if (y == x || (kind == 'H' && structure.locks.contains({'U', phase, x}))) return std::nullopt;
    bits |= std::uint64_t{1} << (static_cast<std::size_t>(kind) + 3 * x.index() + 5 * y.value_or(x).index()) % 64;
  }
  const auto [at, fresh] = numbers_.try_emplace(std::move(structure), rows_.size());
  if (fresh) rows_.emplace_back(&at->first, bits);
  return at->second;
}

Number Structures::sequence(Number left, std::size_t right, ReturnsIn returns_in) {
  if (!left) return std::nullopt;
  const auto [at, fresh] = sequences_.try_emplace({*left, right, returns_in});
  if (!fresh) return at->second;
  Structure both = (*this)[*left];
  const Structure& after = (*this)[right];
  for (const Atom& atom : after.locks)
    if (!both.locks.insert(atom).second && atom.kind == 'A') return std::nullopt;
  std::erase_if(both.locks, [&](const Atom& atom) { return atom.kind == 'M' && atom.phase != returns_in; });
  for (const auto& [group, first] : after.first) {
    const Started* members = find(both.started, group);
    if (members != nullptr && first.joined_in && !join_members(*members, first, returns_in, both.locks))
      return std::nullopt;
    both.started.erase(group);
    both.first.try_emplace(group, first);
  }
  for (const auto& [group, members] : after.started) {
    Started& joint = both.started[group];
    joint.end = std::max(joint.end, members.end);
    joint.uses.insert(members.uses.begin(), members.uses.end());
  }
  if (returns_in)
    forget_the_past(both.started, *returns_in);
  else
    both.started.clear();
  both.offspring = std::max(both.offspring, after.offspring);
  return at->second = number_of(std::move(both));
}

Number Structures::monitor(dpn::Lock lock, PhaseIndex entered, ReturnsIn returns_in, std::size_t body,
                           PhaseIndex phases) {
  const auto [at, fresh] = monitors_.try_emplace({lock, entered, returns_in, body});
  if (!fresh) return at->second;
  Structure around = (*this)[body];
  const PhaseIndex end = returns_in.value_or(phases);
  if (entered == end) {
    // The body's own uses of the lock are reentrant, and not listed: a member that is joined inside needs it.
    if (!around.locks.insert({'M', entered, lock}).second) return std::nullopt;
    around.locks.insert({'U', entered, lock});
    return at->second = number_of(std::move(around));
  }
  if (!around.locks.insert({'A', entered, lock}).second) return std::nullopt;
  for (const auto& [kind, phase, x, y] : (*this)[body].locks) {
    if (kind == 'U' && phase == entered) around.locks.insert({'G', entered, lock, x});
    if (kind == 'M' && phase == end) around.locks.insert({'R', end, lock, x});
  }
  around.locks.insert({'U', entered, lock});
  for (PhaseIndex phase = entered + 1; phase < end; ++phase) around.locks.insert({'H', phase, lock});
  for (auto& [group, first] : around.first)
    if (returns_in && first.joined_in == returns_in) first.released.insert(lock);
  return at->second = number_of(std::move(around));
}

Number Structures::without(std::span<const dpn::Group> groups, std::size_t structure) {
  if (groups.empty()) return structure;
  Structure rest = (*this)[structure];
  for (dpn::Group group : groups) {
    rest.started.erase(group);
    rest.first.erase(group);
  }
  return number_of(std::move(rest));
}

bool Structures::replaces(std::size_t smaller, std::size_t larger, ReturnsIn returns_in) const {
  if (smaller == larger) return true;
  if (rows_[smaller].second & ~rows_[larger].second) return false;
  const Structure& small = (*this)[smaller];
  const Structure& large = (*this)[larger];
  if (small.offspring > large.offspring || !std::ranges::includes(large.locks, small.locks)) return false;
  for (const auto& [group, first] : small.first)
    if (!verify::replaces(&first, find(large.first, group))) return false;
  for (const auto& [group, first] : large.first)
    if (!verify::replaces(find(small.first, group), &first)) return false;
  return std::ranges::all_of(small.started, [&](const auto& entry) {
    return verify::replaces(entry.second, find(large.started, entry.first), *returns_in, large.locks);
  });
}

}  // namespace lockwood::verify
