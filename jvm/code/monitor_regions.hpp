#pragma once

#include <string>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "jvm/code/method_body.hpp"
#include "jvm/code/value_numbers.hpp"

namespace lockwood::jvm {

using RegionId = Id<struct RegionTag>;

// A synchronized statement: from an enter to the exits that belong to it. Regions nest.
struct MonitorRegion {
  InstructionId enter;
  std::vector<InstructionId> exits;  // sorted
  Register object;
};

// Something about the monitors of a method that its model will not show.
struct MonitorNote {
  std::uint32_t offset;
  std::optional<std::uint16_t> line;
  std::string text;
};

struct MonitorRegions {
  IdVector<RegionId, MonitorRegion> regions;    // in the order of their enters
  IdVector<Block, std::vector<RegionId>> held;  // where the block begins, from the outside
  std::vector<InstructionId> ignored_enters;    // unstructured ones
  std::vector<InstructionId> ignored_exits;
  std::vector<InstructionId> throwing_exits;  // their monitor need not be held
  std::vector<MonitorNote> notes;             // one for each that is ignored
  [[nodiscard]] bool structured() const { return ignored_enters.empty() && ignored_exits.empty(); }
};

// The monitor regions of a method. A synchronized method is not among them: MethodBody says so.
[[nodiscard]] MonitorRegions monitor_regions(const MethodBody& body, const ValueNumbers& numbers);

}  // namespace lockwood::jvm
