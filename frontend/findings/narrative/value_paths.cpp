#include "frontend/findings/narrative/value_paths.hpp"

#include <algorithm>
#include <map>

#include "frontend/program/lowering/liveness.hpp"

namespace lockwood::findings {

using program::Local;
using program::ProcedureId;
using program::SymbolRole;

// Finds all spots that a value can get to, one by one, with the rules that lead there.
//
// The spot of the top frame is in its stack symbol, so whatever happens above it does not matter. A thread that leaves
// a region takes the value along in its control state, and so does one that returns it; in the second case the return
// point must know for which local it is. It is guessed when the call is made: if nothing is returned, the guess leads
// nowhere.
class ValueExploration {
 public:
  explicit ValueExploration(const ValuePaths& paths)
      : program_{paths.program_}, lowered_{paths.lowered_}, paths_{paths} {}

  void run(const std::vector<dpn::StackSymbol>& makers) {
    for (dpn::StackSymbol maker : makers)
      for (dpn::RuleId id : lowered_.network.rules_at(maker)) begin(id);
    for (std::size_t next = 0; next < holders_.size(); ++next) {
      const HolderId id{next};
      const Holder holder = holders_[id];
      if (holder.spot.kind == Spot::Kind::Arrived) continue;  // an end, that of a way which another holder goes on
      if (!holder.left)
        for (dpn::RuleId rule : lowered_.network.rules_at(holder.symbol)) go(id, holder, rule);
      else if (holder.spot.kind == Spot::Kind::Result)
        return_value(id, holder);
      else
        leave_region(id, holder);
    }
  }

  // The frames whose next step uses the value.
  [[nodiscard]] std::vector<CarryingFrame> uses() const {
    std::vector<CarryingFrame> found;
    for (const Holder& holder : holders_)
      if (is_used(holder)) found.push_back({holder.symbol, holder.spot});
    return found;
  }

  [[nodiscard]] ValueWays ways(const std::vector<dpn::StackSymbol>& users) const {
    ValueWays result;
    IdVector<HolderId, bool> useful(holders_.size());
    std::vector<HolderId> worklist;
    for (HolderId id : holders_.keys())
      if (is_used(holders_[id]) && std::ranges::binary_search(users, holders_[id].symbol)) {
        result.ends.push_back({holders_[id].symbol, holders_[id].spot});
        useful[id] = true;
        worklist.push_back(id);
      }
    IdVector<HolderId, std::vector<HolderId>> before(holders_.size());
    for (const Found& found : found_)
      if (found.from) before[found.to].push_back(*found.from);
    while (!worklist.empty()) {
      const HolderId id = worklist.back();
      worklist.pop_back();
      for (HolderId from : before[id]) {
        if (useful[from]) continue;
        useful[from] = true;
        worklist.push_back(from);
      }
    }
    for (const Found& found : found_)
      if (useful[found.to]) result.rules.push_back(found.rule);
    return result;
  }

 private:
  using HolderId = Id<struct HolderTag>;
  // A frame with the value; or a thread that has left one of a procedure or region, with this control state.
  struct Holder {
    dpn::StackSymbol symbol;  // of the frame, or that it had last
    Spot spot;
    std::optional<dpn::ControlState> left = {};
    friend auto operator<=>(const Holder&, const Holder&) = default;
  };
  struct Found {
    CarryingRule rule;
    std::optional<HolderId> from;  // none: there is no value before
    HolderId to;
  };

  HolderId holder(const Holder& holder) {
    const auto [at, is_new] = known_.try_emplace(holder, holders_.size());
    if (is_new) holders_.push_back(holder);
    return at->second;
  }
  static Spot in(Local local) { return {Spot::Kind::Local, local}; }

