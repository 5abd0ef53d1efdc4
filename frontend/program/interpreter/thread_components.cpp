#include "frontend/program/interpreter/thread_components.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "frontend/program/lowering/liveness.hpp"

namespace lockwood::program {
namespace {

// 0 for absent threads, so that vectors can grow; then those that have ended; then all others.
constexpr std::uint32_t absent_thread = 0;
constexpr std::uint32_t ended_thread = 1;
constexpr std::uint32_t first_thread = 2;
// Two words follow that are a large number.
constexpr std::uint32_t large_follows = std::numeric_limits<std::uint32_t>::max();

// What comes before the frames: status, threads started, times of a lock given up, number of words about members, and
// those.
constexpr std::size_t member_count = 3;
constexpr std::size_t first_member = 4;

bool waits_for_offspring(const Program& program) {
  return std::ranges::any_of(program.procedures, [](const Procedure& procedure) {
    if (std::ranges::any_of(procedure.regions, [](const MonitorRegion& region) { return region.is_finish(); }))
      return true;
    return std::ranges::any_of(procedure.points, [](const Node& node) {
      const auto* spawn = std::get_if<Spawn>(&node.instruction);
      return spawn != nullptr && std::ranges::any_of(spawn->memberships, &Membership::all);
    });
  });
}

}  // namespace

ThreadComponents::ThreadComponents(const Program& program, const Sites& sites)
    : program_{program}, sites_{sites}, offspring_{waits_for_offspring(program)} {
  for (const Procedure& procedure : program.procedures) {
    const IdVector<Local, bool> all(procedure.locals.size(), true);
    const auto live_at = live_locals(procedure, all);
    for (Point point : procedure.points.keys()) {
      live_.push_back(live_at[point]);
      names_of_sites_.push_back(mixed(name_of_text(procedure.name), {point.index(), 0}));
      // A caller gets the result when it goes on: what its local holds until then does not count.
      std::vector<Local> after;
      if (const auto* call = std::get_if<Call>(&procedure.points[point].instruction)) {
        std::ranges::copy_if(live_at[call->next], std::back_inserter(after),
                             [&](Local local) { return local != call->result; });
        after.insert(after.end(), live_at[call->on_throw].begin(), live_at[call->on_throw].end());
        std::ranges::sort(after);
        after.erase(std::unique(after.begin(), after.end()), after.end());
      }
      live_after_call_.push_back(std::move(after));
    }
  }
}

// The words of a thread that count: of each frame, innermost first, the site and the live locals. Only the place of a
// failure counts.
std::uint32_t ThreadComponents::number_of(std::span<const Integer> words, std::span<const Integer> members) {
  using Status = ThreadWords::Status;
  const Status now = words.empty() ? Status::Absent : static_cast<Status>(words[ThreadWords::status]);
  if (now == Status::Absent) return absent_thread;
  const bool started = offspring_ && words[ThreadWords::spawned] > 0;
  if (now == Status::Ended && !started) return ended_thread;
  const bool failed = now == Status::Failed || now == Status::Uncaught;
  const bool over = now == Status::Ended || now == Status::Uncaught;
  encoded_.clear();
  encoded_.push_back(static_cast<std::uint32_t>(now));
  const bool counts = over ? started : !failed;
  encoded_.push_back(counts ? static_cast<std::uint32_t>(words[ThreadWords::spawned]) : 0);
  encoded_.push_back(static_cast<std::uint32_t>(words[ThreadWords::given_up]));
  if (failed || over) members = {};
  encoded_.push_back(static_cast<std::uint32_t>(members.size()));
  for (Integer word : members) encoded_.push_back(static_cast<std::uint32_t>(word));
  auto base = static_cast<std::size_t>(words[ThreadWords::base]);
  const Integer frames = failed ? 1 : words[ThreadWords::frames];
  for (Integer frame = 0; frame < frames; ++frame) {
    const explorer::Site at{static_cast<std::size_t>(words[base + FrameWords::site])};
    encoded_.push_back(static_cast<std::uint32_t>(at.index()));
    for (Local local : live(at, frame == 0)) {
      const Integer value = failed ? 0 : words[base + FrameWords::locals + local.index()];
      if (value >= 0 && value < Integer{large_follows}) {
        encoded_.push_back(static_cast<std::uint32_t>(value));
        continue;
      }
      encoded_.push_back(large_follows);
      encoded_.push_back(static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) >> 32U));
      encoded_.push_back(static_cast<std::uint32_t>(static_cast<std::uint64_t>(value)));
    }
    base = static_cast<std::size_t>(words[base + FrameWords::below]);
  }
  return first_thread + table_.intern(encoded_).number;
}

