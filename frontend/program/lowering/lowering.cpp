#include "frontend/program/lowering/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <span>
#include <tuple>

#include "dpn/model/network_builder.hpp"
#include "frontend/program/ir/control.hpp"
#include "frontend/program/lowering/lowering_plan.hpp"
#include "frontend/program/lowering/lowering_symbols.hpp"
#include "frontend/program/lowering/waiting.hpp"

namespace lockwood::program {
namespace {

// What control states mean at a return point.
struct Plain {};  // nothing to tell; also the control state of every thread that is not returning
struct Result {
  bool value;
};
struct Thrown {
  ExceptionClass thrown;
};
struct Exit {  // of a region, with the values of the bools that are live behind it
  std::size_t number;
  Bits bits;
};
struct Waited {  // at this point of a region, with the values of the bools that are live behind it
  Point point;
  Bits bits;
};
using Outcome = std::variant<Plain, Result, Thrown, Exit, Waited>;

// A frame of the stack that can be left: of a procedure or a region. Each return point must know what to do with each
// outcome; both are found one by one.
struct Junction {
  std::vector<dpn::ControlState> outcomes;
  std::vector<dpn::StackSymbol> return_points;
};

// What becomes of a procedure while it is lowered.
struct Workspace {
  Junction junction;
  IdVector<Region, Junction> regions;
  IdVector<Point, std::optional<std::size_t>> access;  // number of the point's access
  std::vector<std::optional<Integer>> values;          // of locals: scratch, all unknown between two steps
};

// Explores what control can reach from main, symbol by symbol, and writes down a rule for each step.
class Lowering {
 public:
  Lowering(const Program& program, const LoweringOptions& options, Control control)
      : program_{program},
        options_{options},
        control_{std::move(control)},
        has_joins_{has_joins(program)},
        plans_{plan_lowering(program, control_, options)},
        symbols_{program, plans_, options.valuations_per_point, builder_} {
    controls_.push_back(Plain{});
    [[maybe_unused]] const dpn::ControlState plain = builder_.control("0");
    assert(plain == running);
    for (const LockInfo& lock : program.locks) builder_.lock(lock.name);
    name_groups();
    for (const Procedure& procedure : program.procedures) {
      Workspace space;
      space.regions.resize(procedure.regions.size());
      space.access.resize(procedure.points.size());
      space.values.resize(procedure.locals.size());
      spaces_.push_back(std::move(space));
    }
    list_accesses();
  }

  Lowered run(StopToken stop) && {
    explore(stop);
    return result();
  }

  // What control can get to, of the points that were given as reachable, if known values are minded.
  Control reached(StopToken stop) && {
    explore(stop);
    Control control = control_;
    for (auto& points : control.reachable) points = IdVector<Point, bool>(points.size());
    for (const SymbolOrigin& origin : symbols_.origins())
      if (origin.role == SymbolRole::Before) control.reachable[origin.procedure][origin.point] = true;
    return control;
  }

 private:
  static constexpr dpn::ControlState running{0};

  void explore(StopToken stop) {
    const ProcedureId main = program_.main;
    builder_.initial(thread_start(main, entry_bits(main, {}).front()));
    for (std::size_t next = 0; next < symbols_.size(); ++next) {
      stop.check();
      expand(dpn::StackSymbol{next});
      while (!resumptions_.empty()) {
        const auto [return_point, control] = resumptions_.back();
        resumptions_.pop_back();
        resume(return_point, control);
      }
    }
  }

  // ---- Preparation

  void list_accesses() {
    // Copies of one access in the source are one access.
    std::map<std::tuple<Variable, AccessKind, std::string, std::uint32_t>, std::size_t> copied;
    for (ProcedureId id : program_.procedures.keys()) {
      const Procedure& procedure = program_.procedures[id];
      std::map<std::pair<Variable, AccessKind>, std::uint32_t> ordinals;
      for (Point point : procedure.points.keys()) {
        const Node& node = procedure.points[point];
        const auto* read = std::get_if<Read>(&node.instruction);
        const auto* write = std::get_if<Write>(&node.instruction);
        if (read == nullptr && write == nullptr) continue;
        const Variable variable = read != nullptr ? read->variable : write->variable;
        const AccessKind kind = read != nullptr ? AccessKind::Read : AccessKind::Write;
        const std::uint32_t number = ++ordinals[{variable, kind}];
        if (node.ordinal != 0) {
          const auto [first, is_new] =
              copied.emplace(std::tuple{variable, kind, procedure.name, node.ordinal}, accesses_.size());
          spaces_[id].access[point] = first->second;
          if (!is_new) continue;
        }
        const std::uint32_t ordinal = node.ordinal != 0 ? node.ordinal : number;
        const std::string name = fmt::format("{}({},{},{})", read != nullptr ? "use" : "def",
                                             program_.variables[variable].name, unique_name(procedure), number);
        spaces_[id].access[point] = accesses_.size();
        accesses_.push_back({.variable = variable,
                             .kind = kind,
                             .procedure = id,
                             .point = point,
                             .ordinal = ordinal,
                             .statement = node.statement,
                             .range = node.range,
                             .races = program_.variables[variable].races,
                             .one_place = program_.variables[variable].one_place,
                             .before = {},
                             .after = {},
                             .action = action(name, fmt::format("{} in line {}", describe(program_, id, point),
                                                                node.range.begin.line))});
      }
    }
  }