  [[nodiscard]] const program::Node& node_at(dpn::StackSymbol symbol) const {
    const program::SymbolOrigin& origin = lowered_.symbols[symbol];
    return program_.procedures[origin.procedure].points[origin.point];
  }
  [[nodiscard]] bool is_used(const Holder& holder) const {
    if (holder.spot.kind == Spot::Kind::Arrived) return true;
    return !holder.left && holder.spot.kind == Spot::Kind::Local &&
           lowered_.symbols[holder.symbol].role == SymbolRole::Before &&
           uses(node_at(holder.symbol).instruction, holder.spot);
  }
  [[nodiscard]] static bool uses(const program::Instruction& instruction, const Spot& spot) {
    return spot.kind == Spot::Kind::Local && std::ranges::count(program::used_locals(instruction), spot.local) > 0;
  }
  [[nodiscard]] static bool uses(const program::Expression& expression, const Spot& spot) {
    return spot.kind == Spot::Kind::Local &&
           std::ranges::count(expression.postfix, program::Expression::Operation{spot.local}) > 0;
  }

  // ---- Where the value is made

  void begin(dpn::RuleId id) {
    const dpn::Rule& rule = lowered_.network.rule(id);
    const program::Instruction& instruction = node_at(rule.from.top).instruction;
    const SymbolRole role = lowered_.symbols[rule.from.top].role;
    if (lowered_.rules[id].fails || (role != SymbolRole::Before && role != SymbolRole::Returning)) return;
    const CarryingRule begins{
        .rule = rule, .of = id, .begins = true, .control = {}, .top = {}, .next = {}, .entered = {}};
    if (const auto* base = std::get_if<dpn::Base>(&rule.effect)) {
      if (const auto set = program::set_local(instruction)) to_next(begins, {}, base->to.top, in(*set));
    } else if (const auto* call = std::get_if<dpn::Call>(&rule.effect)) {
      const auto* called = std::get_if<program::Call>(&instruction);
      if (called == nullptr) return;
      for (std::size_t i = 0; i < called->arguments.size(); ++i)
        to_callee(begins, {}, call->callee.top, Local{i}, called->result);
      if (called->result && lowered_.symbols[call->return_point].role == SymbolRole::Before)
        to_next(begins, {}, call->return_point, in(*called->result));
    } else if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
      for (std::size_t i = 0; i < std::get<program::Spawn>(instruction).arguments.size(); ++i)
        to_child(begins, {}, spawn->child.top, Local{i});
    } else if (const auto* ret = std::get_if<dpn::Return>(&rule.effect)) {
      const auto* returned = std::get_if<program::Return>(&instruction);
      if (returned != nullptr && returned->value) out(begins, {}, ret->to, {Spot::Kind::Result});
    }
  }

  // ---- Steps of the frame that has it

