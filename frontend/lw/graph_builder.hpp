#pragma once

#include <optional>
#include <vector>

#include "frontend/program/ir/program.hpp"

namespace lockwood::lw {

// Builds the graph of a procedure from its end to its beginning: who adds an instruction knows already where it leads.
// Only loops lead back to what is not there yet, by a junction that is filled in later. In the end points are numbered
// in the order of the text, and junctions are gone.
class GraphBuilder {
 public:
  using Point = program::Point;
  using Region = program::Region;

  Point add(program::Instruction instruction, program::SourceRange range);
  // A point that will be the same as another.
  Point junction(program::SourceRange range);
  void connect(Point junction, Point to);

  // Points added from now on belong to this region and statement.
  void enter_region(std::optional<Region> region) { region_ = region; }
  [[nodiscard]] std::optional<Region> region() const { return region_; }
  void begin_statement() { ++statement_; }

  Region add_region(program::MonitorRegion region) { return regions_.push_back(std::move(region)); }
  [[nodiscard]] program::MonitorRegion& region_at(Region region) { return regions_[region]; }

  // Moves the graph into the procedure, with this entry, and gives the final numbers of all points of this builder.
  IdVector<Point, Point> finish(Point entry, program::Procedure& procedure) &&;

 private:
  [[nodiscard]] Point behind_junctions(Point point) const;

  IdVector<Point, program::Node> nodes_;
  IdVector<Point, std::optional<Point>> junctions_;  // where a junction leads; itself until it is known
  IdVector<Region, program::MonitorRegion> regions_;
  std::optional<Region> region_;
  std::uint32_t statement_ = 0;
};

}  // namespace lockwood::lw
