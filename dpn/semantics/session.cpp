#include "dpn/semantics/session.hpp"

namespace lockwood::dpn {

Session::Session(const Network& network, Semantics semantics)
    : network_{network}, semantics_{semantics}, configuration_{initial_configuration(network)} {}

std::optional<Blocked> Session::make(Move move) {
  if (auto why = blocked(network_, configuration_, move, semantics_)) return why;
  undone_.clear();
  go(move);
  return std::nullopt;
}

void Session::go(Move move) {
  const Thread& thread = configuration_.threads[move.thread];
  overwritten_.push_back({thread.control, thread.stack.back(), thread.groups});
  moves_.push_back(move);
  apply(network_, configuration_, move);
}

bool Session::undo() {
  if (moves_.empty()) return false;
  const Move move = moves_.back();
  Overwritten before = std::move(overwritten_.back());
  moves_.pop_back();
  overwritten_.pop_back();
  undone_.push_back(move);

  const RuleKind kind = network_.rule(move.rule).kind();
  auto& threads = configuration_.threads;
  if (kind == RuleKind::Spawn) threads.resize(threads.size() - 1, threads[main_thread]);
  Thread& thread = threads[move.thread];
  if (kind == RuleKind::Spawn) --thread.spawned;
  // Each kind has replaced the top frame: by none, one or two.
  if (kind != RuleKind::Return) thread.stack.pop_back();
  if (kind == RuleKind::Call || kind == RuleKind::Monitor) thread.stack.pop_back();
  thread.stack.push_back(before.top);
  thread.control = before.control;
  thread.groups = std::move(before.groups);
  return true;
}

bool Session::redo() {
  if (undone_.empty()) return false;
  const Move move = undone_.back();
  undone_.pop_back();
  go(move);
  return true;
}

void Session::rewind() {
  while (undo()) continue;
}

}  // namespace lockwood::dpn
