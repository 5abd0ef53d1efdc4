#include <doctest/doctest.h>

#include <deque>
#include <map>
#include <set>

#include "explorer/search/search.hpp"
#include "explorer/search/value_schedules.hpp"
#include "explorer/trace/trace.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/interpreter/ariadne.hpp"
#include "frontend/program/interpreter/futures.hpp"
#include "frontend/program/interpreter/interpreter.hpp"
#include "frontend/program/interpreter/machine.hpp"
#include "frontend/program/interpreter/site_target.hpp"
#include "tests/frontend/program/interpreter/random_text.hpp"

namespace lockwood::program {
namespace {

using explorer::ActionKind;
using explorer::ObservationKey;

// What there is to see of a final state: the shared values, and where the threads that have not ended are.
using Final = std::pair<std::vector<Integer>, std::multiset<std::pair<int, std::size_t>>>;

struct Truth {
  bool complete = true;
  std::size_t states = 0;
  std::set<Final> finals;
  std::set<ObservationKey> observations;
};

// What a search of the machine must find, by the interpreter alone: all states, instruction by instruction.
class BruteForce {
 public:
  BruteForce(const Program& program, std::size_t max_states)
      : program_{program}, sites_{program}, max_states_{max_states} {}

  Truth run() && {
    visit(initial_state(program_));
    while (!worklist_.empty()) {
      if (seen_.size() > max_states_) {
        truth_.complete = false;
        break;
      }
      const State& state = *worklist_.front();
      worklist_.pop_front();
      bool is_final = true;
      for (std::size_t thread = 0; thread < state.threads.size(); ++thread)
        for (Transition& transition : transitions(program_, state, thread)) {
          is_final = false;
          visit(std::move(transition.state));
        }
      observe(state, is_final);
    }
    truth_.states = seen_.size();
    return std::move(truth_);
  }

 private:
  void visit(State state) {
    const auto [place, is_new] = seen_.insert(std::move(state));
    if (is_new) worklist_.push_back(&*place);
  }
  [[nodiscard]] explorer::Site site(const ThreadState& thread) const {
    return sites_[{thread.stack.back().procedure, thread.stack.back().point}];
  }
  [[nodiscard]] const Instruction& instruction(const ThreadState& thread) const {
    return program_.procedures[thread.stack.back().procedure].points[thread.stack.back().point].instruction;
  }
  // The lock that the thread is about to take.
  [[nodiscard]] std::optional<Lock> wanted(const ThreadState& thread) const {
    if (thread.status == ThreadStatus::Notified && thread.given_up > 0) return std::get<Wait>(instruction(thread)).lock;
    if (thread.status != ThreadStatus::Running) return std::nullopt;
    const auto* enter = std::get_if<Enter>(&instruction(thread));
    if (enter == nullptr) return std::nullopt;
    return program_.procedures[thread.stack.back().procedure].regions[enter->region].lock;
  }
  [[nodiscard]] std::optional<std::size_t> blocker(const State& state, std::size_t thread) const {
    const auto lock = wanted(state.threads[thread]);
    if (!lock) return std::nullopt;
    for (std::size_t other = 0; other < state.threads.size(); ++other)
      if (other != thread && state.threads[other].held[lock->index()] > 0) return other;
    return std::nullopt;
  }
  [[nodiscard]] std::pair<ActionKind, explorer::Site> at(const ThreadState& thread) const {
    ActionKind kind = ActionKind::Pause;
    if (std::holds_alternative<Read>(instruction(thread))) kind = ActionKind::Read;
    if (std::holds_alternative<Write>(instruction(thread))) kind = ActionKind::Write;
    if (std::holds_alternative<Enter>(instruction(thread))) kind = ActionKind::Acquire;
    if (std::holds_alternative<Wait>(instruction(thread))) kind = ActionKind::Reacquire;
    if (std::holds_alternative<Join>(instruction(thread))) kind = ActionKind::Join;
    if (std::holds_alternative<Leave>(instruction(thread))) {  // that waits: of a finish region
      const Procedure& procedure = program_.procedures[thread.stack.back().procedure];
      if (!procedure.regions[*procedure.points[thread.stack.back().point].region].lock) kind = ActionKind::Join;
    }
    return {kind, site(thread)};
  }
  void add(std::uint32_t property, std::vector<std::pair<ActionKind, explorer::Site>> sites) {
    std::ranges::sort(sites);
    truth_.observations.insert({property, std::move(sites)});
  }

