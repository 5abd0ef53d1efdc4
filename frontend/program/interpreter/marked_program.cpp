#include "frontend/program/interpreter/marked_program.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::program {
namespace {

bool is_visible(const Instruction& instruction) {
  const auto* choose = std::get_if<Choose>(&instruction);
  return std::holds_alternative<Read>(instruction) || std::holds_alternative<Write>(instruction) ||
         std::holds_alternative<Wait>(instruction) || std::holds_alternative<Notify>(instruction) ||
         std::holds_alternative<Spawn>(instruction) || (choose != nullptr && choose->targets.size() > 1);
}

}  // namespace

MarkedProgram::MarkedProgram(Program program, const std::vector<Sites::Location>& places)
    : program_{std::move(program)} {
  for (const Procedure& procedure : program_.procedures) {
    points_.push_back(procedure.points.size());
    marks_.push_back({});
  }
  for (const Sites::Location& place : places) {
    Procedure& procedure = program_.procedures[place.procedure];
    if (is_visible(procedure.points[place.point].instruction) || is_mark(place)) continue;
    const Point moved{procedure.points.size()};
    Node node = procedure.points[place.point];
    if (const auto* enter = std::get_if<Enter>(&node.instruction)) procedure.regions[enter->region].enter = moved;
    procedure.points.push_back(std::move(node));
    procedure.points[place.point].instruction = Choose{{moved, moved}};
    marks_[place.procedure].push_back(place.point);
  }
}

bool MarkedProgram::is_mark(const Sites::Location& place) const {
  return std::ranges::find(marks_[place.procedure], place.point) != marks_[place.procedure].end();
}

Sites::Location MarkedProgram::original(const Sites::Location& place) const {
  if (place.point.index() < points_[place.procedure]) return place;
  assert(place.point.index() - points_[place.procedure] < marks_[place.procedure].size());
  return {place.procedure, marks_[place.procedure][place.point.index() - points_[place.procedure]]};
}

}  // namespace lockwood::program