StateName ThreadComponents::name_of(std::uint32_t number, std::span<const StateName> names_of_threads) {
  if (number < first_thread) return {number, number};
  while (names_.size() <= number - first_thread) {
    const auto encoded = table_[static_cast<std::uint32_t>(names_.size())];
    StateName name{encoded[0], (std::uint64_t{encoded[1]} << 32U) | encoded[2]};
    bool innermost = true;
    const std::size_t frames = first_member + encoded[member_count];
    for (std::size_t next = first_member; next < frames; next += MemberWords::size) {
      const std::uint32_t member = encoded[next + MemberWords::member];
      name = mixed(name, {encoded[next + MemberWords::frame], encoded[next + MemberWords::slot]});
      name = mixed(name, mixed(names_of_threads[member / 2], {member % 2, 0}));
    }
    for (std::size_t next = frames; next < encoded.size();) {
      const explorer::Site at{encoded[next++]};
      name = mixed(name, names_of_sites_[at.index()]);
      for (std::size_t count = live(at, innermost).size(); count > 0; --count) {
        const std::size_t length = encoded[next] == large_follows ? 3 : 1;
        for (std::size_t i = 0; i < length; ++i) name = mixed(name, {encoded[next + i], length});
        next += length;
      }
      innermost = false;
    }
    names_.push_back(name);
  }
  return names_[number - first_thread];
}

void ThreadComponents::restore(std::uint32_t number, std::vector<Integer>& words, std::vector<Integer>& members) const {
  members.clear();
  if (number == absent_thread) {
    words.clear();
    return;
  }
  words.assign(ThreadWords::size, 0);
  if (number == ended_thread) {
    words[ThreadWords::status] = static_cast<Integer>(ThreadWords::Status::Ended);
    return;
  }
  // Frames come innermost first, but the outermost one lies first: two passes, the first one for the sizes.
  const auto encoded = table_[number - first_thread];
  words[ThreadWords::status] = encoded[0];
  words[ThreadWords::spawned] = encoded[1];
  words[ThreadWords::given_up] = encoded[2];
  const std::size_t first_frame = first_member + encoded[member_count];
  for (std::size_t i = first_member; i < first_frame; ++i) members.push_back(encoded[i]);
  struct Frame {
    explorer::Site site;
    std::size_t first;  // of its locals in `encoded`
    std::size_t size;
  };
  std::vector<Frame> frames;
  for (std::size_t next = first_frame; next < encoded.size();) {
    const explorer::Site at{encoded[next++]};
    const std::size_t all = program_.procedures[sites_.place(at).procedure].locals.size();
    frames.push_back({at, next, FrameWords::locals + all});
    for (std::size_t count = live(at, frames.size() == 1).size(); count > 0; --count)
      next += encoded[next] == large_follows ? 3U : 1U;
  }
  words[ThreadWords::frames] = static_cast<Integer>(frames.size());
  std::size_t below = 0;
  for (std::size_t i = frames.size(); i-- > 0;) {
    const auto& [at, first, size] = frames[i];
    const std::size_t base = words.size();
    words.resize(base + size);
    words[base + FrameWords::below] = static_cast<Integer>(below);
    words[base + FrameWords::site] = static_cast<Integer>(at.index());
    std::size_t next = first;
    for (Local local : live(at, i == 0)) {
      Integer& word = words[base + FrameWords::locals + local.index()];
      if (encoded[next] != large_follows) {
        word = encoded[next++];
        continue;
      }
      word = static_cast<Integer>((std::uint64_t{encoded[next + 1]} << 32U) | encoded[next + 2]);
      next += 3;
    }
    below = base;
  }
  words[ThreadWords::base] = static_cast<Integer>(below);
}

}  // namespace lockwood::program
