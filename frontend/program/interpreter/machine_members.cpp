// What threads of the machine know of threads that they may wait for.
#include <algorithm>

#include "frontend/program/interpreter/machine.hpp"

namespace lockwood::program {

using explorer::ThreadId;

std::vector<ProgramMachine::MemberRecord> ProgramMachine::records(ThreadId thread) const {
  const auto words = memory_.words(members_space(thread));
  std::vector<MemberRecord> found;
  for (std::size_t i = 0; i < words.size(); i += MemberWords::size)
    found.push_back({words[i + MemberWords::frame], words[i + MemberWords::slot], words[i + MemberWords::member]});
  return found;
}

void ProgramMachine::set_records(ThreadId thread, const std::vector<MemberRecord>& records) {
  const Space space = members_space(thread);
  if (memory_.words(space).size() != MemberWords::size * records.size())
    memory_.resize(space, MemberWords::size * records.size());
  std::size_t index = 0;
  for (const MemberRecord& record : records)
    for (Integer word : {record.frame, record.slot, record.member}) {
      if (memory_.get(space, index) != word) memory_.set(space, index, word);
      ++index;
    }
  view_changed_[thread.index()] = 1;
  component_changed_[thread.index()] = 1;
}

// A join waits for members of its groups, which are of the innermost frame; the end of a finish region for whoever was
// started since the region began.
std::optional<std::size_t> ProgramMachine::first_awaited(ThreadId thread,
                                                         const std::vector<MemberRecord>& records) const {
  const explorer::Site at = site(thread);
  const Node& here = node(at);
  const Integer frame = word(thread, ThreadWords::frames);
  if (const auto* join = std::get_if<Join>(&here.instruction)) {
    for (std::size_t i = 0; i < records.size(); ++i)
      if (records[i].frame == frame && records[i].slot >= MemberWords::group &&
          std::ranges::count(join->groups, Group{static_cast<std::size_t>(records[i].slot - MemberWords::group)}) > 0)
        return i;
    return std::nullopt;
  }
  if (!std::holds_alternative<Leave>(here.instruction)) return std::nullopt;
  if (program_.procedures[sites_.place(at).procedure].regions[*here.region].lock) return std::nullopt;
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].slot == MemberWords::region) first.reset();
    if (records[i].slot == MemberWords::in_region && !first) first = i;
  }
  return first;
}

std::vector<ThreadId> ProgramMachine::awaited(ThreadId thread) const {
  std::vector<ThreadId> found;
  if (status(thread) != Status::Running) return found;
  std::vector<MemberRecord> left = records(thread);
  const auto counts = [&](const MemberRecord& record, ThreadId other) {
    while (other != record.thread() && record.all() && other != ThreadId{0})
      other = ThreadId{parents_[other.index()].first};
    return other == record.thread();
  };
  while (const auto first = first_awaited(thread, left)) {
    for (std::size_t i = 0; i < parents_.size(); ++i)
      if (exists(ThreadId{i}) && !is_over(ThreadId{i}) && counts(left[*first], ThreadId{i})) found.emplace_back(i);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(*first));
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace lockwood::program
