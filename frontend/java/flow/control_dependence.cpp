#include "frontend/java/flow/control_dependence.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>
#include <utility>

#include "base/ids/id_vector.hpp"
#include "frontend/java/lowering/carried_values.hpp"

namespace lockwood::java {
namespace {

using program::Expression;
using program::Point;

bool may_throw(const program::Call& call) {
  return call.on_throw != call.next ||
         std::ranges::any_of(call.on_throw_of, [&](Point handler) { return handler != call.next; });
}

// Whether the way on from the point depends on something that has a value.
bool decides(const program::Instruction& instruction) {
  if (std::holds_alternative<program::Branch>(instruction)) return true;
  const auto* call = std::get_if<program::Call>(&instruction);
  return call != nullptr && may_throw(*call);
}

// Which points of a procedure are done, or not, by what others decide [Ferrante, Ottenstein, Warren 1987].
class Dependences {
 public:
  explicit Dependences(const program::Procedure& procedure) : procedure_{procedure}, size_{procedure.points.size()} {
    successors_.resize(size_ + 1);
    for (Point point : procedure.points.keys()) {
      for (Point next : program::successors(procedure, point)) successors_[point.index()].push_back(next.index());
      if (successors_[point.index()].empty()) successors_[point.index()].push_back(size_);
    }
    lead_out();
    find_postdominators();
    controllers_.resize(procedure.points.size());
    for (Point point : procedure.points.keys()) {
      if (!decides(procedure.points[point].instruction)) continue;
      for (std::size_t next : successors_[point.index()])
        for (std::size_t at = next; at != size_ && at != parent_[point.index()]; at = parent_[at])
          controllers_[Point{at}].insert(point);
    }
  }
  [[nodiscard]] const std::set<Point>& controllers(Point point) const { return controllers_[point]; }

 private:
  // Loops without an end have one here: from each of their points.
  void lead_out() {
    std::vector<std::vector<std::size_t>> before(size_ + 1);
    for (std::size_t at = 0; at < size_; ++at)
      for (std::size_t next : successors_[at]) before[next].push_back(at);
    std::vector<bool> ends(size_ + 1);
    std::vector<std::size_t> worklist{size_};
    ends[size_] = true;
    while (!worklist.empty()) {
      const std::size_t at = worklist.back();
      worklist.pop_back();
      for (std::size_t previous : before[at])
        if (!ends[previous]) {
          ends[previous] = true;
          worklist.push_back(previous);
        }
    }
    for (std::size_t at = 0; at < size_; ++at)
      if (!ends[at]) successors_[at].push_back(size_);
  }

  // By the algorithm of Cooper, Harvey and Kennedy, against the edges.
  void find_postdominators() {
    std::vector<std::vector<std::size_t>> before(size_ + 1);
    for (std::size_t at = 0; at < size_; ++at)
      for (std::size_t next : successors_[at]) before[next].push_back(at);
    std::vector<std::size_t> order;  // a postorder from the end, against the edges
    std::vector<bool> seen(size_ + 1);
    std::vector<std::pair<std::size_t, std::size_t>> stack{{size_, 0}};
    seen[size_] = true;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      if (next < before[at].size()) {
        const std::size_t previous = before[at][next++];
        if (!seen[previous]) {
          seen[previous] = true;
          stack.emplace_back(previous, 0);
        }
      } else {
        order.push_back(at);
        stack.pop_back();
      }
    }
    std::vector<std::size_t> number(size_ + 1);
    for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = i;
    const std::size_t none = size_ + 1;
    parent_.assign(size_ + 1, none);
    parent_[size_] = size_;
    const auto common = [&](std::size_t a, std::size_t b) {
      while (a != b) {
        while (number[a] < number[b]) a = parent_[a];
        while (number[b] < number[a]) b = parent_[b];
      }
      return a;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = order.size(); i-- > 0;) {
        const std::size_t at = order[i];
        if (at == size_) continue;
        std::size_t found = none;
        for (std::size_t next : successors_[at])
          if (parent_[next] != none) found = found == none ? next : common(next, found);
        if (found == none || parent_[at] == found) continue;
        parent_[at] = found;
        changed = true;
      }
    }
    assert(std::ranges::none_of(parent_, [&](std::size_t each) { return each == none; }));
  }

  const program::Procedure& procedure_;
  std::size_t size_;  // also the number of the end
  std::vector<std::vector<std::size_t>> successors_;
  std::vector<std::size_t> parent_;  // in the tree of postdominators
  IdVector<Point, std::set<Point>> controllers_;
};

class ControlledProcedure {
 public:
  ControlledProcedure(program::Program& program, program::ProcedureId id, program::Variable reason)
      : procedure_{program.procedures[id]},
        is_main_{id == program.main},
        reason_{reason},
        dependences_{procedure_},
        decisions_(procedure_.points.size()) {}

