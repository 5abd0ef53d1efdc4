#include "frontend/lw/graph_builder.hpp"

#include <cassert>

namespace lockwood::lw {
namespace {

using namespace program;

// Gives every point that an instruction mentions its final number.
struct Renumber {
  const IdVector<Point, Point>& final;

  void operator()(Assign& assign) const {
    rename(assign.next);
    if (assign.on_failure) rename(*assign.on_failure);
  }
  void operator()(Branch& branch) const {
    rename(branch.if_true);
    rename(branch.if_false);
  }
  void operator()(Choose& choose) const {
    for (Point& target : choose.targets) rename(target);
  }
  void operator()(Call& call) const {
    rename(call.next);
    rename(call.on_throw);
  }
  void operator()(Enter&) const {}
  void operator()(Leave&) const {}
  void operator()(Return&) const {}
  void operator()(Raise&) const {}
  template <class Simple>
  void operator()(Simple& simple) const {
    rename(simple.next);
  }
  void operator()(MonitorRegion& region) const {
    rename(region.enter);
    rename(region.body);
    for (Point& exit : region.exits) rename(exit);
  }

 private:
  void rename(Point& point) const { point = final[point]; }
};

}  // namespace

Point GraphBuilder::add(Instruction instruction, SourceRange range) {
  junctions_.push_back(std::nullopt);
  return nodes_.push_back({std::move(instruction), region_, range, statement_});
}

Point GraphBuilder::junction(SourceRange range) {
  const Point point = add(Skip{Point{0}, {}}, range);
  junctions_[point] = point;
  return point;
}

void GraphBuilder::connect(Point junction, Point to) {
  assert(junctions_[junction] == junction && junction != to);
  junctions_[junction] = to;
}

Point GraphBuilder::behind_junctions(Point point) const {
  while (junctions_[point]) point = *junctions_[point];
  return point;
}

IdVector<Point, Point> GraphBuilder::finish(Point entry, Procedure& procedure) && {
  std::size_t count = 0;
  for (const auto& junction : junctions_)
    if (!junction) ++count;
  IdVector<Point, Point> final(nodes_.size(), Point{0});
  std::size_t next = count;
  for (Point point : nodes_.keys())
    if (!junctions_[point]) final[point] = Point{--next};
  for (Point point : nodes_.keys())
    if (junctions_[point]) final[point] = final[behind_junctions(point)];

  procedure.entry = final[entry];
  for (std::size_t index = nodes_.size(); index-- > 0;) {
    if (junctions_[Point{index}]) continue;
    Node node = std::move(nodes_[Point{index}]);
    std::visit(Renumber{final}, node.instruction);
    node.statement = statement_ - node.statement + 1;
    procedure.points.push_back(std::move(node));
  }
  for (MonitorRegion& region : regions_) Renumber{final}(region);
  procedure.regions = std::move(regions_);
  return final;
}

}  // namespace lockwood::lw
