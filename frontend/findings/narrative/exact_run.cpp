#include "frontend/findings/narrative/exact_run.hpp"

#include <optional>
#include <vector>

#include "dpn/semantics/small_step.hpp"
#include "frontend/program/lowering/waiting.hpp"

namespace lockwood::findings {
namespace {

using program::Expression;
using program::Integer;

// A procedure that is being run.
struct Invocation {
  program::ProcedureId procedure;
  std::vector<Integer> locals;
  std::optional<program::Local> result;  // of the caller, who gets the value
};

struct Holder {
  dpn::ThreadId thread;
  std::size_t times;
};

class ExactRun {
 public:
  ExactRun(const program::Program& program, const program::Lowered& lowered)
      : program_{program},
        lowered_{lowered},
        configuration_{dpn::initial_configuration(lowered.network)},
        holders_(program.locks.size()) {
    for (const program::VariableInfo& variable : program.variables) shared_.push_back(variable.initial);
    threads_.push_back({invocation(program.main, {}, std::nullopt)});
  }

  // Makes the move, in the model and with values; false if the values do not lead there.
  bool follow(const dpn::Move& move) {
    const dpn::StackSymbol from = lowered_.network.rule(move.rule).from.top;
    dpn::apply(lowered_.network, configuration_, move);
    if (lowered_.symbols[from].role == program::SymbolRole::Waiting) return false;  // without a notification
    if (lowered_.symbols[from].role != program::SymbolRole::Before) return true;
    const program::RuleOrigin& origin = lowered_.rules[move.rule];
    const program::Procedure& procedure = program_.procedures[origin.procedure];
    thread_ = move.thread;
    point_ = origin.point;
    region_ = procedure.points[origin.point].region;
    procedure_ = &procedure;
    return std::visit([this](const auto& instruction) { return execute(instruction); },
                      procedure.points[origin.point].instruction);
  }

 private:
  [[nodiscard]] Invocation invocation(program::ProcedureId procedure, std::vector<Integer> arguments,
                                      std::optional<program::Local> result) const {
    arguments.resize(program_.procedures[procedure].locals.size(), 0);
    return {procedure, std::move(arguments), result};
  }
  [[nodiscard]] Invocation& current() { return threads_[thread_].back(); }
  [[nodiscard]] std::optional<Integer> value(const Expression& expression) {
    return program::evaluate(expression, current().locals);
  }
  [[nodiscard]] std::vector<Integer> values(const std::vector<Expression>& expressions) {
    std::vector<Integer> result;
    for (const Expression& expression : expressions) result.push_back(value(expression).value_or(0));
    return result;
  }
  // The thread is before the point.
  [[nodiscard]] bool at(program::Point point) const {
    const dpn::Thread& thread = configuration_.threads[thread_];
    if (thread.ended()) return false;
    const program::SymbolOrigin& origin = lowered_.symbols[thread.stack.back().symbol];
    return origin.role == program::SymbolRole::Before && origin.point == point;
  }

  bool execute(const program::Skip&) { return true; }
  bool execute(const program::Choose&) { return true; }
  bool execute(const program::Notify&) { return true; }
  bool execute(const program::Print&) { return true; }
  bool execute(const program::Forget&) { return true; }
  bool execute(const program::Join&) { return true; }  // the model waits for the same threads, which have ended
  // A thread begins to wait, and stays there.
  bool execute(const program::Wait& wait) {
    if (!program::region_left_by_wait(*procedure_, point_)) return false;  // the model goes on at once
    holders_[wait.lock].reset();
    return true;
  }
  bool execute(const program::Read& read) {
    current().locals[read.target.index()] = shared_[read.variable];
    return true;
  }
  bool execute(const program::Write& write) {
    shared_[write.variable] = value(write.value).value_or(0);
    return true;
  }
  bool execute(const program::Assign& assign) {
    const auto result = value(assign.value);
    if (!result) return assign.on_failure && at(*assign.on_failure);
    current().locals[assign.target.index()] = *result;
    return at(assign.next);
  }
  bool execute(const program::Branch& branch) {
    return at(value(branch.condition).value_or(0) != 0 ? branch.if_true : branch.if_false);
  }
  bool execute(const program::Assert& assertion) {
    return (value(assertion.condition).value_or(0) != 0) == at(assertion.next);
  }
  bool execute(const program::Call& call) {
    threads_[thread_].push_back(invocation(call.procedure, values(call.arguments), call.result));
    return true;
  }
  bool execute(const program::Spawn& spawn) {
    threads_.push_back({invocation(spawn.procedure, values(spawn.arguments), std::nullopt)});
    return true;
  }
  bool execute(const program::Enter& enter) {
    const auto lock = procedure_->regions[enter.region].lock;
    if (!lock) return true;
    auto& holder = holders_[*lock];
    if (holder && holder->thread != thread_) return false;
    holder = Holder{thread_, holder ? holder->times + 1 : 1};
    return true;
  }
  bool execute(const program::Leave&) {
    const auto lock = procedure_->regions[*region_].lock;
    if (!lock) return true;
    auto& holder = holders_[*lock];
    if (--holder->times == 0) holder.reset();
    return true;
  }
  bool execute(const program::Return& ret) {
    const Integer result = ret.value ? value(*ret.value).value_or(0) : 0;
    const auto to = current().result;
    threads_[thread_].pop_back();
    if (to) current().locals[to->index()] = result;
    return true;
  }
  bool execute(const program::Raise&) {
    threads_[thread_].pop_back();
    return true;
  }

  const program::Program& program_;
  const program::Lowered& lowered_;
  dpn::Configuration configuration_;
  IdVector<program::Lock, std::optional<Holder>> holders_;
  IdVector<program::Variable, Integer> shared_;
  IdVector<dpn::ThreadId, std::vector<Invocation>> threads_;  // the top is the last
  // Of the move at hand.
  dpn::ThreadId thread_ = dpn::main_thread;
  program::Point point_{0};
  std::optional<program::Region> region_;
  const program::Procedure* procedure_ = nullptr;
};

}  // namespace

std::optional<program::RuleOrigin> obstacle(const program::Program& program, const program::Lowered& lowered,
                                            const dpn::Schedule& schedule, StopToken stop) {
  ExactRun run{program, lowered};
  for (const dpn::Move& move : schedule.moves) {
    stop.check();
    if (!run.follow(move)) return lowered.rules[move.rule];
  }
  return std::nullopt;
}

bool can_execute(const program::Program& program, const program::Lowered& lowered, const dpn::Schedule& schedule,
                 StopToken stop) {
  return !obstacle(program, lowered, schedule, stop);
}

}  // namespace lockwood::findings