  void observe(const State& state, bool is_final) {
    Final final{state.shared, {}};
    bool failed = false;
    std::vector<std::pair<ActionKind, explorer::Site>> blocked;
    for (std::size_t i = 0; i < state.threads.size(); ++i) {
      const ThreadState& thread = state.threads[i];
      if (thread.status == ThreadStatus::Ended) continue;
      final.second.emplace(static_cast<int>(thread.status), site(thread).index());
      if (thread.status == ThreadStatus::Failed) {
        failed = true;
        add(3, {{ActionKind::Pause, site(thread)}});
      } else if (thread.status == ThreadStatus::Uncaught) {
        add(4, {{ActionKind::Pause, site(thread)}});
      } else {
        blocked.push_back(at(thread));
      }
      observe_cycle(state, i);
      for (std::size_t j = i + 1; j < state.threads.size(); ++j) observe_race(thread, state.threads[j]);
    }
    if (!is_final) return;
    truth_.finals.insert(std::move(final));
    if (!failed && !blocked.empty()) add(2, std::move(blocked));
  }
  void observe_cycle(const State& state, std::size_t start) {
    std::vector<std::pair<ActionKind, explorer::Site>> sites;
    std::size_t current = start;
    for (std::size_t step = 0; step < state.threads.size(); ++step) {
      const auto next = blocker(state, current);
      if (!next) return;
      sites.push_back(at(state.threads[current]));
      current = *next;
      if (current == start) return add(1, std::move(sites));
    }
  }
  void observe_race(const ThreadState& a, const ThreadState& b) {
    if (a.status != ThreadStatus::Running || b.status != ThreadStatus::Running) return;
    const auto access = [&](const ThreadState& thread) -> std::optional<Variable> {
      if (const auto* read = std::get_if<Read>(&instruction(thread))) return read->variable;
      if (const auto* write = std::get_if<Write>(&instruction(thread))) return write->variable;
      return std::nullopt;
    };
    if (!access(a) || access(a) != access(b)) return;
    if (at(a).first == ActionKind::Write || at(b).first == ActionKind::Write) add(0, {at(a), at(b)});
  }

  const Program& program_;
  Sites sites_;
  std::size_t max_states_;
  std::set<State> seen_;
  std::deque<const State*> worklist_;
  Truth truth_;
};

class Finals final : public explorer::Listener {
 public:
  Finals(const Program& program, const ProgramMachine& machine) : program_{program}, machine_{machine} {}
  void visit(const explorer::Machine& machine) override {
    if (!is_final(machine)) return;
    Final final;
    for (Variable variable : program_.variables.keys()) final.first.push_back(machine_.value(variable));
    for (const explorer::ThreadView& thread : machine.threads()) {
      if (thread.status == explorer::ThreadStatus::Absent || thread.status == explorer::ThreadStatus::Ended) continue;
      ThreadStatus status = ThreadStatus::Running;
      if (thread.status == explorer::ThreadStatus::Waiting) status = ThreadStatus::Waiting;
      if (thread.status == explorer::ThreadStatus::Standing && thread.next.kind == ActionKind::Reacquire)
        status = ThreadStatus::Notified;
      if (thread.status == explorer::ThreadStatus::Failed)
        status = thread.failure == explorer::Failure::Assertion ? ThreadStatus::Failed : ThreadStatus::Uncaught;
      final.second.emplace(static_cast<int>(status), thread.next.site.index());
    }
    states.insert(std::move(final));
  }
  std::set<Final> states;

