#include "explorer/search/pairwise.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <memory>

#include "explorer/search/expansion.hpp"

namespace lockwood::explorer {
namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

// Where the first thread of a pair is on its way through the fragment.
enum class Stage : std::uint8_t { Before, First, Inside, Behind };

struct Visited {
  std::uint32_t parent;
  Step step;  // from there
  StateNumber state;
  std::optional<ThreadId> current;  // who moved last
  Stage stage;
  std::uint32_t depth;
};

// A step that is to be taken.
struct PendingStep {
  std::uint32_t from;
  Step step;
};

// The search for one pair of threads.
struct Pair {
  ThreadId changed;  // executes the fragment
  ThreadId other;
  ExactStore store;  // the current thread and the stage come first
  std::vector<Visited> visited;
  std::vector<std::deque<PendingStep>> levels;  // by departures
};

class Pairwise {
 public:
  Pairwise(Machine& machine, const PairwiseOptions& options)
      : machine_{machine}, options_{options}, search_{.properties = options.properties}, findings_{search_, result_} {
    assert(options.fragment != nullptr);
  }

  SearchResult run() && {
    const auto root = machine_.components();
    root_.assign(root.begin(), root.end());
    // One run tells which threads there are; others are noticed as they are met.
    add_pair(ThreadId{0}, ThreadId{0});
    search_level(*pairs_.front(), 0);
    std::size_t level = 0;
    for (; level <= options_.max_level && !ended_; ++level) {
      // Threads that are met on the way make new pairs, which begin at level 0.
      for (std::size_t i = 1; i < pairs_.size() && !ended_; ++i)
        for (std::size_t each = 0; each <= level && !ended_; ++each) search_level(*pairs_[i], each);
    }
    result_.omissions.beyond_level = level == 0 ? 0 : level - 1;
    for (const auto& [finding, place] : unfinished_) result_.findings[finding].run = run_to(*place.first, place.second);
    machine_.restore(root_);
    for (const auto& pair : pairs_) result_.counters.store_bytes += pair->store.bytes();
    return std::move(result_);
  }

 private:
  // Threads that are new make pairs with all that are known.
  void notice_threads() {
    const auto threads = machine_.threads();
    while (is_changed_.size() < threads.size()) is_changed_.emplace_back();
    for (std::size_t i = 0; i < threads.size(); ++i) {
      if (is_changed_[i] || threads[i].status == ThreadStatus::Absent) continue;
      is_changed_[i] = options_.fragment->may_be_entered(machine_, ThreadId{i});
      for (std::size_t j = 0; j < is_changed_.size(); ++j) {
        if (!is_changed_[j] || i == j) continue;
        if (*is_changed_[i]) add_pair(ThreadId{i}, ThreadId{j});
        if (*is_changed_[j]) add_pair(ThreadId{j}, ThreadId{i});
      }
    }
  }
  void add_pair(ThreadId changed, ThreadId other) {
    pairs_.push_back(
        std::make_unique<Pair>(Pair{.changed = changed, .other = other, .store = {}, .visited = {}, .levels = {}}));
    pairs_.back()->levels.resize(options_.max_level + 1);
  }

  void search_level(Pair& pair, std::size_t level) {
    if (pair.visited.empty()) {
      machine_.restore(root_);
      enter(pair,
            {.parent = nowhere,
             .step = {ThreadId{0}, 0},
             .state = StateNumber{0},
             .current = {},
             .stage = stage_of(pair, Stage::Before, false),
             .depth = 0},
            level);
    }
    std::deque<PendingStep>& waiting = pair.levels[level];
    while (!waiting.empty() && !ended_) {
      const PendingStep next = waiting.front();
      waiting.pop_front();
      if (const auto reason = options_.stop.reason()) {
        result_.omissions.stopped = reason;
        ended_ = true;
        return;
      }
      if (result_.counters.states >= options_.max_states) {
        result_.omissions.states = true;
        ended_ = true;
        return;
      }
      if ((++rounds_ & 255U) == 0) options_.stop.report_progress({result_.counters.states, waiting.size()});
      take(pair, next, level);
    }
  }

  void take(Pair& pair, const PendingStep& next, std::size_t level) {
    const Visited from = pair.visited[next.from];
    pair.store.components_of(from.state, restored_);
    machine_.restore(std::span{restored_}.subspan(own_components));
    ++result_.counters.steps;
    if (const auto bound = machine_.step(next.step)) {
      result_.omissions.bounds[static_cast<std::size_t>(*bound)] = true;
      return;
    }
    enter(pair,
          {.parent = next.from,
           .step = next.step,
           .state = StateNumber{0},
           .current = next.step.thread,
           .stage = stage_of(pair, from.stage, next.step.thread == pair.changed),
           .depth = from.depth + 1},
          level);
  }

