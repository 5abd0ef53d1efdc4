#include "frontend/program/interpreter/parallel_oracle.hpp"

#include <cassert>
#include <stdexcept>

namespace lockwood::program {
namespace {

using explorer::ActionKind;
using explorer::KindSet;
using explorer::Site;

struct PossibleDeeds {
  KindSet kinds;
  bool monitor = false;
  std::uint32_t object = 0;
};

// What a thread may be about to do there that others depend on. Threads as objects are not looked at.
PossibleDeeds deeds_at(const Procedure& procedure, Point point) {
  using enum ActionKind;
  const Instruction& instruction = procedure.points[point].instruction;
  const auto number = [](auto id) { return static_cast<std::uint32_t>(id.index()); };
  if (const auto* read = std::get_if<program::Read>(&instruction)) return {{Read}, false, number(read->variable)};
  if (const auto* write = std::get_if<program::Write>(&instruction)) return {{Write}, false, number(write->variable)};
  const auto on_lock_of = [&](Region region, ActionKind kind) -> PossibleDeeds {
    const std::optional<Lock>& lock = procedure.regions[region].lock;
    if (!lock) return {};
    return {{kind}, true, number(*lock)};
  };
  if (const auto* enter = std::get_if<program::Enter>(&instruction)) return on_lock_of(enter->region, Acquire);
  if (std::holds_alternative<program::Leave>(instruction)) return on_lock_of(*procedure.points[point].region, Release);
  if (const auto* wait = std::get_if<program::Wait>(&instruction))
    return {explorer::waiting_kinds | KindSet{Reacquire}, true, number(wait->lock)};
  if (const auto* notify = std::get_if<program::Notify>(&instruction))
    return {explorer::notifying_kinds, true, number(notify->lock)};
  return {};
}

[[noreturn]] void refuse(const Program& program, Site first, Site second) {
  const Sites sites{program};
  const auto text = [&](Site site) {
    const auto place = sites.place(site);
    return program.procedures[place.procedure].name + ": " + describe(program, place.procedure, place.point);
  };
  throw std::logic_error{"two threads stand where the analysis says that they cannot: " + text(first) + ", and " +
                         text(second)};
}

}  // namespace

ParallelOracle::ParallelOracle(const Program& program, const ParallelTable& table) : program_{program}, table_{table} {
  const Sites sites{program};
  assert(table.sites() == sites.size());
  for (ProcedureId id : program.procedures.keys()) {
    for (Point point : program.procedures[id].points.keys()) {
      const PossibleDeeds deeds = deeds_at(program.procedures[id], point);
      if (!deeds.kinds.empty()) deeds_[{deeds.monitor, deeds.object}].push_back({sites[{id, point}], deeds.kinds});
    }
  }
}

bool ParallelOracle::cannot_reach(const explorer::Machine& machine, const explorer::Question& question) {
  if (!question.frozen_action) return false;
  const explorer::Action& action = *question.frozen_action;
  const bool monitor = explorer::monitor_kinds.contains(action.kind);
  if (!monitor && !explorer::access_kinds.contains(action.kind)) return false;
  const std::pair object{monitor, question.conflict.object};
  const auto [place, is_new] = parallel_.try_emplace({action.site, object});
  if (is_new)
    for (const Deed& deed : deeds_[object])
      if (table_.contains(action.site, deed.site)) place->second = place->second | deed.kinds;
  if (place->second.intersects(question.conflict.kinds)) return false;
  // It had better not stand there now.
  const explorer::ThreadView& other = view(machine, question.thread);
  if (other.status == explorer::ThreadStatus::Standing && other.next.object == question.conflict.object &&
      question.conflict.kinds.contains(other.next.kind))
    refuse(program_, action.site, other.next.site);
  return true;
}

void ParallelWatch::visit(const explorer::Machine& machine) {
  const auto threads = machine.threads();
  const auto stands = [&](std::size_t thread) {
    return threads[thread].status == explorer::ThreadStatus::Standing &&
           (explorer::access_kinds.contains(threads[thread].next.kind) ||
            explorer::monitor_kinds.contains(threads[thread].next.kind));
  };
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (!stands(i)) continue;
    for (std::size_t j = i + 1; j < threads.size(); ++j) {
      if (!stands(j) || table_.contains(threads[i].next.site, threads[j].next.site)) continue;
      refuse(program_, threads[i].next.site, threads[j].next.site);
    }
  }
}

}  // namespace lockwood::program