 private:
  const Program& program_;
  const ProgramMachine& machine_;
};

// On another machine, which gives threads other numbers.
bool replays(const Program& program, ProgramMachine& found_by, const explorer::Finding& finding) {
  ProgramMachine machine{program};
  const explorer::Trace trace = trace_of(found_by, finding.run);
  const auto run = follow(machine, trace);
  if (!run) return false;
  for (const explorer::Observation& observation : observations(machine, {}))
    if (key_of(observation) == key_of(finding.observation)) return true;
  return false;
}

// Cycles are left out if they may lead through joins: a machine waits for one thread after the other.
std::set<ObservationKey> compared(std::set<ObservationKey> observations, bool joins) {
  if (joins) std::erase_if(observations, [](const ObservationKey& key) { return key.property == 1; });
  return observations;
}

struct Totals {
  std::size_t programs = 0, left_out = 0, states = 0, all = 0, frozen = 0, futures = 0;
  std::array<std::size_t, 5> having{};
};

void compare(std::uint64_t first, std::uint64_t last, Totals& totals, bool joins = false) {
  for (std::uint64_t seed = first; seed < last; ++seed) {
    const std::string text = joins ? random_text_with_joins(seed, 2 + seed % 3) : random_text(seed, 2 + seed % 4);
    const lw::ProgramText source = lw::read_program(text, "random.lw");
    const Program& program = source.program;
    const Truth truth = BruteForce{program, 4000}.run();
    ++totals.programs;
    if (!truth.complete) {
      ++totals.left_out;
      continue;
    }
    totals.states += truth.states;
    std::array<bool, 5> has{};
    for (const ObservationKey& key : truth.observations) has.at(key.property) = true;
    for (std::size_t i = 0; i < has.size(); ++i) totals.having[i] += has[i] ? 1U : 0U;
    CAPTURE(seed);
    CAPTURE(text);
    for (int mode = 0; mode < 8; ++mode) {
      CAPTURE(mode);
      ProgramMachine machine{program};
      FutureOracle futures{machine};
      Finals finals{program, machine};
      explorer::SearchOptions options{.listener = &finals, .max_unstored = 7};
      if (mode % 3 == 0) options.reduction = explorer::Reduction::None;
      if (mode % 3 == 2) options.oracles = {&futures};
      if (mode >= 3) options.order = mode == 5 ? explorer::Order::Preemptions : explorer::Order::BreadthFirst;
      explorer::ValueScheduleOptions by_values{.listener = &finals, .max_path = 7};
      by_values.oracles = {&futures};
      AriadneGuide ariadne{machine, race_reports(program, nullptr)};
      if (mode == 7) {
        options.order = explorer::Order::Guided;
        options.guide = &ariadne;
      }
      const explorer::SearchResult result =
          mode == 6 ? value_schedule_search(machine, by_values).search : search(machine, options);
      std::set<ObservationKey> found;
      for (const explorer::Finding& finding : result.findings) found.insert(key_of(finding.observation));
      REQUIRE(finals.states == truth.finals);
      REQUIRE(compared(found, joins) == compared(truth.observations, joins));
      REQUIRE(result.is_complete());
      for (const explorer::Finding& finding : result.findings) REQUIRE(replays(program, machine, finding));
      if (mode == 0) totals.all += result.counters.states;
      if (mode == 1) totals.frozen += result.counters.states;
      if (mode == 2) totals.futures += result.counters.states;
    }
  }
}

}  // namespace

TEST_CASE("the machine of a program reaches what its interpreter reaches") {
  Totals totals;
  compare(0, 1500, totals);
  MESSAGE("programs ", totals.programs, ", too large ", totals.left_out, ", with races ", totals.having[0], ", cycles ",
          totals.having[1], ", blocked ", totals.having[2], ", assertions ", totals.having[3], ", exceptions ",
          totals.having[4], "; states by instruction ", totals.states, ", none ", totals.all, ", frozen ",
          totals.frozen, ", with futures ", totals.futures);
  for (std::size_t having : totals.having) CHECK(50 * having >= totals.programs - totals.left_out);
}

TEST_CASE("the machine of a program with joins reaches what its interpreter reaches") {
  Totals totals;
  compare(0, 1500, totals, true);
  MESSAGE("programs ", totals.programs, ", too large ", totals.left_out, ", with races ", totals.having[0],
          ", blocked ", totals.having[2], ", assertions ", totals.having[3], ", exceptions ", totals.having[4],
          "; states by instruction ", totals.states, ", none ", totals.all, ", frozen ", totals.frozen,
          ", with futures ", totals.futures);
  CHECK(2 * totals.left_out < totals.programs);
  for (const std::size_t property : std::array<std::size_t, 4>{0, 2, 3, 4})
    CHECK(50 * totals.having.at(property) >= totals.programs - totals.left_out);
}

TEST_CASE("the machine of a program reaches what its interpreter reaches, on many programs [full]") {
  Totals totals;
  compare(1'000'000, 1'100'000, totals);
  MESSAGE("programs ", totals.programs, ", too large ", totals.left_out);
}

TEST_CASE("a directed search reaches a pair of accesses if and only if they race") {
  std::size_t racing = 0;
  std::size_t apart = 0;
  std::size_t directed = 0;
  std::size_t breadth = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::string text = seed % 4 == 3 ? random_text_with_joins(seed, 3) : random_text(seed, 3);
    const lw::ProgramText source = lw::read_program(text, "random.lw");
    const Program& program = source.program;
    const Truth truth = BruteForce{program, 1500}.run();
    if (!truth.complete) continue;
    CAPTURE(text);
    const Sites sites{program};
    const auto access = [&](explorer::Site site) -> std::pair<std::optional<Variable>, ActionKind> {
      const auto place = sites.place(site);
      const Instruction& instruction = program.procedures[place.procedure].points[place.point].instruction;
      if (const auto* read = std::get_if<Read>(&instruction)) return {read->variable, ActionKind::Read};
      if (const auto* write = std::get_if<Write>(&instruction)) return {write->variable, ActionKind::Write};
      return {std::nullopt, ActionKind::Pause};
    };
    for (std::size_t i = 0; i < sites.size(); ++i) {
      for (std::size_t j = i; j < sites.size(); ++j) {
        const auto [variable, kind] = access(explorer::Site{i});
        const auto [other, other_kind] = access(explorer::Site{j});
        if (!variable || variable != other || (kind == ActionKind::Read && other_kind == ActionKind::Read)) continue;
        ObservationKey key{0, {{kind, explorer::Site{i}}, {other_kind, explorer::Site{j}}}};
        std::ranges::sort(key.sites);
        const bool races = truth.observations.contains(key);
        CAPTURE(i);
        CAPTURE(j);
        ProgramMachine machine{program};
        FutureOracle futures{machine};
        SiteTarget target{machine, {{explorer::Site{i}}, {explorer::Site{j}}}};
        REQUIRE(target.allows_reduction());
        explorer::SearchOptions options{.order = explorer::Order::Best, .oracles = {&futures}, .target = &target};
        const auto result = search(machine, options);
        REQUIRE(result.target.has_value() == races);
        REQUIRE(result.is_complete() == !races);
        ++(races ? racing : apart);
        if (!races) continue;
        REQUIRE(replay(machine, *result.target));
        REQUIRE(target.is_reached(machine));
        ProgramMachine again{program};
        SiteTarget same{again, {{explorer::Site{i}}, {explorer::Site{j}}}};
        const auto all = search(again, {.order = explorer::Order::BreadthFirst, .target = &same});
        REQUIRE(all.target.has_value());
        directed += result.counters.states;
        breadth += all.counters.states;
      }
    }
  }
  MESSAGE("racing pairs ", racing, ", others ", apart, "; states directed ", directed, ", breadth first ", breadth);
  CHECK(racing > 250);
  CHECK(apart > 500);
  CHECK(directed < breadth);
}