  void run() {
    const std::size_t count = procedure_.points.size();
    for (std::size_t i = 0; i < count; ++i)
      if (decides(procedure_.points[Point{i}].instruction))
        decisions_[Point{i}] = procedure_.locals.push_back({"", program::Type::Int, procedure_.range});
    throws_ = std::ranges::any_of(procedure_.points, [](const program::Node& node) {
      return std::holds_alternative<program::Raise>(node.instruction);
    });
    for (std::size_t i = 0; i < count; ++i) control(Point{i});
  }

 private:
  // What decides whether the point is done.
  [[nodiscard]] std::vector<Expression> deciding(Point point) const {
    std::vector<Expression> found;
    if (!is_main_) found.push_back(program::value_of(program::Local{0}));
    for (Point controller : dependences_.controllers(point))
      found.push_back(program::value_of(*decisions_[controller]));
    return found;
  }
  // A new point like this one, with another instruction.
  Point add_beside(Point point, program::Instruction instruction) {
    program::Node node = procedure_.points[point];
    node.instruction = std::move(instruction);
    node.mark.reset();
    node.guess.reset();
    node.ordinal = 0;
    return procedure_.points.push_back(std::move(node));
  }
  // The instruction of the point comes behind this one.
  void put_before(Point point, program::Instruction first) {
    const Point moved = procedure_.points.push_back(procedure_.points[point]);
    std::visit(
        [&](auto& instruction) {
          if constexpr (requires { instruction.next; }) instruction.next = moved;
        },
        first);
    program::Node& node = procedure_.points[point];
    node.instruction = std::move(first);
    node.mark.reset();
    node.guess.reset();
    node.ordinal = 0;
  }

  void control(Point point) {
    const std::vector<Expression> by = deciding(point);
    program::Instruction& instruction = procedure_.points[point].instruction;
    if (auto* assign = std::get_if<program::Assign>(&instruction)) {
      assign->value = carrying(std::move(assign->value), by);
    } else if (auto* write = std::get_if<program::Write>(&instruction)) {
      write->value = carrying(std::move(write->value), by);
    } else if (auto* print = std::get_if<program::Print>(&instruction)) {
      print->values.push_back(carrying(program::constant(0), by));
    } else if (auto* spawn = std::get_if<program::Spawn>(&instruction)) {
      spawn->arguments.front() = carrying(program::constant(0), by);
    } else if (const auto* read = std::get_if<program::Read>(&instruction)) {
      const auto [variable, target, next] = *read;
      const Point behind =
          add_beside(point, program::Assign{target, carrying(program::value_of(target), by), next, {}});
      std::get<program::Read>(procedure_.points[point].instruction).next = behind;
    } else if (std::holds_alternative<program::Call>(instruction)) {
      control_call(point, by);
    } else if (const auto* branch = std::get_if<program::Branch>(&instruction)) {
      put_before(point,
                 program::Assign{
                     *decisions_[point], carrying(carrying(program::constant(0), {branch->condition}), by), point, {}});
    } else if (auto* ret = std::get_if<program::Return>(&instruction)) {
      if (ret->value) ret->value = carrying(std::move(*ret->value), by);
      if (throws_) put_before(point, program::Write{reason_, carrying(program::constant(0), by), point});
    } else if (std::holds_alternative<program::Raise>(instruction)) {
      put_before(point, program::Write{reason_, carrying(program::constant(0), by), point});
    }
  }
  void control_call(Point point, const std::vector<Expression>& by) {
    auto call = std::get<program::Call>(procedure_.points[point].instruction);
    call.arguments.front() = carrying(program::constant(0), by);
    if (decisions_[point]) {
      // Whatever comes behind the call knows how it ended.
      const auto told = [&](Point next) {
        const Point behind = add_beside(
            point, program::Assign{*decisions_[point], carrying(program::value_of(*decisions_[point]), by), next, {}});
        return add_beside(point, program::Read{reason_, *decisions_[point], behind});
      };
      call.next = told(call.next);
      call.on_throw = told(call.on_throw);
      for (Point& handler : call.on_throw_of) handler = told(handler);
    }
    procedure_.points[point].instruction = std::move(call);
  }

  program::Procedure& procedure_;
  bool is_main_;
  program::Variable reason_;
  Dependences dependences_;
  IdVector<Point, std::optional<program::Local>> decisions_;  // what a point has decided by
  bool throws_ = false;
};

}  // namespace

void add_control(program::Program& program, StopToken stop) {
  const program::Variable reason = program.variables.push_back(
      {.name = "why an exception is thrown", .initial = 0, .range = {}, .races = false, .one_place = false});
  for (program::ProcedureId id : program.procedures.keys()) {
    stop.check();
    ControlledProcedure{program, id, reason}.run();
  }
  check_invariants(program);
}

}  // namespace lockwood::java