  // Handles of different blocks may have one name.
  void name_groups() {
    for (ProcedureId id : program_.procedures.keys()) {
      const Procedure& procedure = program_.procedures[id];
      IdVector<Group, std::optional<dpn::Group>> groups(procedure.groups.size());
      for (Group group : groups.keys()) {
        if (!plans_[id].joined[group]) continue;
        const std::string& handle = procedure.groups[group].name;
        std::string name = fmt::format("{}.{}", unique_name(procedure), handle.empty() ? "spawned" : handle);
        if (builder_.symbols().groups.find(name)) name += fmt::format("#{}", group.index() + 1);
        groups[group] = builder_.group(name);
      }
      groups_.push_back(std::move(groups));
    }
  }
  // The groups that an activation of the procedure opens.
  [[nodiscard]] std::vector<dpn::Group> opened_by(ProcedureId procedure) const {
    std::vector<dpn::Group> opened;
    for (const auto& group : groups_[procedure])
      if (group) opened.push_back(*group);
    return opened;
  }
  dpn::Group finish() { return builder_.group("finish"); }

  // ---- Symbols

  // The bits of the values known now, for a symbol at the point. Everything live there must be known.
  [[nodiscard]] Bits bits_for(ProcedureId procedure, std::span<const Local> locals) const {
    Bits bits = 0;
    for (std::size_t i = 0; i < locals.size(); ++i) {
      const std::optional<Integer>& value = spaces_[procedure].values[locals[i].index()];
      assert(value);
      if (*value != 0) bits |= Bits{1} << i;
    }
    return bits;
  }

  dpn::StackSymbol before(ProcedureId procedure, Point point) {
    const std::vector<Local>& live = plans_[procedure].live[point];
    if (live.size() > max_bits) symbols_.explode(procedure, point);
    return symbols_.symbol(procedure, point, SymbolRole::Before, bits_for(procedure, live));
  }

  // ---- Control states and actions

  dpn::ControlState outcome(const std::string& name, Outcome meaning) {
    const dpn::ControlState control = builder_.control(name);
    if (!controls_.contains(control)) controls_.push_back(meaning);
    return control;
  }
  dpn::ControlState thrown(ExceptionClass which) {
    return outcome(which.index() == 0 ? "throws" : fmt::format("throws({})", which.index()), Thrown{which});
  }
  dpn::ControlState result(bool value) { return outcome(value ? "returns(1)" : "returns(0)", Result{value}); }
  dpn::ControlState exit(std::size_t number, std::size_t width, Bits bits) {
    if (number == 0 && width == 0) return running;
    return outcome(outcome_name("exit", number, width, bits), Exit{number, bits});
  }
  dpn::ControlState waited(Point point, std::size_t width, Bits bits) {
    return outcome(outcome_name("waits", point.index(), width, bits), Waited{point, bits});
  }
  static std::string outcome_name(std::string_view what, std::size_t number, std::size_t width, Bits bits) {
    std::string name = fmt::format("{}({}", what, number);
    for (std::size_t i = 0; i < width; ++i) name += fmt::format(",{}", (bits >> i) & 1U);
    return name + ')';
  }

  dpn::Action action(const std::string& name, const std::string& label) {
    const dpn::Action found = builder_.action(name);
    if (label != name && !builder_.symbols().actions.label(found)) builder_.label(found, label);
    return found;
  }

  // ---- Rules

  // Adds a rule from the symbol that is being expanded, unless this step was added for it already.
  enum class Success { Done, Failed };
  void add(dpn::Head from, dpn::Action rule_action, const dpn::Effect& effect, std::string what,
           Success success = Success::Done) {
    const dpn::Rule rule{from, rule_action, effect};
    if (std::ranges::find(added_, rule) != added_.end()) return;
    added_.push_back(rule);
    builder_.add(rule);
    const SymbolOrigin& origin = symbols_.origins()[from.top];
    rules_.push_back({origin.procedure, origin.point, std::move(what), success == Success::Failed});
  }
  void step(dpn::StackSymbol from, Point to, dpn::Action rule_action, std::string what,
            Success success = Success::Done) {
    const ProcedureId procedure = symbols_.origins()[from].procedure;
    const dpn::StackSymbol target = before(procedure, to);
    add({running, from}, rule_action, dpn::Base{{running, target}}, std::move(what), success);
  }

