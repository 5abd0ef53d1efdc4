#include "tests/frontend/naive_values.hpp"

#include <algorithm>
#include <deque>

#include "dpn/small_step.hpp"

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

// Which variables have such a value, and for each frame of each thread whether it has read one in the statement that
// it is doing.
struct Taint {
  std::vector<char> variables;
  std::vector<std::vector<char>> frames;
  friend auto operator<=>(const Taint&, const Taint&) = default;
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

std::optional<bool> flows(const program::Program& program, const program::Lowered& lowered,
                          const std::vector<AccessId>& sources, const std::vector<AccessId>& sinks, std::size_t limit) {
  const dpn::Network& network = lowered.network;
  const auto statement = [&](dpn::StackSymbol symbol) {
    const program::SymbolOrigin& origin = lowered.symbols[symbol];
    return std::pair{origin.procedure, program.procedures[origin.procedure].points[origin.point].statement};
  };
  const auto step = [&](Taint taint, const dpn::Configuration& before, const dpn::Move& move,
                        const dpn::Configuration& after) {
    auto& frames = taint.frames[move.thread.index()];
    if (const auto done = access_of(lowered, network.rule(move.rule).action)) {
      const program::Access& here = access(lowered, *done);
      if (here.kind == program::AccessKind::Read) {
        if (taint.variables[here.variable.index()] != 0) frames.back() = 1;
      } else {
        const bool tainted = frames.back() != 0 || std::ranges::count(sources, *done) > 0;
        taint.variables[here.variable.index()] = tainted ? 1 : 0;
        frames.back() = 0;
      }
    }
    const auto& old_stack = before.threads[move.thread].stack;
    const auto& stack = after.threads[move.thread].stack;
    const bool entered = stack.size() > old_stack.size();
    frames.resize(stack.size(), 0);
    const std::size_t mover = entered ? stack.size() - 2 : stack.size() - 1;  // the frame that made the step
    if (!stack.empty() && stack.size() >= old_stack.size() &&
        statement(stack[mover].symbol) != statement(old_stack.back().symbol))
      frames[mover] = 0;
    taint.frames.resize(after.threads.size(), {0});
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
  const Taint initial{std::vector<char>(program.variables.size(), 0), {{0}}};
  if (!visit_all(network, dpn::Semantics::LockSensitive, limit, initial, step, visit)) return std::nullopt;
  return found;
}

}  // namespace lockwood::findings::reference
