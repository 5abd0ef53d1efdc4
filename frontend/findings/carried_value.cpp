#include "frontend/findings/carried_value.hpp"

#include <algorithm>

#include "dpn/small_step.hpp"
#include "frontend/program/liveness.hpp"

namespace lockwood::findings {
namespace {

using program::Expression;
using program::Local;

// A procedure that is being run: which of its locals have something of the value.
struct TaintedFrame {
  std::vector<bool> locals;
  std::optional<Local> result = {};  // of the caller, who gets what is returned
  std::uint32_t statement = 0;       // the last one
  bool branched = false;             // it has branched on the value
};

class CarryingRun {
 public:
  CarryingRun(const program::Program& program, const program::Lowered& lowered, const program::LoweredLabel& from)
      : program_{program},
        lowered_{lowered},
        from_{from},
        configuration_{dpn::initial_configuration(lowered.network)},
        shared_(program.variables.size(), false) {
    threads_.push_back({frame(program.main)});
  }

  void follow(const dpn::Move& move) {
    const dpn::StackSymbol top = lowered_.network.rule(move.rule).from.top;
    dpn::apply(lowered_.network, configuration_, move);
    if (lowered_.symbols[top].role != program::SymbolRole::Before) return;
    const program::RuleOrigin& origin = lowered_.rules[move.rule];
    const program::Node& node = program_.procedures[origin.procedure].points[origin.point];
    thread_ = move.thread;
    source_ = origin.procedure == from_.procedure && program::contains(from_.range, node.range);
    if (current().statement != node.statement) current().branched = false;
    current().statement = node.statement;
    execute(node.instruction);
  }

  [[nodiscard]] bool arrived(const Sink& sink) const {
    if (sink.places.empty()) return shared_[access(lowered_, sink.use).variable];
    for (dpn::ThreadId thread : configuration_.threads.keys()) {
      if (configuration_.threads[thread].ended()) continue;
      const dpn::StackSymbol top = configuration_.threads[thread].head().top;
      if (std::ranges::count(sink.places, top) == 0) continue;
      const program::SymbolOrigin& origin = lowered_.symbols[top];
      const program::Node& node = program_.procedures[origin.procedure].points[origin.point];
      const TaintedFrame& here = threads_[thread].back();
      if (here.branched && here.statement == node.statement) return true;
      if (std::ranges::any_of(program::used_locals(node.instruction),
                              [&](Local local) { return here.locals[local.index()]; }))
        return true;
    }
    return false;
  }

 private:
  [[nodiscard]] TaintedFrame frame(program::ProcedureId procedure) const {
    return {std::vector<bool>(program_.procedures[procedure].locals.size(), false)};
  }
  [[nodiscard]] TaintedFrame& current() { return threads_[thread_].back(); }
  // Something that is made of these locals now.
  [[nodiscard]] bool tainted(const std::vector<Local>& locals) {
    return source_ || current().branched ||
           std::ranges::any_of(locals, [&](Local local) { return current().locals[local.index()]; });
  }
  [[nodiscard]] TaintedFrame entered(program::ProcedureId procedure, const std::vector<Expression>& arguments) {
    TaintedFrame callee = frame(procedure);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      callee.locals[i] = tainted(program::used_locals(program::Print{{arguments[i]}, program::Point{0}}));
    return callee;
  }

  void execute(const program::Instruction& instruction) {
    if (const auto* read = std::get_if<program::Read>(&instruction)) {
      current().locals[read->target.index()] = shared_[read->variable] || tainted({});
    } else if (const auto* write = std::get_if<program::Write>(&instruction)) {
      shared_[write->variable] = tainted(program::used_locals(instruction));
    } else if (const auto* assign = std::get_if<program::Assign>(&instruction)) {
      current().locals[assign->target.index()] = tainted(program::used_locals(instruction));
    } else if (std::holds_alternative<program::Branch>(instruction)) {
      current().branched = tainted(program::used_locals(instruction));
    } else if (const auto* call = std::get_if<program::Call>(&instruction)) {
      TaintedFrame callee = entered(call->procedure, call->arguments);
      callee.result = call->result;
      threads_[thread_].push_back(std::move(callee));
    } else if (const auto* spawn = std::get_if<program::Spawn>(&instruction)) {
      threads_.push_back({entered(spawn->procedure, spawn->arguments)});
    } else if (std::holds_alternative<program::Return>(instruction)) {
      const bool value = tainted(program::used_locals(instruction));
      const auto result = current().result;
      threads_[thread_].pop_back();
      if (result) current().locals[result->index()] = value || current().branched;
    } else if (std::holds_alternative<program::Raise>(instruction)) {
      threads_[thread_].pop_back();
    }
  }

  const program::Program& program_;
  const program::Lowered& lowered_;
  const program::LoweredLabel& from_;
  dpn::Configuration configuration_;
  IdVector<program::Variable, bool> shared_;
  IdVector<dpn::ThreadId, std::vector<TaintedFrame>> threads_;  // the top is the last
  // Of the move at hand.
  dpn::ThreadId thread_ = dpn::main_thread;
  bool source_ = false;  // it belongs to the labelled statement
};

}  // namespace

bool carries_value(const program::Program& program, const program::Lowered& lowered, const program::LoweredLabel& from,
                   const Sink& sink, const dpn::Schedule& schedule) {
  CarryingRun run{program, lowered, from};
  for (const dpn::Move& move : schedule.moves) run.follow(move);
  return run.arrived(sink);
}

}  // namespace lockwood::findings