  // Runs `body` for each value that the local may have now, with the local set to it.
  template <class Body>
  void for_each_value(ProcedureId procedure, Local local, std::optional<Integer> value, Body body) {
    if (!plans_[procedure].tracked[local]) return body();
    const std::optional<Integer> saved = spaces_[procedure].values[local.index()];
    for (Integer each : {Integer{0}, Integer{1}}) {
      if (value && (*value != 0) != (each != 0)) continue;
      spaces_[procedure].values[local.index()] = each;
      body();
    }
    spaces_[procedure].values[local.index()] = saved;
  }

  [[nodiscard]] PartialValue evaluated(ProcedureId procedure, const Expression& expression) const {
    return evaluate(expression, spaces_[procedure].values);
  }

  // The valuations with which the procedure may be entered, given its arguments as far as they are known.
  [[nodiscard]] std::vector<Bits> entry_bits(ProcedureId callee,
                                             const std::vector<std::optional<Integer>>& arguments) const {
    const Procedure& procedure = program_.procedures[callee];
    const std::vector<Local>& live = plans_[callee].live[procedure.entry];
    if (live.size() > max_bits) symbols_.explode(callee, procedure.entry);
    std::vector<Bits> all{0};
    for (std::size_t i = 0; i < live.size(); ++i) {
      const bool parameter = live[i].index() < arguments.size();
      const std::optional<Integer> value = parameter ? arguments[live[i].index()] : std::optional<Integer>{0};
      const std::size_t count = all.size();
      for (std::size_t k = 0; k < count; ++k) {
        if (!value) all.push_back(all[k] | Bits{1} << i);
        if (value && *value != 0) all[k] |= Bits{1} << i;
      }
      if (all.size() > options_.valuations_per_point) symbols_.explode(callee, procedure.entry);
    }
    return all;
  }
  [[nodiscard]] std::vector<Bits> entry_bits_of_call(ProcedureId caller, ProcedureId callee,
                                                     const std::vector<Expression>& arguments) const {
    std::vector<std::optional<Integer>> values;
    values.reserve(arguments.size());
    for (const Expression& argument : arguments) values.push_back(evaluated(caller, argument).value);
    return entry_bits(callee, values);
  }

  // Where a thread begins that runs the procedure. If that may throw, a frame below it waits for the exception.
  dpn::Head thread_start(ProcedureId procedure, Bits bits) {
    const SymbolRole role = control_.may_throw(procedure) ? SymbolRole::Start : SymbolRole::Before;
    return {running, symbols_.symbol(procedure, program_.procedures[procedure].entry, role, bits)};
  }

  // ---- Junctions

  void leave(Junction& junction, dpn::ControlState control) {
    if (std::ranges::find(junction.outcomes, control) != junction.outcomes.end()) return;
    junction.outcomes.push_back(control);
    for (dpn::StackSymbol return_point : junction.return_points) resumptions_.emplace_back(return_point, control);
  }
  void await(Junction& junction, dpn::StackSymbol return_point) {
    junction.return_points.push_back(return_point);
    for (dpn::ControlState control : junction.outcomes) resumptions_.emplace_back(return_point, control);
  }

