#include "tests/oracle/program/naive_values.hpp"

#include <algorithm>
#include <deque>

#include "dpn/semantics/small_step.hpp"
#include "frontend/program/lowering/liveness.hpp"

namespace lockwood::findings::reference {
namespace {

using Key = std::vector<std::size_t>;

Key key_of(const dpn::Configuration& configuration) {
  Key key;
  for (const dpn::Thread& thread : configuration.threads) {
    key.push_back(thread.control.index());
    key.push_back(thread.stack.size());
    for (const dpn::Frame& frame : thread.stack) {
      key.push_back(frame.symbol.index());
      key.push_back(frame.lock ? frame.lock->index() + 1 : 0);
    }
  }
  return key;
}

// Visits every pair of a configuration and what is known in it. Knowledge has an order, and `step` makes the knowledge
// after a move of that before it. False if there are too many.
template <class Knowledge, class Step, class Visit>
bool visit_all(const dpn::Network& network, dpn::Semantics semantics, std::size_t limit, Knowledge initial, Step step,
               Visit visit) {
  std::set<std::pair<Key, Knowledge>> seen;
  std::deque<std::pair<dpn::Configuration, Knowledge>> queue;
  const auto meet = [&](dpn::Configuration configuration, Knowledge knowledge) {
    if (!seen.emplace(key_of(configuration), knowledge).second) return;
    visit(configuration, knowledge);
    queue.emplace_back(std::move(configuration), std::move(knowledge));
  };
  meet(dpn::initial_configuration(network), std::move(initial));
  while (!queue.empty()) {
    if (seen.size() > limit) return false;
    const auto [configuration, knowledge] = std::move(queue.front());
    queue.pop_front();
    for (const dpn::Move& move : dpn::enabled_moves(network, configuration, semantics)) {
      dpn::Configuration after = configuration;
      dpn::apply(network, after, move);
      meet(after, step(knowledge, configuration, move, after));
    }
  }
  return true;
}

std::optional<AccessId> access_of(const program::Lowered& lowered, dpn::Action action) {
  for (std::size_t i = 0; i < lowered.accesses.size(); ++i)
    if (lowered.accesses[i].action == action) return AccessId{i};
  return std::nullopt;
}

std::optional<AccessId> access_before(const program::Lowered& lowered, dpn::StackSymbol symbol) {
  for (std::size_t i = 0; i < lowered.accesses.size(); ++i)
    if (std::ranges::count(lowered.accesses[i].before, symbol) > 0) return AccessId{i};
  return std::nullopt;
}

// A procedure that is being run, with its regions: which of its locals have something of the value.
struct TaintedFrame {
  std::vector<char> locals;
  std::vector<char> decided;  // about to be set to what the value has decided
  std::size_t result;         // of the caller, for the local that gets what is returned; none: past the last
  friend auto operator<=>(const TaintedFrame&, const TaintedFrame&) = default;
};
struct Taint {
  std::vector<char> variables;
  std::vector<std::vector<TaintedFrame>> threads;
  friend auto operator<=>(const Taint&, const Taint&) = default;
};

// The taint after a move, instruction by instruction.
class TaintedStep {
 public:
  TaintedStep(const program::Program& program, const program::Lowered& lowered, const Origins& origins, Taint& taint)
      : program_{program}, lowered_{lowered}, origins_{origins}, taint_{taint} {}

  static TaintedFrame frame(const program::Procedure& procedure) {
    const std::vector<char> none(procedure.locals.size(), 0);
    return {none, none, static_cast<std::size_t>(-1)};
  }

  void follow(const dpn::Move& move) {
    thread_ = move.thread.index();
    const dpn::Rule& rule = lowered_.network.rule(move.rule);
    const program::SymbolOrigin& from = lowered_.symbols[rule.from.top];
    const program::RuleOrigin& origin = lowered_.rules[move.rule];
    const program::Instruction& instruction = program_.procedures[origin.procedure].points[origin.point].instruction;
    makes_ = std::ranges::count(origins_.places, rule.from.top) > 0;
    if (origin.fails) {
      std::ranges::fill(top().decided, 0);
    } else if (from.role == program::SymbolRole::Before) {
      execute(instruction, rule);
    }
  }

 private:
  std::vector<TaintedFrame>& stack() { return taint_.threads[thread_]; }
  TaintedFrame& top() { return stack().back(); }
  bool tainted(const std::vector<program::Local>& locals) {
    return std::ranges::any_of(locals, [&](program::Local local) { return top().locals[local.index()] != 0; });
  }
  void set(program::Local local, bool value) {
    top().locals[local.index()] = value || makes_ || top().decided[local.index()] != 0 ? 1 : 0;
    top().decided[local.index()] = 0;
  }
  TaintedFrame entered(program::ProcedureId callee, const std::vector<program::Expression>& arguments) {
    TaintedFrame result = frame(program_.procedures[callee]);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      result.locals[i] =
          makes_ || tainted(program::used_locals(program::Print{{arguments[i]}, program::Point{0}})) ? 1 : 0;
    return result;
  }

