#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/java/lowering/cells.hpp"
#include "frontend/java/lowering/exception_classes.hpp"
#include "frontend/java/lowering/graph.hpp"
#include "frontend/java/lowering/isolation.hpp"
#include "frontend/java/lowering/java_model.hpp"
#include "frontend/java/lowering/lock_table.hpp"
#include "frontend/java/lowering/sources.hpp"
#include "frontend/java/lowering/value_ends.hpp"

namespace lockwood::java {

// What a parameter or result of a copy tells the model: whether the reference is to an isolated object, or a boolean
// that some branch depends on. Of results, only whether it is the first isolated object.
enum class Tracked : std::uint8_t {
  Isolated,
  Boolean,
  Value,  // nothing is known of it, but where it gets
};

[[nodiscard]] inline program::Type type_of(Tracked tracked) {
  return tracked == Tracked::Value ? program::Type::Int : program::Type::Bool;
}

// If the model knows by which values it is decided what is done, all procedures but the main one have a first parameter
// of their own for that, with this number.
inline constexpr std::size_t control_parameter = static_cast<std::size_t>(-1);

// Of a copy: the parameters of its procedure in the model, and its result.
struct Signature {
  struct Parameter {
    std::size_t number;  // of the method, the receiver first
    Tracked tracked;
    std::size_t isolated = 0;  // which isolated object
  };
  std::vector<Parameter> parameters;
  std::optional<Tracked> result;
};

// What callers pass, by parameter of the method. Over the locals of the procedure that calls.
struct PassedValues {
  std::vector<IsolatedFlags> isolated;
  std::vector<program::Expression> boolean;
  std::vector<program::Expression> value = {};  // if the model follows values
};
// The argument for a parameter of the callee.
[[nodiscard]] program::Expression argument_for(Graph& graph, const Signature::Parameter& parameter,
                                               const PassedValues& passed);

// Where an exception of a class leads to, outside of the regions that the exception leaves.
using ExceptionTargets = std::function<program::Point(program::ExceptionClass)>;

// The instruction of code that a piece of a model is made for.
struct RootPlace {
  std::optional<CodePlace> place;                           // nothing: of a procedure that is a model itself
  bool reported = false;                                    // accesses of models count
  std::optional<program::Region> own_region;                // the innermost region of code around it,
  std::optional<std::uint32_t> own_object;                  // and the value number of its object
  std::optional<std::uint32_t> receiver;                    // the value number of the receiver
  std::map<std::size_t, program::Group>* groups = nullptr;  // of the procedure, by join (a row of ThreadFacts::joins)
};

// All that the lowering of one procedure shares with that of others.
struct LoweringContext {
  LoweringContext(const Facts& all_facts, program::Program& made, const JavaLoweringOptions& wanted);

  const Facts& facts;
  const PointsTo& flow;
  Universe& universe;
  const JavaLoweringOptions& options;
  program::Program& program;
  Cells cells;
  LockTable locks;
  ExceptionClasses exceptions;
  Isolation isolation;
  Sources sources;
  std::set<jvm::ClassId> simple_initialisers;  // run before main
  std::optional<jvm::ClassId> main_class;
  std::optional<CopyId> current;  // the copy that is being lowered; none: the main thread
  std::map<Assumption, AssumptionUse> assumptions;
  std::vector<ValueMark> marks;
  std::optional<std::map<ObjectId, std::set<FieldKey>>> library_fields;  // see contents_of

  // The model knows which values move where.
  [[nodiscard]] bool follows_values() const { return options.values != FollowedValues::None; }
  [[nodiscard]] bool follows_control() const { return options.values == FollowedValues::Control; }
  // Where a value is while it is thrown: any thrown value.
  [[nodiscard]] program::Variable thrown_value();
  // The mark of such an end at an instruction of a procedure, in all copies.
  [[nodiscard]] std::uint32_t mark(std::size_t row, ValueRole role, ProcedureId procedure, jvm::InstructionId at,
                                   const program::SourceRange& range);

  // The procedure of a copy; it is put on the list if nobody has asked for it before.
  [[nodiscard]] program::ProcedureId procedure_of(CopyId copy);
  [[nodiscard]] const Signature& signature(CopyId copy);
  [[nodiscard]] std::optional<CopyId> next_copy();
  [[nodiscard]] program::ProcedureId known_procedure(CopyId copy) const { return procedures_.at(copy); }