  // The rule by which a return point goes on after an outcome.
  void resume(dpn::StackSymbol from, dpn::ControlState control) {
    added_.clear();
    const SymbolOrigin origin = symbols_.origins()[from];
    const Outcome& meaning = controls_[control];
    const auto* thrown = std::get_if<Thrown>(&meaning);
    const bool threw = thrown != nullptr;
    const dpn::Head head{control, from};
    if (origin.role == SymbolRole::Ending) {
      if (!threw) return add(head, action("end", "end"), dpn::Return{running}, "end the thread");
      const dpn::StackSymbol uncaught = symbols_.symbol(origin.procedure, origin.point, SymbolRole::Uncaught, 0);
      add(head, action("uncaught", "uncaught"), dpn::Base{{running, uncaught}}, "end by an exception");
      // A thread that stands there for ever could be joined by nobody. It has ended.
      if (has_joins_) add({running, uncaught}, action("end", "end"), dpn::Return{running}, "end the thread");
      return;
    }
    const Procedure& procedure = program_.procedures[origin.procedure];
    const Instruction& instruction = procedure.points[origin.point].instruction;
    dpn::StackSymbol target{0};
    if (const auto* waits = std::get_if<Waited>(&meaning)) {
      target = symbols_.symbol(origin.procedure, waits->point, SymbolRole::Waiting, waits->bits);
    } else if (const auto* enter = std::get_if<Enter>(&instruction)) {
      const auto* exit_taken = std::get_if<Exit>(&meaning);
      const Point to = procedure.regions[enter->region].exits[exit_taken == nullptr ? 0 : exit_taken->number];
      target = symbols_.symbol(origin.procedure, to, SymbolRole::Before, exit_taken == nullptr ? 0 : exit_taken->bits);
    } else {
      const Call& call = std::get<Call>(instruction);
      const auto* returned = std::get_if<Result>(&meaning);
      const ScopedValues scope{spaces_[origin.procedure], origin.bools};
      auto& values = spaces_[origin.procedure].values;
      if (call.result && !threw) values[call.result->index()].reset();
      if (returned != nullptr && call.result) values[call.result->index()] = returned->value ? 1 : 0;
      target = before(origin.procedure, threw ? handler_of(call, thrown->thrown) : call.next);
      if (call.result) values[call.result->index()].reset();
    }
    add(head, threw ? action("catch", "catch") : action("resume", "resume"), dpn::Base{{running, target}},
        threw ? "go on after an exception" : "go on", threw ? Success::Failed : Success::Done);
  }

  // The known values of a symbol, while it is being looked at.
  class ScopedValues {
   public:
    ScopedValues(Workspace& space, const std::vector<std::pair<Local, bool>>& bools) : space_{space}, bools_{bools} {
      for (const auto& [local, value] : bools_) space_.values[local.index()] = value ? 1 : 0;
    }
    ~ScopedValues() {
      for (const auto& [local, value] : bools_) space_.values[local.index()].reset();
    }
    ScopedValues(const ScopedValues&) = delete;
    ScopedValues& operator=(const ScopedValues&) = delete;

   private:
    Workspace& space_;
    std::vector<std::pair<Local, bool>> bools_;
  };

  // ---- Expansion of a symbol

  void expand(dpn::StackSymbol from) {
    added_.clear();
    const SymbolOrigin origin = symbols_.origins()[from];
    if (origin.role == SymbolRole::Start) return expand_start(from, origin);
    if (origin.role == SymbolRole::Waiting) return expand_waiting(from, origin);
    if (origin.role == SymbolRole::Joined) {
      const ScopedValues scope{spaces_[origin.procedure], origin.bools};
      return leave_region(from, std::get<Leave>(node_of(origin).instruction));
    }
    if (origin.role != SymbolRole::Before) return;
    const ScopedValues scope{spaces_[origin.procedure], origin.bools};
    const Instruction& instruction = program_.procedures[origin.procedure].points[origin.point].instruction;
    std::visit([&](const auto& each) { expand(from, each); }, instruction);
  }

  void expand_start(dpn::StackSymbol from, const SymbolOrigin& origin) {
    Bits bits = 0;
    for (std::size_t i = 0; i < origin.bools.size(); ++i) bits |= Bits{origin.bools[i].second ? 1U : 0U} << i;
    const dpn::StackSymbol entry = symbols_.symbol(origin.procedure, origin.point, SymbolRole::Before, bits);
    const auto known = symbols_.size();
    const dpn::StackSymbol ending = symbols_.symbol(origin.procedure, origin.point, SymbolRole::Ending, 0);
    add({running, from}, action("start", "start"), dpn::Call{{running, entry}, ending, opened_by(origin.procedure)},
        "start");
    if (ending.index() >= known) await(spaces_[origin.procedure].junction, ending);
  }

  void expand(dpn::StackSymbol from, const Skip& skip) {
    step(from, skip.next, action(skip.what, skip.what), skip.what);
  }

  void expand(dpn::StackSymbol from, const Read& read) { access(from, read.target, read.next); }
  void expand(dpn::StackSymbol from, const Write& write) { access(from, std::nullopt, write.next); }
  void access(dpn::StackSymbol from, std::optional<Local> target, Point next) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const std::size_t number = *spaces_[origin.procedure].access[origin.point];
    const auto go = [&] {
      step(from, next, accesses_[number].action, describe(program_, origin.procedure, origin.point));
      accesses_[number].after.push_back(before(origin.procedure, next));
    };
    if (target)
      for_each_value(origin.procedure, *target, std::nullopt, go);
    else
      go();
  }

