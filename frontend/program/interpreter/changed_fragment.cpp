#include "frontend/program/interpreter/changed_fragment.hpp"

#include <algorithm>
#include <cassert>
#include <set>

namespace lockwood::program {
namespace {

bool is_noticed(const Instruction& instruction) {
  return std::holds_alternative<Read>(instruction) || std::holds_alternative<Write>(instruction) ||
         std::holds_alternative<Enter>(instruction) || std::holds_alternative<Leave>(instruction) ||
         std::holds_alternative<Wait>(instruction) || std::holds_alternative<Notify>(instruction) ||
         std::holds_alternative<Spawn>(instruction) || std::holds_alternative<Join>(instruction) ||
         std::holds_alternative<Choose>(instruction) || std::holds_alternative<Call>(instruction);
}

// Bytes of a text by lines.
class Offsets {
 public:
  explicit Offsets(const std::string& text) : begins_{0} {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') begins_.push_back(i + 1);
  }
  [[nodiscard]] std::size_t operator[](Position position) const {
    return begins_[std::min<std::size_t>(position.line, begins_.size()) - 1] + position.column - 1;
  }

 private:
  std::vector<std::size_t> begins_;
};

}  // namespace

ChangedFragment::ChangedFragment(const ProgramMachine& machine, const std::vector<Sites::Location>& places)
    : machine_{machine}, changed_(machine.sites().size()), may_be_entered_(machine.program().procedures.size()) {
  for (const Sites::Location& place : places) {
    changed_[machine.sites()[place].index()] = true;
    may_be_entered_[place.procedure] = true;
  }
  // Whoever calls such a procedure gets there, too.
  const Program& program = machine.program();
  bool grown = true;
  while (grown) {
    grown = false;
    for (ProcedureId id : program.procedures.keys()) {
      if (may_be_entered_[id]) continue;
      may_be_entered_[id] = std::ranges::any_of(program.procedures[id].points, [&](const Node& node) {
        const auto* call = std::get_if<Call>(&node.instruction);
        return call != nullptr && may_be_entered_[call->procedure];
      });
      grown = grown || may_be_entered_[id];
    }
  }
}

bool ChangedFragment::contains(const explorer::Machine& machine, explorer::ThreadId thread) {
  assert(&machine == &machine_);
  static_cast<void>(machine);
  bool found = false;
  machine_.for_each_frame(thread, [&](explorer::Site site) { found = found || changed_[site.index()]; });
  return found;
}

bool ChangedFragment::may_be_entered(const explorer::Machine& machine, explorer::ThreadId thread) {
  assert(&machine == &machine_);
  static_cast<void>(machine);
  bool found = false;
  machine_.for_each_frame(
      thread, [&](explorer::Site site) { found = found || may_be_entered_[machine_.sites().place(site).procedure]; });
  return found;
}

std::vector<Sites::Location> places_of(const Program& program, const std::vector<std::string>& procedures) {
  std::vector<Sites::Location> places;
  for (ProcedureId id : program.procedures.keys()) {
    if (std::ranges::find(procedures, program.procedures[id].name) == procedures.end()) continue;
    for (Point point : program.procedures[id].points.keys()) places.push_back({id, point});
  }
  return places;
}

std::vector<Sites::Location> changed_places(const Program& program, const std::string& text,
                                            const std::map<std::string, std::string>& before) {
  const Offsets offsets{text};
  std::vector<Sites::Location> places;
  for (ProcedureId id : program.procedures.keys()) {
    const Procedure& procedure = program.procedures[id];
    const std::size_t begin = offsets[procedure.range.begin];
    const std::string now = text.substr(begin, offsets[procedure.range.end] - begin);
    const auto known = before.find(procedure.name);
    if (known != before.end() && known->second == now) continue;
    std::set<std::uint32_t> statements;
    bool visible = false;
    if (known != before.end()) {
      const std::string& then = known->second;
      const auto first = static_cast<std::size_t>(std::ranges::mismatch(now, then).in1 - now.begin());
      std::size_t last = now.size();
      std::size_t last_then = then.size();
      while (last > first && last_then > first && now[last - 1] == then[last_then - 1]) {
        --last;
        --last_then;
      }
      for (const Node& node : procedure.points)
        if (offsets[node.range.begin] < begin + last && offsets[node.range.end] > begin + first) {
          statements.insert(node.statement);
          visible = visible || is_noticed(node.instruction);
        }
    }
    for (Point point : procedure.points.keys())
      if (!visible || statements.contains(procedure.points[point].statement)) places.push_back({id, point});
  }
  return places;
}

}  // namespace lockwood::program