  // Whether the copy can run without having been called or started by the initialiser of the class.
  [[nodiscard]] bool runs_outside(jvm::ClassId type, CopyId copy);

  // A row of the program's guesses.
  [[nodiscard]] std::uint32_t guess(const std::string& text);
  // `at`: the instruction that meets it, if there is one.
  void assume(AssumptionKind kind, std::string place, std::string text, const std::optional<CodePlace>& at = {});
  // "A.java:10"
  [[nodiscard]] std::string line_text(const Procedure& procedure, jvm::InstructionId at) const;

 private:
  std::map<jvm::ClassId, std::set<CopyId>> outside_;  // by class: see runs_outside
  std::map<CopyId, program::ProcedureId> procedures_;
  std::map<CopyId, Signature> signatures_;
  std::vector<CopyId> worklist_;
  std::map<std::string, std::uint32_t> copies_;  // of a name
  std::map<std::string, std::uint32_t> guesses_;
  std::optional<program::Variable> thrown_value_;
  std::map<std::tuple<std::size_t, ValueRole, ProcedureId, jvm::InstructionId>, std::uint32_t> marks_;
};

// The lowering of a call to one copy: of code as a call, of models in place. Goes on at `next`; exceptions at
// `targets`; the result is set if it is wanted.
struct CallRequest {
  CopyId callee;
  PassedValues passed;
  std::optional<program::Local> result;  // isolated or boolean, as the callee's signature says
  std::optional<Tracked> result_kind;
};
[[nodiscard]] program::Point lower_call(LoweringContext& context, Graph& graph, const CallRequest& request,
                                        program::Point next, const ExceptionTargets& targets, const RootPlace& root,
                                        std::size_t depth);

// Whether the frame in which both places are can open a group for the join.
[[nodiscard]] bool is_usable(const LoweringContext& context, const JoinMatch& match);
// The group of the join with this number, in the procedure that is being made.
[[nodiscard]] program::Group join_group(Graph& graph, std::map<std::size_t, program::Group>& groups, std::size_t match);

// A region around what `body` makes: with locks of these objects, left at its end and by exceptions.
using RegionBody = std::function<program::Point(program::Point next, const ExceptionTargets& targets)>;
[[nodiscard]] program::Point lower_region(LoweringContext& context, Graph& graph,
                                          std::vector<program::LockChoice> choices, const RegionBody& body,
                                          program::Point next, const ExceptionTargets& targets);
// The point that enters the region. Which of several locks it takes is a guess, unless the isolated object tells.
[[nodiscard]] program::Point enter_region(LoweringContext& context, Graph& graph, program::Region region);
// Sets the locks of a region: one for certain, or choices.
void set_locks(program::MonitorRegion& region, std::vector<program::LockChoice> choices);

// What an access does with values, if the model follows them.
struct AccessedValue {
  std::optional<program::Local> target;        // of a read
  std::optional<program::Expression> written;  // by a write
};
// Any one of the points, or, if the model knows what is decided by which values, the one that this value decides.
[[nodiscard]] program::Point decide(LoweringContext& context, Graph& graph, const program::Expression& value,
                                    std::vector<program::Point> targets, std::optional<std::uint32_t> guess = {});

// An access to one of the targets, or to nothing. `isolated` tells whether the base is the isolated object.
[[nodiscard]] program::Point lower_access(LoweringContext& context, Graph& graph,
                                          const Targets<program::Variable>& targets, bool writes, std::uint32_t ordinal,
                                          const IsolatedFlags& isolated, program::Point next,
                                          const AccessedValue& value = {});

// Runs the initialiser of the class first, unless it has run already.
[[nodiscard]] program::Point lower_trigger(LoweringContext& context, Graph& graph, jvm::ClassId type,
                                           std::optional<jvm::ClassId> current, program::Point next);

// The procedure of a copy, whatever its origin is.
void lower_copy(LoweringContext& context, CopyId copy);
void lower_code(LoweringContext& context, CopyId copy, program::Procedure& procedure);
void lower_model(LoweringContext& context, CopyId copy, program::Procedure& procedure);

}  // namespace lockwood::java