  void go(HolderId id, const Holder& from, dpn::RuleId rule_id) {
    const dpn::Rule& rule = lowered_.network.rule(rule_id);
    const program::SymbolOrigin& origin = lowered_.symbols[from.symbol];
    const program::Instruction& instruction = node_at(from.symbol).instruction;
    const CarryingRule goes{.rule = rule, .of = rule_id, .control = {}, .top = from.spot, .next = {}, .entered = {}};
    if (origin.role == SymbolRole::Start || origin.role == SymbolRole::Waiting ||
        std::holds_alternative<program::Enter>(instruction)) {
      if (const auto entry = dpn::entry_of(rule)) into(goes, id, entry->callee.top, from.spot);
    } else if (const auto* base = std::get_if<dpn::Base>(&rule.effect)) {
      step(goes, id, base->to.top, instruction, lowered_.rules[rule_id].fails);
    } else if (const auto* join = std::get_if<dpn::Join>(&rule.effect)) {
      to_next(goes, id, join->to.top, from.spot);
    } else if (const auto* forget = std::get_if<dpn::Forget>(&rule.effect)) {
      to_next(goes, id, forget->to.top, from.spot);
    } else if (const auto* call = std::get_if<dpn::Call>(&rule.effect)) {
      const auto& called = std::get<program::Call>(instruction);
      for (std::size_t i = 0; i < called.arguments.size(); ++i)
        if (uses(called.arguments[i], from.spot)) to_callee(goes, id, call->callee.top, Local{i}, called.result);
      // A return point that is where the caller goes on has no step of its own that would set the result.
      if (lowered_.symbols[call->return_point].role != SymbolRole::Before || !is_set(from.spot, called.result))
        to_next(goes, id, call->return_point, from.spot);
    } else if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
      const auto& arguments = std::get<program::Spawn>(instruction).arguments;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (uses(arguments[i], from.spot)) to_child(goes, id, spawn->child.top, Local{i});
      to_next(goes, id, spawn->parent.top, from.spot);
    } else if (const auto* ret = std::get_if<dpn::Return>(&rule.effect)) {
      if (std::holds_alternative<program::Return>(instruction)) {
        if (uses(instruction, from.spot)) out(goes, id, ret->to, {Spot::Kind::Result});
      } else if (!std::holds_alternative<program::Raise>(instruction)) {
        out(goes, id, ret->to, from.spot);
      }
    }
  }

  void step(const CarryingRule& goes, HolderId id, dpn::StackSymbol to, const program::Instruction& instruction,
            bool fails) {
    const Spot spot = *goes.top;
    const bool decides = spot.kind == Spot::Kind::Deciding;
    if (fails) return decides ? void() : to_next(goes, id, to, spot);
    if (decides) return to_next(goes, id, to, program::set_local(instruction) == spot.local ? in(spot.local) : spot);
    if (const auto* assign = std::get_if<program::Assign>(&instruction); assign != nullptr && uses(assign->value, spot))
      to_next(goes, id, to, in(assign->target));
    if (const auto* branch = std::get_if<program::Branch>(&instruction); branch != nullptr && branch->decides)
      if (uses(branch->condition, spot)) to_next(goes, id, to, {Spot::Kind::Deciding, *branch->decides});
    if (!is_set(spot, program::set_local(instruction))) to_next(goes, id, to, spot);
  }
  [[nodiscard]] static bool is_set(const Spot& spot, std::optional<Local> set) {
    return spot.kind == Spot::Kind::Local && set == spot.local;
  }

  // ---- Steps of a thread that has it and has left a frame

  void leave_region(HolderId id, const Holder& from) {
    const program::SymbolOrigin& origin = lowered_.symbols[from.symbol];
    const program::Region region = *node_at(from.symbol).region;
    for (dpn::StackSymbol symbol : paths_.return_points_[origin.procedure][region])
      arrive(id, from, symbol, std::nullopt, from.spot);
  }

  void return_value(HolderId id, const Holder& from) {
    for (dpn::RuleId call_id : paths_.calls_[lowered_.symbols[from.symbol].procedure]) {
      const dpn::Rule& rule = lowered_.network.rule(call_id);
      const Local result = *std::get<program::Call>(node_at(rule.from.top).instruction).result;
      const Spot awaited{Spot::Kind::Awaited, result};
      const dpn::StackSymbol return_point = std::get<dpn::Call>(rule.effect).return_point;
      std::vector<HolderId> arrived = arrive(id, from, return_point, awaited, in(result));
      if (arrived.empty()) continue;
      const dpn::Rule back{{*from.left, return_point}, dpn::Action{0}, dpn::Base{rule.from}};
      to_next({.rule = back, .of = {}, .control = from.spot, .top = awaited, .next = {}, .entered = {}}, id,
              rule.from.top, {Spot::Kind::Arrived, result});
      arrived.push_back(found_.back().to);
      for (HolderId to : arrived)
        found_.push_back(
            {{.rule = rule, .of = call_id, .control = {}, .top = {}, .next = awaited, .entered = {}}, {}, to});
    }
  }

  // Goes on at the return point. Returns who has the value then.
  std::vector<HolderId> arrive(HolderId id, const Holder& from, dpn::StackSymbol symbol, std::optional<Spot> waiting,
                               const Spot& spot) {
    std::vector<HolderId> arrived;
    const auto add = [&](const dpn::Rule& rule, std::optional<dpn::RuleId> of, dpn::StackSymbol to) {
      to_next({.rule = rule, .of = of, .control = from.spot, .top = waiting, .next = {}, .entered = {}}, id, to, spot);
      arrived.push_back(found_.back().to);
    };
    if (lowered_.symbols[symbol].role == SymbolRole::Before) {
      const dpn::Head head{*from.left, symbol};
      add({head, dpn::Action{0}, dpn::Base{head}}, std::nullopt, symbol);
      return arrived;
    }
    for (dpn::RuleId rule_id : lowered_.network.rules_at(symbol)) {
      const dpn::Rule& rule = lowered_.network.rule(rule_id);
      const auto* base = std::get_if<dpn::Base>(&rule.effect);
      if (rule.from.control == from.left && base != nullptr && !lowered_.rules[rule_id].fails)
        add(rule, rule_id, base->to.top);
    }
    return arrived;
  }

  // ---- Where it gets

  void to_next(CarryingRule rule, std::optional<HolderId> from, dpn::StackSymbol to, Spot spot) {
    rule.next = spot;
    found_.push_back({rule, from, holder({to, spot})});
  }
  void into(CarryingRule rule, std::optional<HolderId> from, dpn::StackSymbol to, Spot spot) {
    rule.entered = spot;
    found_.push_back({rule, from, holder({to, spot})});
  }
  void to_callee(CarryingRule rule, std::optional<HolderId> from, dpn::StackSymbol entry, Local parameter,
                 std::optional<Local> result) {
    into(rule, from, entry, in(parameter));
    if (!result) return;
    rule.next = Spot{Spot::Kind::Awaited, *result};
    into(rule, from, entry, in(parameter));
  }
  void to_child(const CarryingRule& rule, std::optional<HolderId> from, dpn::StackSymbol start, Local parameter) {
    into(rule, from, start, in(parameter));
  }
  void out(CarryingRule rule, std::optional<HolderId> from, dpn::ControlState control, Spot spot) {
    rule.next = spot;
    found_.push_back({rule, from, holder({rule.rule.from.top, spot, control})});
  }

  const program::Program& program_;
  const program::Lowered& lowered_;
  const ValuePaths& paths_;
  IdVector<HolderId, Holder> holders_;
  std::map<Holder, HolderId> known_;
  std::vector<Found> found_;
};