TEST_CASE("going back and restoring lead to the same states") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = seed % 2 == 0 ? random_text(seed, 4) : random_text_with_joins(seed, 4);
    const lw::ProgramText source = lw::read_program(text, "random.lw");
    ProgramMachine machine{source.program};
    Random random{seed};
    std::vector<std::pair<std::size_t, std::vector<std::uint32_t>>> visited;
    const auto current = [&] {
      const auto components = machine.components();
      return std::vector<std::uint32_t>(components.begin(), components.end());
    };
    for (std::size_t step = 0; step < 60; ++step) {
      check_views(machine);
      visited.emplace_back(machine.mark(), current());
      std::vector<explorer::ThreadId> enabled;
      for (std::size_t i = 0; i < machine.threads().size(); ++i)
        if (machine.threads()[i].enabled) enabled.emplace_back(i);
      if (enabled.empty() || random.percent(15)) {
        const std::size_t back = random.below(visited.size());
        machine.undo(visited[back].first);
        visited.resize(back + 1);
        auto now = current();
        now.resize(std::max(now.size(), visited.back().second.size()));
        auto then = visited.back().second;
        then.resize(now.size());
        REQUIRE(now == then);
        visited.pop_back();
        continue;
      }
      const explorer::ThreadId thread = enabled[random.below(enabled.size())];
      const auto outcome = static_cast<std::uint32_t>(random.below(view(machine, thread).outcomes));
      REQUIRE(!machine.step({thread, outcome}));
    }
    for (const auto& [mark, components] : visited) {
      machine.restore(components);
      check_views(machine);
      auto now = current();
      auto then = components;
      now.resize(std::max(now.size(), then.size()));
      then.resize(now.size());
      REQUIRE(now == then);
    }
  }
}

}  // namespace lockwood::program