  void expand(dpn::StackSymbol from, const Assign& assign) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const PartialValue value = evaluated(origin.procedure, assign.value);
    const std::string what = describe(program_, origin.procedure, origin.point);
    const dpn::Action set = action("set", "set");
    if (!value.must_fail)
      for_each_value(origin.procedure, assign.target, value.value, [&] { step(from, assign.next, set, what); });
    if (value.may_fail) step(from, *assign.on_failure, action("throw", "throw"), "divide by zero", Success::Failed);
  }

  void expand(dpn::StackSymbol from, const Branch& branch) {
    const auto value = evaluated(symbols_.origins()[from].procedure, branch.condition).value;
    if (!value || *value != 0) step(from, branch.if_true, action("yes", "yes"), "condition holds");
    if (!value || *value == 0) step(from, branch.if_false, action("no", "no"), "condition does not hold");
  }

  void expand(dpn::StackSymbol from, const Choose& choose) {
    for (Point target : choose.targets) step(from, target, action("choose", "choose"), "choose");
  }

  void expand(dpn::StackSymbol from, const Call& call) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const ProcedureId caller = origin.procedure;
    const std::string name = unique_name(program_.procedures[call.procedure]);
    const std::string what = "call " + program_.procedures[call.procedure].name;
    const dpn::Action made = action("call(" + name + ")", what);
    const bool plain = plans_[call.procedure].plain;
    const auto entries = entry_bits_of_call(caller, call.procedure, call.arguments);
    dpn::StackSymbol return_point{0};
    if (plain) {
      return_point = before(caller, call.next);
    } else {
      const std::vector<Local> known = symbols_.known_locals(caller, origin.point, SymbolRole::Returning);
      if (known.size() > max_bits) symbols_.explode(caller, origin.point);
      const auto count = symbols_.size();
      return_point = symbols_.symbol(caller, origin.point, SymbolRole::Returning, bits_for(caller, known));
      if (return_point.index() >= count) await(spaces_[call.procedure].junction, return_point);
    }
    for (Bits bits : entries) {
      const dpn::StackSymbol entry =
          symbols_.symbol(call.procedure, program_.procedures[call.procedure].entry, SymbolRole::Before, bits);
      add({running, from}, made, dpn::Call{{running, entry}, return_point, opened_by(call.procedure)}, what);
    }
  }

  void expand(dpn::StackSymbol from, const Spawn& spawn) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const ProcedureId parent = origin.procedure;
    const std::string name = unique_name(program_.procedures[spawn.procedure]);
    const std::string what = "spawn " + program_.procedures[spawn.procedure].name;
    std::vector<dpn::Membership> memberships;
    for (const Membership& membership : spawn.memberships)
      if (const auto group = groups_[parent][membership.group])
        memberships.push_back({*group, membership.all, membership.replace});
    if (may_be_in_finish(program_.procedures[parent], plans_[parent], origin.point))
      memberships.push_back({finish(), true, false});
    const dpn::Head next{running, before(parent, spawn.next)};
    for (Bits bits : entry_bits_of_call(parent, spawn.procedure, spawn.arguments))
      add({running, from}, action("spawn(" + name + ")", what),
          dpn::Spawn{next, thread_start(spawn.procedure, bits), memberships}, what);
  }

  void expand(dpn::StackSymbol from, const Join& join) {
    const SymbolOrigin origin = symbols_.origins()[from];
    std::vector<dpn::Group> groups;
    std::string names;
    for (Group group : join.groups) {
      groups.push_back(*groups_[origin.procedure][group]);
      names += (names.empty() ? "" : ",") + std::string{builder_.symbols().groups.name(groups.back())};
    }
    const std::string what = describe(program_, origin.procedure, origin.point);
    add({running, from}, action("join(" + names + ")", what),
        dpn::Join{{running, before(origin.procedure, join.next)}, std::move(groups)}, what);
  }

  void expand(dpn::StackSymbol from, const Forget& forget) {
    const SymbolOrigin origin = symbols_.origins()[from];
    std::vector<dpn::Group> groups;
    for (Group group : forget.groups)
      if (const auto known = groups_[origin.procedure][group]) groups.push_back(*known);
    const std::string what = describe(program_, origin.procedure, origin.point);
    const dpn::Action forgets = action("forget", what);
    if (groups.empty()) return step(from, forget.next, forgets, what);
    const dpn::Head to{running, before(origin.procedure, forget.next)};
    add({running, from}, forgets, dpn::Forget{to, std::move(groups)}, what);
  }

  void expand(dpn::StackSymbol from, const Enter& enter) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const Procedure& procedure = program_.procedures[origin.procedure];
    const MonitorRegion& region = procedure.regions[enter.region];
    const RegionPlan& plan = plans_[origin.procedure].regions[enter.region];
    const std::string what = describe(program_, origin.procedure, origin.point);
    const dpn::Head body{running, before(origin.procedure, region.body)};
    bool is_new = false;
    dpn::StackSymbol return_point{0};
    if (plan.falls_through) {
      return_point = symbols_.symbol(origin.procedure, region.exits.front(), SymbolRole::Before, 0);
    } else {
      const auto count = symbols_.size();
      return_point = symbols_.symbol(origin.procedure, origin.point, SymbolRole::Returning, 0);
      is_new = return_point.index() >= count;
    }
    for (const std::optional<Lock>& lock : locks_of(origin.procedure, region)) {
      dpn::Effect effect = dpn::Call{body, return_point};
      if (region.is_finish()) effect = dpn::Call{body, return_point, {finish()}};
      if (lock && plan.monitor) effect = dpn::Monitor{body, return_point, dpn::Lock{lock->index()}};
      add({running, from}, action("enter(" + region_name(region) + ")", what), effect, what);
    }
    if (is_new) await(spaces_[origin.procedure].regions[enter.region], return_point);
  }

  // Whether a thread with these values takes the lock there, for certain or perhaps; nothing: it does not.
  [[nodiscard]] std::optional<bool> takes(ProcedureId procedure, const MonitorRegion& region, Lock lock,
                                          const std::vector<std::pair<Local, bool>>& bools) {
    if (region.lock) return region.lock == lock ? std::optional{true} : std::nullopt;
    const ScopedValues scope{spaces_[procedure], bools};
    const auto fitting = locks_of(procedure, region);
    if (std::ranges::find(fitting, lock) == fitting.end()) return std::nullopt;
    return fitting.size() == 1;
  }

  // The locks that the region may take with the values known now: nothing stands for none.
  [[nodiscard]] std::vector<std::optional<Lock>> locks_of(ProcedureId procedure, const MonitorRegion& region) const {
    if (region.choices.empty()) return {region.lock};
    std::vector<std::optional<Lock>> fitting;
    for (const LockChoice& choice : region.choices) {
      const bool fits = std::ranges::all_of(choice.conditions, [&](const auto& condition) {
        const auto& value = spaces_[procedure].values[condition.first.index()];
        return !value || (*value != 0) == condition.second;
      });
      if (!fits) continue;
      if (std::ranges::find(fitting, choice.lock) == fitting.end()) fitting.push_back(choice.lock);
    }
    return fitting;
  }

  // A finish region is left in two steps: its threads have ended, and then the frame goes.
  void expand(dpn::StackSymbol from, const Leave& leaving) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const Procedure& procedure = program_.procedures[origin.procedure];
    if (!procedure.regions[*procedure.points[origin.point].region].is_finish()) return leave_region(from, leaving);
    const std::vector<Local>& live = plans_[origin.procedure].live[origin.point];
    const dpn::StackSymbol joined =
        symbols_.symbol(origin.procedure, origin.point, SymbolRole::Joined, bits_for(origin.procedure, live));
    const std::string what = "join all threads started in finish";
    add({running, from}, action("join(finish)", what), dpn::Join{{running, joined}, {finish()}}, what);
  }
  void leave_region(dpn::StackSymbol from, const Leave& leaving) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const Procedure& procedure = program_.procedures[origin.procedure];
    const Region inner = *procedure.points[origin.point].region;
    const MonitorRegion& region = procedure.regions[inner];
    const std::vector<Local>& live = plans_[origin.procedure].live[region.exits[leaving.exit]];
    const dpn::ControlState control = exit(leaving.exit, live.size(), bits_for(origin.procedure, live));
    const std::string what = describe(program_, origin.procedure, origin.point);
    add({running, from}, action("leave(" + region_name(region) + ")", what), dpn::Return{control}, what);
    leave(spaces_[origin.procedure].regions[inner], control);
  }

  [[nodiscard]] std::string region_name(const MonitorRegion& region) const {
    if (region.is_finish()) return "finish";
    std::string names = region.lock ? program_.locks[*region.lock].name : "";
    for (const LockChoice& choice : region.choices)
      if (choice.lock) names += (names.empty() ? "" : "|") + program_.locks[*choice.lock].name;
    return names;
  }
  [[nodiscard]] static std::vector<Lock> all_locks(const MonitorRegion& region) {
    std::vector<Lock> locks;
    if (region.lock) locks.push_back(*region.lock);
    for (const LockChoice& choice : region.choices)
      if (choice.lock && std::ranges::find(locks, *choice.lock) == locks.end()) locks.push_back(*choice.lock);
    return locks;
  }
  [[nodiscard]] const Node& node_of(const SymbolOrigin& origin) const {
    return program_.procedures[origin.procedure].points[origin.point];
  }

  // A wait leaves the region that it is in, and comes back to the point after it: the frame is popped, and a new
  // one entered. Any other wait is a step.
  void expand(dpn::StackSymbol from, const Wait& wait) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const std::string& lock = program_.locks[wait.lock].name;
    const dpn::Action waits = action("wait(" + lock + ")", "wait " + lock);
    const auto region = region_left_by_wait(program_.procedures[origin.procedure], origin.point);
    if (!region || !plans_[origin.procedure].regions[*region].monitor)
      return step(from, wait.next, waits, "wait " + lock);
    const std::vector<Local>& live = plans_[origin.procedure].live[wait.next];
    if (live.size() > max_bits) symbols_.explode(origin.procedure, wait.next);
    const dpn::ControlState control = waited(origin.point, live.size(), bits_for(origin.procedure, live));
    add({running, from}, waits, dpn::Return{control}, "wait " + lock);
    leave(spaces_[origin.procedure].regions[*region], control);
  }
  void expand_waiting(dpn::StackSymbol from, const SymbolOrigin& origin) {
    const Procedure& procedure = program_.procedures[origin.procedure];
    const auto& wait = std::get<Wait>(procedure.points[origin.point].instruction);
    const MonitorRegion& region = procedure.regions[*procedure.points[origin.point].region];
    const ScopedValues scope{spaces_[origin.procedure], origin.bools};
    const dpn::Head body{running, before(origin.procedure, wait.next)};
    const dpn::StackSymbol returning = symbols_.symbol(origin.procedure, region.enter, SymbolRole::Returning, 0);
    const std::string& lock = program_.locks[wait.lock].name;
    const std::string what = "go on after wait " + lock;
    for (const std::optional<Lock>& again : locks_of(origin.procedure, region)) {
      dpn::Effect effect = dpn::Call{body, returning};
      if (again) effect = dpn::Monitor{body, returning, dpn::Lock{again->index()}};
      add({running, from}, action("wake(" + lock + ")", what), effect, what);
    }
  }
  void expand(dpn::StackSymbol from, const Notify& notify) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const std::string what = describe(program_, origin.procedure, origin.point);
    const std::string& lock = program_.locks[notify.lock].name;
    step(from, notify.next, action((notify.all ? "notifyAll(" : "notify(") + lock + ")", what), what);
  }
  void expand(dpn::StackSymbol from, const Print& print) { step(from, print.next, action("print", "print"), "print"); }
  void expand(dpn::StackSymbol from, const Assert& assertion) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const auto value = evaluated(origin.procedure, assertion.condition).value;
    if (!value || *value != 0) step(from, assertion.next, action("assert", "assert"), "assert");
    if (value && *value != 0) return;
    const dpn::StackSymbol failed = symbols_.symbol(origin.procedure, origin.point, SymbolRole::Failed, 0);
    add({running, from}, action("fail", "fail"), dpn::Base{{running, failed}}, "fail the assertion");
  }

  void expand(dpn::StackSymbol from, const Return& ret) {
    const ProcedureId procedure = symbols_.origins()[from].procedure;
    const auto go = [&](dpn::ControlState control) {
      add({running, from}, action("return", "return"), dpn::Return{control}, "return");
      leave(spaces_[procedure].junction, control);
    };
    if (program_.procedures[procedure].result != Type::Bool) return go(running);
    const auto value = ret.value ? evaluated(procedure, *ret.value).value : std::optional<Integer>{0};
    if (!value || *value == 0) go(result(false));
    if (!value || *value != 0) go(result(true));
  }
  void expand(dpn::StackSymbol from, const Raise& raise) {
    const SymbolOrigin origin = symbols_.origins()[from];
    const dpn::ControlState control = thrown(raise.thrown);
    add({running, from}, action("throw", "throw"), dpn::Return{control},
        describe(program_, origin.procedure, origin.point));
    leave(spaces_[origin.procedure].junction, control);
  }

  // ---- The end

  Lowered result() {
    IdVector<ProcedureId, IdVector<Point, std::vector<dpn::StackSymbol>>> standing;
    for (const Procedure& procedure : program_.procedures)
      standing.push_back(IdVector<Point, std::vector<dpn::StackSymbol>>(procedure.points.size()));
    for (dpn::StackSymbol each : symbols_.origins().keys())
      if (symbols_.origins()[each].role == SymbolRole::Before)
        standing[symbols_.origins()[each].procedure][symbols_.origins()[each].point].push_back(each);

    // A thread that is not returning has nothing to tell by its control state.
    if (controls_.size() > 1) builder_.label(running, "");
    Lowered lowered{.network = std::move(builder_).build(),
                    .accesses = std::move(accesses_),
                    .labels = {},
                    .acquisitions = {},
                    .symbols = symbols_.take_origins(),
                    .rules = std::move(rules_),
                    .notes = {}};
    assert(lowered.network.rules().size() == lowered.rules.size());
    for (ProcedureId id : program_.procedures.keys())
      for (Point point : program_.procedures[id].points.keys())
        if (const auto number = spaces_[id].access[point])
          std::ranges::copy(standing[id][point], std::back_inserter(lowered.accesses[*number].before));
    for (Access& access : lowered.accesses) {
      std::ranges::sort(access.before);
      std::ranges::sort(access.after);
      access.after.erase(std::unique(access.after.begin(), access.after.end()), access.after.end());
    }
    for (const Label& label : program_.labels)
      lowered.labels.push_back(
          {label.name, label.procedure, label.point, label.range, standing[label.procedure][label.point]});
    for (ProcedureId id : program_.procedures.keys()) list_acquisitions(id, standing[id], lowered);
    return lowered;
  }

  void list_acquisitions(ProcedureId id, const IdVector<Point, std::vector<dpn::StackSymbol>>& standing,
                         Lowered& lowered) {
    const Procedure& procedure = program_.procedures[id];
    for (Point point : procedure.points.keys()) {
      const auto* enter = std::get_if<Enter>(&procedure.points[point].instruction);
      if (enter == nullptr) continue;
      const MonitorRegion& region = procedure.regions[enter->region];
      const SourceRange& range = procedure.points[point].range;
      const bool monitor = plans_[id].regions[enter->region].monitor;
      for (Lock lock : all_locks(region)) {
        Acquisition row{.lock = lock,
                        .procedure = id,
                        .point = point,
                        .region = enter->region,
                        .range = range,
                        .monitor = monitor,
                        .certain = true,
                        .shared = region.shared,
                        .blocks = region.choices.empty() || std::ranges::any_of(region.choices, &LockChoice::blocks),
                        .before = {}};
        std::vector<dpn::StackSymbol> uncertain;
        for (dpn::StackSymbol symbol : standing[point])
          if (const auto certain = takes(id, region, lock, lowered.symbols[symbol].bools))
            (*certain ? row.before : uncertain).push_back(symbol);
        const bool is_certain = region.lock.has_value() || !row.before.empty();
        if (is_certain) lowered.acquisitions.push_back(row);
        if (is_certain && uncertain.empty()) continue;
        row.certain = false;
        row.before = std::move(uncertain);
        lowered.acquisitions.push_back(std::move(row));
      }
      if (region.is_finish() || monitor || region.shared || standing[point].empty()) continue;
      const std::string lock = region_name(region);
      lowered.notes.push_back(
          {.severity = Severity::Note,
           .file = program_.files[range.file],
           .at = range.begin,
           .message = fmt::format("the model ignores lock '{}' here, since it may be waited for in a call or another "
                                  "region inside: there may be more schedules than the program has, and deadlocks "
                                  "with this lock may be missed",
                                  lock)});
    }
  }

  const Program& program_;
  const LoweringOptions& options_;
  Control control_;
  bool has_joins_;
  IdVector<ProcedureId, ProcedurePlan> plans_;
  IdVector<ProcedureId, Workspace> spaces_;
  dpn::NetworkBuilder builder_;
  IdVector<ProcedureId, IdVector<Group, std::optional<dpn::Group>>> groups_;  // none: nobody joins it
  LoweringSymbols symbols_;
  IdVector<dpn::ControlState, Outcome> controls_;
  std::vector<dpn::Rule> added_;  // for the symbol that is being expanded
  IdVector<dpn::RuleId, RuleOrigin> rules_;
  std::vector<Access> accesses_;
  std::vector<std::pair<dpn::StackSymbol, dpn::ControlState>> resumptions_;  // rules still to be made
};

bool may_wait(const Program& program, const Control& control) {
  for (ProcedureId id : program.procedures.keys())
    for (Point point : program.procedures[id].points.keys())
      if (control.reachable[id][point] &&
          std::holds_alternative<Wait>(program.procedures[id].points[point].instruction))
        return true;
  return false;
}

}  // namespace

Lowered lower(const Program& program, const LoweringOptions& options, StopToken stop) {
  Control control = control_of(program);
  // A wait that control gets to only with other values than those it has must not cost a lock. What control gets to
  // does not depend on which regions are monitors.
  if (may_wait(program, control)) control = Lowering{program, options, std::move(control)}.reached(stop);
  return Lowering{program, options, std::move(control)}.run(stop);
}

}  // namespace lockwood::program