ValuePaths::ValuePaths(const program::Program& program, const program::Lowered& lowered)
    : program_{program}, lowered_{lowered}, calls_(program.procedures.size()) {
  for (const program::Procedure& procedure : program.procedures)
    return_points_.push_back(IdVector<program::Region, std::vector<dpn::StackSymbol>>(procedure.regions.size()));
  for (dpn::RuleId id : lowered.network.rules().keys()) {
    const dpn::Rule& rule = lowered.network.rule(id);
    const auto entry = dpn::entry_of(rule);
    const program::SymbolOrigin& origin = lowered.symbols[rule.from.top];
    if (!entry || origin.role == SymbolRole::Start) continue;
    const program::Node& node = program.procedures[origin.procedure].points[origin.point];
    if (const auto* call = std::get_if<program::Call>(&node.instruction)) {
      if (call->result) calls_[call->procedure].push_back(id);
      continue;
    }
    const auto* enter = std::get_if<program::Enter>(&node.instruction);  // otherwise a wait comes back
    auto& known = return_points_[origin.procedure][enter != nullptr ? enter->region : *node.region];
    if (std::ranges::count(known, entry->return_point) == 0) known.push_back(entry->return_point);
  }
}

std::vector<dpn::StackSymbol> ValuePaths::users(const std::vector<dpn::StackSymbol>& makers) const {
  ValueExploration exploration{*this};
  exploration.run(makers);
  std::vector<dpn::StackSymbol> found;
  for (const CarryingFrame& frame : exploration.uses()) found.push_back(frame.symbol);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

ValueWays ValuePaths::ways(const std::vector<dpn::StackSymbol>& makers,
                           const std::vector<dpn::StackSymbol>& users) const {
  ValueExploration exploration{*this};
  exploration.run(makers);
  return exploration.ways(users);
}

}  // namespace lockwood::findings
