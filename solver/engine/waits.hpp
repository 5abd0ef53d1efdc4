#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dpn/model/network.hpp"
#include "solver/query/query_problem.hpp"

namespace lockwood::solver {

using dpn::Group;

// What is seen of a subtree of who waits for whom in joins at the end of the last phase, as far as goals ask for it
// (problem::Awaiting; docs/theory.md, Sect. 10.8). A thread *leads* to a pair of goals if it meets the second goal of
// the pair, or waits in a join for a thread that leads to it.
struct Waits {
  // The own thread is before a join, and it is claimed that the group has a member which leads to the pair. The
  // member must have been started before, so it is to be found to the left.
  struct Need {
    std::uint32_t pair;
    Group group;
    bool between;  // the thread does not meet the first goal of the pair, but leads to the pair by that
    friend auto operator<=>(const Need&, const Need&) = default;
  };
  bool stands = false;                                       // the own thread
  std::optional<Need> need = {};                             // of the own thread, which stands
  std::optional<std::uint32_t> leads = {};                   // the own thread, to this pair
  std::vector<std::pair<std::uint32_t, Group>> offers = {};  // a thread that leads there is a member; ascending
  std::vector<std::uint32_t> offspring = {};  // pairs to which a thread started here leads, at any depth; ascending
  std::vector<Group> emptied = {};            // groups that are joined or forgotten here; ascending
  friend auto operator<=>(const Waits&, const Waits&) = default;
};

// The operations on them, and their numbers. Without pairs there is one number, 0, and nothing is ever computed.
class WaitAlgebra {
 public:
  using Row = std::uint32_t;
  using Result = std::optional<Row>;  // nothing if a need will never be met
  static constexpr Row returned{0};   // a thread that has returned, and nothing else

  WaitAlgebra(const dpn::Network& network, const dpn::Network& original, std::vector<Awaiting> pairs);

  [[nodiscard]] bool active() const { return !pairs_.empty(); }
  [[nodiscard]] const Waits& operator[](Row row) const { return *rows_[row]; }
  // Nothing is left to be found.
  [[nodiscard]] bool satisfied(Row row) const { return !rows_[row]->need; }

  // A thread that stands there and meets the goal of the last phase, or none.
  [[nodiscard]] std::vector<Row> standing(dpn::Head head, std::optional<std::size_t> goal);
  // Whether it makes a difference which thread meets the goal: to meet none is no worse then.
  [[nodiscard]] bool in_pair(std::size_t goal) const;
  // A node of the rule above one subtree, or two, one after the other; of a rule that starts a thread, or enters
  // something that returns.
  [[nodiscard]] Result above(dpn::RuleId rule, Row below);
  [[nodiscard]] Result above(dpn::RuleId rule, Row left, Row right);

 private:
  [[nodiscard]] Row row_of(Waits waits);
  [[nodiscard]] Result sequence(const Waits& left, const Waits& right);
  [[nodiscard]] static std::optional<Waits> opened(const Waits& body, std::span<const Group> groups);
  [[nodiscard]] std::optional<Waits> started(const dpn::Spawn& spawn, const Waits& child) const;

  const dpn::Network& network_;
  const dpn::Network& original_;  // of which the other one may be a reduction: the rules that threads are before
  std::vector<Awaiting> pairs_;
  bool offspring_;
  std::map<Waits, Row> numbers_;
  std::vector<const Waits*> rows_;
  std::map<std::pair<dpn::RuleId, Row>, Result> above_one_;
  std::map<std::pair<dpn::RuleId, std::pair<Row, Row>>, Result> above_two_;
};

}  // namespace lockwood::solver
