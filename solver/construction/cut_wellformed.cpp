#include "solver/construction/cut_wellformed.hpp"

#include <optional>

namespace lockwood::solver::reference {
namespace {

using Cut = CutWellformed::Cut;
using dpn::NodeKind;

// The whole tree of a thread that was spawned before the cut.
bool may_start_before(const CutWellformed::Value& thread) {
  return thread.cut == Cut::Inside || (thread.ended && (thread.cut == Cut::Either || thread.cut == Cut::Before));
}
bool may_start_after(const CutWellformed::Value& thread) {
  return thread.cut == Cut::Either || thread.cut == Cut::After;
}

// A body and what follows its return.
std::optional<Cut> in_sequence(Cut body, Cut rest) {
  if (body == Cut::Either) return rest;
  if (rest == Cut::Either) return body;
  if (body == Cut::Before && (rest == Cut::Before || rest == Cut::Inside)) return rest;
  if (rest == Cut::After && (body == Cut::After || body == Cut::Inside)) return body;
  return std::nullopt;
}

std::optional<Cut> with_thread(const CutWellformed::Value& thread, Cut parent) {
  const bool before = may_start_before(thread);
  const bool after = may_start_after(thread);
  if (parent == Cut::Either && before != after) return before ? Cut::Before : Cut::After;
  const bool fits = parent == Cut::After ? after : parent == Cut::Either ? before && after : before;
  return fits ? std::optional{parent} : std::nullopt;
}

}  // namespace

std::vector<CutWellformed::Value> CutWellformed::targets(const dpn::NodeLabel& label,
                                                         std::span<const Value> children) const {
  switch (label.kind) {
    case NodeKind::Nil: return {{Cut::Either, false}};
    case NodeKind::Ret: return {{Cut::Either, true}};
    case NodeKind::Cut:
      if (!may_start_after(children[0])) return {};
      return {{Cut::Inside, children[0].ended}};
    case NodeKind::Spawn:
    case NodeKind::RCall:
    case NodeKind::Use: {
      const auto cut = label.kind == NodeKind::Spawn ? with_thread(children[0], children[1].cut)
                                                     : in_sequence(children[0].cut, children[1].cut);
      if (!cut) return {};
      return {{*cut, children[1].ended}};
    }
    case NodeKind::Base:
    case NodeKind::Join:
    case NodeKind::Forget:
    case NodeKind::NCall:
    case NodeKind::Acq: break;
  }
  return {children[0]};
}

bool CutWellformed::is_final(const Value& value) const { return may_start_before(value); }

}  // namespace lockwood::solver::reference
