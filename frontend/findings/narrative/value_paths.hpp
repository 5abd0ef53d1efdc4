#pragma once

#include <optional>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/model/rule.hpp"
#include "frontend/program/lowering/lowering.hpp"

// The ways of a value through the locals of threads: assignments, arguments, results and threads that are started. One
// value is followed, which is in one spot at a time. Where it is copied it may stay or go on, and who asks whether it
// can get somewhere asks for some choice that leads there. What overwrites it loses it. That a statement is done
// because of a value does not count; `&&` and `||` are operators like others, though they branch.
namespace lockwood::findings {

// Where a frame has the value, or a thread that leaves a frame.
struct Spot {
  enum class Kind {
    Local,     // in this local; a thread that leaves a region takes it along
    Deciding,  // it has decided to what this local is about to be set
    Awaited,   // nowhere yet: what is called will return it, for this local
    Result,    // it is what a thread returns
    Arrived    // it has been returned to this call, for this local; that is a use
  };
  Kind kind = Kind::Result;
  program::Local local{0};
  friend auto operator<=>(const Spot&, const Spot&) = default;
};

// A rule as a thread does it that has the value.
struct CarryingRule {
  dpn::Rule rule;                 // as it is without the value
  std::optional<dpn::RuleId> of;  // that of the model; none if all that happens is that the value gets into its spot
  bool begins = false;            // the value is made here
  // Where the value is, at each part of the rule that may have it.
  std::optional<Spot> control;  // before, in the control state
  std::optional<Spot> top;      // before, in the frame
  std::optional<Spot> next;     // after: where the frame goes on, the return point, or the control state of a return
  std::optional<Spot> entered;  // after: in the frame that is entered, or of the thread that is started
};

// A frame that has the value.
struct CarryingFrame {
  dpn::StackSymbol symbol;
  Spot spot;
  friend auto operator<=>(const CarryingFrame&, const CarryingFrame&) = default;
};

// What can be done with a value, from where it is made to where it is used.
struct ValueWays {
  std::vector<CarryingRule> rules;  // each leads towards an end; some may be there twice
  std::vector<CarryingFrame> ends;  // whose next step uses the value
};

class ValuePaths {
 public:
  // Both must outlive it.
  ValuePaths(const program::Program& program, const program::Lowered& lowered);

  // Places make a value: a local that is set there, an argument, a result. Which places use it, ascending? A result is
  // taken to go to every caller: if a place is named, it need not be so.
  [[nodiscard]] std::vector<dpn::StackSymbol> users(const std::vector<dpn::StackSymbol>& makers) const;
  // All ways from one of the makers to one of the users, exactly.
  [[nodiscard]] ValueWays ways(const std::vector<dpn::StackSymbol>& makers,
                               const std::vector<dpn::StackSymbol>& users) const;

  [[nodiscard]] const program::Program& program() const { return program_; }
  [[nodiscard]] const program::Lowered& lowered() const { return lowered_; }

 private:
  friend class ValueExploration;
  const program::Program& program_;
  const program::Lowered& lowered_;
  IdVector<program::ProcedureId, std::vector<dpn::RuleId>> calls_;  // that want a result, by callee
  // Where a thread goes on that leaves a region.
  IdVector<program::ProcedureId, IdVector<program::Region, std::vector<dpn::StackSymbol>>> return_points_;
};

}  // namespace lockwood::findings
