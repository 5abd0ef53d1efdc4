// The order of structures with groups (docs/theory.md, Sect. 10.6): every operation is monotone in it.
#include <doctest/doctest.h>

#include <array>
#include <optional>
#include <vector>

#include "base/ids/random.hpp"
#include "solver/locks/lock_structure.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

constexpr PhaseIndex phases = 3;

// A subtree that begins in a phase, and has returned in one, or stands.
struct Value {
  PhaseIndex begin;
  std::optional<PhaseIndex> returned;
  LockStructure locks;
};

// One node, with other subtrees and numbers that are chosen once, so that it can be applied to several values.
struct Operation {
  enum class Kind { Cut, Join, Forget, Fork, ForkLeft, Spawn, Call, CallRest, Enter };
  Kind kind;
  Value other;
  std::optional<Lock> lock;
  std::vector<Group> groups;
  std::vector<Membership> memberships;
};

std::optional<Value> sequence(const Value& left, const Value& right, OwnUses own_uses) {
  auto both = join(left.locks, right.locks, own_uses, right.returned);
  if (!both) return std::nullopt;
  return Value{left.begin, right.returned, std::move(*both)};
}

std::optional<Value> call(const Operation& operation, const Value& body, const Value& rest) {
  if (!body.returned || *body.returned != rest.begin) return std::nullopt;
  std::optional<LockStructure> inside = open_groups(body.locks, operation.groups);
  if (operation.lock) inside = monitor(*operation.lock, body.begin, body.returned, *inside);
  if (!inside) return std::nullopt;
  return sequence({body.begin, body.returned, *inside}, rest,
                  rest.returned == body.returned ? OwnUses::OfBoth : OwnUses::OfRight);
}

std::optional<Value> spawn(const Operation& operation, const Value& thread, const Value& parent, bool member) {
  if (thread.begin != parent.begin) return std::nullopt;
  const LockStructure started = member ? fork(thread.locks, thread.returned, true, thread.begin, operation.memberships)
                                       : as_thread(thread.locks, thread.returned, true);
  return sequence({thread.begin, thread.begin, started}, parent, OwnUses::OfRight);
}

std::optional<Value> applied(const Operation& operation, const Value& value) {
  switch (operation.kind) {
    case Operation::Kind::Cut:
      return value.begin == 0 ? std::nullopt : std::optional{Value{value.begin - 1, value.returned, value.locks}};
    case Operation::Kind::Join:
      return Value{value.begin, value.returned, join_groups(value.locks, value.begin, operation.groups)};
    case Operation::Kind::Forget:
      return Value{value.begin, value.returned, forget_groups(value.locks, operation.groups)};
    case Operation::Kind::Fork: return spawn(operation, value, operation.other, true);
    case Operation::Kind::ForkLeft: return spawn(operation, operation.other, value, true);
    case Operation::Kind::Spawn: return spawn(operation, value, operation.other, false);
    case Operation::Kind::Call: return call(operation, value, operation.other);
    case Operation::Kind::CallRest: return call(operation, operation.other, value);
    case Operation::Kind::Enter: {
      if (value.returned || !operation.lock) return std::nullopt;
      auto inside = monitor(*operation.lock, value.begin, std::nullopt, open_groups(value.locks, operation.groups));
      if (!inside) return std::nullopt;
      return Value{value.begin, std::nullopt, std::move(*inside)};
    }
  }
  return std::nullopt;
}

class Pool {
 public:
  explicit Pool(std::uint64_t seed) : random_{seed} {
    const LockStructure empty{.own_uses = {}, .phases = std::vector<PhaseLocks>(phases), .groups = {}};
    for (PhaseIndex i = 0; i < phases; ++i) values_.push_back({i, i, empty});
    values_.push_back({phases - 1, std::nullopt, empty});
    for (std::size_t tries = 0; values_.size() < 150 && tries < 3000; ++tries)
      if (auto made = applied(operation(), any())) values_.push_back(std::move(*made));
  }

  const Value& any() { return values_[random_.below(values_.size())]; }
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }

  Operation operation() {
    Operation operation{static_cast<Operation::Kind>(random_.below(9)), any(), {}, {}, {}};
    if (random_.percent(60)) operation.lock = Lock{random_.below(2)};
    const bool opens = operation.kind == Operation::Kind::Call || operation.kind == Operation::Kind::CallRest ||
                       operation.kind == Operation::Kind::Enter;
    for (std::size_t group = 0; group < 2; ++group) {
      if (random_.percent(opens ? 15 : 60)) operation.groups.emplace_back(group);
      if (random_.percent(70))
        operation.memberships.push_back({Group{group}, random_.percent(40), random_.percent(30)});
    }
    return operation;
  }

 private:
  Random random_;
  std::vector<Value> values_;
};

}  // namespace

TEST_CASE("every operation on structures with groups is monotone") {
  std::size_t pairs = 0;
  std::size_t applications = 0;
  std::size_t impossible = 0;  // for the larger one only
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Pool pool{seed};
    for (const Value& smaller : pool.values())
      for (const Value& larger : pool.values()) {
        if (smaller.begin != larger.begin || smaller.returned != larger.returned || smaller.locks == larger.locks ||
            !subsumes(smaller.locks, larger.locks))
          continue;
        ++pairs;
        for (std::size_t i = 0; i < 4; ++i) {
          const Operation operation = pool.operation();
          const auto of_larger = applied(operation, larger);
          const auto of_smaller = applied(operation, smaller);
          if (!of_larger && of_smaller) ++impossible;
          if (!of_larger) continue;
          ++applications;
          REQUIRE(of_smaller.has_value());
          REQUIRE(subsumes(of_smaller->locks, of_larger->locks));
        }
      }
  }
  MESSAGE(pairs << " pairs, " << applications << " applications, " << impossible << " impossible for the larger one");
  CHECK(applications > 20'000);
  CHECK(impossible > 300);
}
