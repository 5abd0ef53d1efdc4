#pragma once

#include <cassert>
#include <cstdint>
#include <utility>

#include "base/ids/id_vector.hpp"
#include "dpn/model/network.hpp"
#include "solver/locks/lock_set.hpp"

#include <tsl/hopscotch_map.h>

namespace lockwood::solver {

// Numbers of heads. Most stack symbols occur with one control state, and symbols that are used near each other have
// numbers near each other, while hashes scatter them over a table that is soon larger than any cache. So the first head
// of a symbol is found by the symbol, and only others by their hashes.
template <class Number>
class HeadNumbers {
 public:
  explicit HeadNumbers(const dpn::Network& network) : first_(network.stack_symbols().size()) {}

  // The number of the head, and whether it is the given one: it had none.
  std::pair<Number, bool> try_emplace(dpn::Head head, Number number) {
    First& first = first_[head.top];
    if (first.number == 0) {
      first = {static_cast<std::uint32_t>(head.control.index()), static_cast<std::uint32_t>(number.index()) + 1};
      return {number, true};
    }
    if (first.control == head.control.index()) return {Number{first.number - 1}, false};
    const auto [at, inserted] = further_.try_emplace(head, number);
    return {at->second, inserted};
  }
  // Requires that it has one.
  [[nodiscard]] Number at(dpn::Head head) const {
    const First& first = first_[head.top];
    if (first.number != 0 && first.control == head.control.index()) return Number{first.number - 1};
    assert(further_.contains(head));
    return further_.at(head);
  }

 private:
  struct First {
    std::uint32_t control = 0;
    std::uint32_t number = 0;  // plus 1; 0: none
  };
  struct Hash {
    std::size_t operator()(const dpn::Head& head) const { return mixed(head.control.index(), head.top.index()); }
  };
  IdVector<dpn::StackSymbol, First> first_;
  tsl::hopscotch_map<dpn::Head, Number, Hash> further_;
};

}  // namespace lockwood::solver