  [[nodiscard]] Stage stage_of(const Pair& pair, Stage before, bool moved) {
    const std::size_t changed = pair.changed.index();
    const bool is_there = changed < machine_.threads().size() &&
                          machine_.threads()[changed].status != ThreadStatus::Absent &&
                          options_.fragment->contains(machine_, pair.changed);
    if (!is_there) return before == Stage::Before ? Stage::Before : Stage::Behind;
    if (before == Stage::Before || before == Stage::Behind) return Stage::First;
    return moved ? Stage::Inside : before;
  }

  // The machine is at a state, maybe one that was visited.
  void enter(Pair& pair, Visited visited, std::size_t level) {
    notice_threads();
    key_.assign({visited.current ? static_cast<std::uint32_t>(visited.current->index()) + 1 : 0,
                 static_cast<std::uint32_t>(visited.stage)});
    static_assert(own_components == 2);
    const auto components = machine_.components();
    key_.insert(key_.end(), components.begin(), components.end());
    const Inserted inserted = pair.store.insert(key_);
    if (!inserted.is_new) {
      ++result_.counters.matched;
      return;
    }
    visited.state = inserted.number;
    const auto number = static_cast<std::uint32_t>(pair.visited.size());
    pair.visited.push_back(visited);
    ++result_.counters.states;
    result_.counters.max_depth = std::max<std::size_t>(result_.counters.max_depth, visited.depth);
    if (options_.listener != nullptr) options_.listener->visit(machine_);
    const std::size_t added = findings_.add(machine_);
    for (std::size_t i = result_.findings.size() - added; i < result_.findings.size(); ++i)
      unfinished_.push_back({i, {&pair, number}});
    if (added > 0 && options_.first_finding_only) {
      result_.omissions.finding = true;
      ended_ = true;
      return;
    }
    const auto threads = machine_.threads();
    const std::vector<bool> rules = threads_of_rules(pair, visited);
    for (std::size_t i = 0; i < threads.size(); ++i) {
      if (!threads[i].enabled) continue;
      const std::size_t departures = level + (rules[i] ? 0 : 1);
      if (departures > options_.max_level) continue;
      for (std::uint32_t outcome = 0; outcome < threads[i].outcomes; ++outcome)
        pair.levels[departures].push_back({number, {ThreadId{i}, outcome}});
    }
  }

  // Who may run, by the rules of the paper.
  [[nodiscard]] std::vector<bool> threads_of_rules(const Pair& pair, const Visited& visited) const {
    const auto threads = machine_.threads();
    std::vector<bool> chosen(threads.size());
    bool any = false;
    const auto choose = [&](std::optional<ThreadId> thread) {
      if (!thread || thread->index() >= threads.size() || !threads[thread->index()].enabled) return;
      chosen[thread->index()] = true;
      any = true;
    };
    if (visited.stage == Stage::Before) choose(pair.changed);
    const bool at_first = visited.stage == Stage::First && visited.current == pair.other;
    const bool in_it =
        (visited.stage == Stage::First || visited.stage == Stage::Inside) && visited.current == pair.changed;
    if (at_first || in_it) {
      choose(pair.changed);
      choose(pair.other);
    }
    if (!any) choose(visited.current);
    if (!any)
      for (std::size_t i = 0; i < threads.size(); ++i) choose(ThreadId{i});
    return chosen;
  }

  [[nodiscard]] static Run run_to(const Pair& pair, std::uint32_t number) {
    Run run;
    for (; pair.visited[number].parent != nowhere; number = pair.visited[number].parent)
      run.push_back(pair.visited[number].step);
    std::ranges::reverse(run);
    return run;
  }

  static constexpr std::size_t own_components = 2;  // of a key

  Machine& machine_;
  const PairwiseOptions& options_;
  SearchOptions search_;
  SearchResult result_;
  FindingList findings_;
  std::vector<std::unique_ptr<Pair>> pairs_;
  std::vector<std::optional<bool>> is_changed_;  // by thread that has been seen: whether it may come to the fragment
  std::vector<std::pair<std::size_t, std::pair<const Pair*, std::uint32_t>>> unfinished_;  // findings without runs
  std::vector<std::uint32_t> root_;
  std::vector<std::uint32_t> restored_;
  std::vector<std::uint32_t> key_;
  std::size_t rounds_ = 0;
  bool ended_ = false;
};

}  // namespace

SearchResult pairwise_search(Machine& machine, const PairwiseOptions& options) {
  return Pairwise{machine, options}.run();
}

}  // namespace lockwood::explorer