  void execute(const program::Instruction& instruction, const dpn::Rule& rule) {
    const bool used = tainted(program::used_locals(instruction));
    if (const auto* read = std::get_if<program::Read>(&instruction)) {
      set(read->target, taint_.variables[read->variable.index()] != 0);
    } else if (const auto* write = std::get_if<program::Write>(&instruction)) {
      const bool source = std::ranges::any_of(origins_.sources,
                                              [&](AccessId id) { return access(lowered_, id).action == rule.action; });
      taint_.variables[write->variable.index()] = used || source ? 1 : 0;
    } else if (const auto* assign = std::get_if<program::Assign>(&instruction)) {
      set(assign->target, used);
    } else if (const auto* branch = std::get_if<program::Branch>(&instruction)) {
      if (branch->decides && used) top().decided[branch->decides->index()] = 1;
    } else if (const auto* call = std::get_if<program::Call>(&instruction)) {
      TaintedFrame callee = entered(call->procedure, call->arguments);
      if (call->result) callee.result = 2 * call->result->index() + (makes_ ? 1 : 0);
      stack().push_back(std::move(callee));
    } else if (const auto* spawn = std::get_if<program::Spawn>(&instruction)) {
      taint_.threads.push_back({entered(spawn->procedure, spawn->arguments)});
    } else if (const auto* ret = std::get_if<program::Return>(&instruction)) {
      const bool value = used || (makes_ && ret->value);
      const std::size_t result = top().result;
      stack().pop_back();
      if (result == static_cast<std::size_t>(-1)) return;
      makes_ = result % 2 != 0;
      set(program::Local{result / 2}, value);
    } else if (std::holds_alternative<program::Raise>(instruction)) {
      stack().pop_back();
    }
  }

  const program::Program& program_;
  const program::Lowered& lowered_;
  const Origins& origins_;
  Taint& taint_;
  std::size_t thread_ = 0;
  bool makes_ = false;  // the step at hand makes the value
};

}  // namespace

std::optional<std::map<std::pair<AccessId, AccessId>, Reached>> def_use_pairs(const program::Lowered& lowered,
                                                                              program::Variable variable,
                                                                              dpn::Semantics semantics,
                                                                              std::size_t limit) {
  using Last = std::optional<std::pair<AccessId, dpn::ThreadId>>;
  const dpn::Network& network = lowered.network;
  std::map<std::pair<AccessId, AccessId>, Reached> found;
  const auto step = [&](Last last, const dpn::Configuration&, const dpn::Move& move, const dpn::Configuration&) {
    const auto done = access_of(lowered, network.rule(move.rule).action);
    const bool defines = done && access(lowered, *done).variable == variable &&
                         access(lowered, *done).kind == program::AccessKind::Write;
    return defines ? Last{{*done, move.thread}} : last;
  };
  const auto visit = [&](const dpn::Configuration& configuration, const Last& last) {
    if (!last) return;
    for (dpn::ThreadId thread : configuration.threads.keys()) {
      if (configuration.threads[thread].ended()) continue;
      const auto next = access_before(lowered, configuration.threads[thread].head().top);
      if (!next || access(lowered, *next).variable != variable ||
          access(lowered, *next).kind != program::AccessKind::Read)
        continue;
      Reached& reached = found[{last->first, *next}];
      (thread == last->second ? reached.by_same : reached.by_other) = true;
    }
  };
  if (!visit_all(network, semantics, limit, Last{}, step, visit)) return std::nullopt;
  return found;
}

std::optional<bool> flows(const program::Program& program, const program::Lowered& lowered, const Origins& origins,
                          const std::vector<AccessId>& sinks, std::size_t limit) {
  const auto step = [&](Taint taint, const dpn::Configuration&, const dpn::Move& move, const dpn::Configuration&) {
    TaintedStep{program, lowered, origins, taint}.follow(move);
    return taint;
  };
  bool found = false;
  const auto visit = [&](const dpn::Configuration& configuration, const Taint& taint) {
    for (const dpn::Thread& thread : configuration.threads) {
      if (thread.ended()) continue;
      const auto next = access_before(lowered, thread.head().top);
      if (next && std::ranges::count(sinks, *next) > 0 && taint.variables[access(lowered, *next).variable.index()] != 0)
        found = true;
    }
  };
  const Taint initial{std::vector<char>(program.variables.size(), 0),
                      {{TaintedStep::frame(program.procedures[program.main])}}};
  if (!visit_all(lowered.network, dpn::Semantics::LockSensitive, limit, initial, step, visit)) return std::nullopt;
  return found;
}

}  // namespace lockwood::findings::reference
