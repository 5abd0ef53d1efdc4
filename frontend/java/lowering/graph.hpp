#pragma once

#include <optional>
#include <string>
#include <utility>

#include "frontend/program/ir/program.hpp"

namespace lockwood::java {

// Where a piece of code is, for the points that are made of it.
struct PointLocation {
  program::SourceRange range;
  std::uint32_t statement = 0;
};

// The graph of a procedure while it is made. Points are made from the end: an instruction knows where it goes on. A
// point that is needed before it is made, such as the head of a loop, is declared and defined later.
class Graph {
 public:
  explicit Graph(program::Procedure& procedure) : procedure_{procedure} {}

  [[nodiscard]] program::Procedure& procedure() { return procedure_; }

  // Points made from now on are here.
  void at(const PointLocation& location) { location_ = location; }
  [[nodiscard]] const PointLocation& location() const { return location_; }
  // Points made from now on are in this region.
  void in(std::optional<program::Region> region) { region_ = region; }
  [[nodiscard]] std::optional<program::Region> region() const { return region_; }

  program::Point add(program::Instruction instruction);
  program::Point add_guess(program::Instruction instruction, std::uint32_t guess);
  // A point that is defined later, as going on at another point of its region.
  program::Point declare();
  void define(program::Point point, program::Point next);
  // A step that leads to the point, and is a guess: the program need not go that way.
  program::Point guessed(program::Point target, std::uint32_t guess, std::string what);
  // Any one of the points; the point itself if there is one only.
  program::Point choose(std::vector<program::Point> targets, std::optional<std::uint32_t> guess = {});

  program::Local new_local(std::string name, program::Type type);
  // A value that nobody knows.
  [[nodiscard]] program::Expression unknown();

  // Leaves out declared points and what cannot be reached from the entry.
  void finish();

 private:
  program::Procedure& procedure_;
  PointLocation location_;
  std::optional<program::Region> region_;
  std::optional<program::Local> unknown_;
  IdVector<program::Point, std::optional<program::Point>> forwarded_;  // of declared points
};

}  // namespace lockwood::java
