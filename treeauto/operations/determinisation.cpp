#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <optional>

#include "treeauto/automaton/place_index.hpp"
#include "treeauto/operations/deterministic.hpp"
#include "treeauto/operations/trim.hpp"
#include "treeauto/simulation/reduction.hpp"

namespace lockwood::treeauto {
namespace {

// What is known about one position below one symbol. A class of sets is the set of the symbol's transitions (counted
// from its first) that have a child of the set there: all that matters of a set of states at this place.
struct Slot {
  SequenceTable<std::uint32_t> classes;                // class 0 is the empty one
  std::vector<std::vector<std::uint32_t>> containing;  // by transition: the classes it is in
};

// The subset construction by classes [gallagher.15.optimised, Sect. 4]. For each new set of states its class at every
// place is found; mostly it is known already, and there is nothing more to do. A new class is combined with the known
// classes at the other positions. So every tuple of classes is looked at once, when the last of its classes appears,
// and only if its transitions have one in common: classes are found through the transitions that are in them.
class SubsetConstruction {
 public:
  SubsetConstruction(Automaton automaton, std::size_t steps, StopToken stop)
      : automaton_{std::move(automaton)},
        steps_left_{steps},
        stop_{stop},
        index_{automaton_},
        seen_(automaton_.state_count()) {
    places_.resize(index_.place_count());
    found_.resize(index_.place_count());
    result_.alphabet = automaton_.alphabet();
    result_.tables.resize(automaton_.alphabet().size());
  }

  // Nothing if the steps do not suffice.
  [[nodiscard]] std::optional<DeterministicAutomaton> result() {
    sets_.intern({});
    std::vector<std::uint32_t> all;
    for (Symbol symbol : automaton_.alphabet().symbols()) {
      const auto transitions = automaton_.transitions_of(symbol);
      if (transitions.size() == 0) continue;
      all.resize(transitions.size());
      std::iota(all.begin(), all.end(), 0U);
      for (std::size_t i = 0; i < automaton_.alphabet().rank(symbol); ++i) {
        places_[index_.place(symbol, i)].classes.intern({});
        places_[index_.place(symbol, i)].containing.resize(transitions.size());
      }
      if (automaton_.alphabet().rank(symbol) == 0) add_row(symbol, {}, all);
    }
    for (std::uint32_t set = 0; set < sets_.size() && steps_left_ > 0; ++set) handle(set);
    if (steps_left_ == 0) return std::nullopt;
    finish();
    return std::move(result_);
  }

 private:
  struct Membership {
    std::uint32_t place;
    std::uint32_t set;
    std::uint32_t number;  // of the class
  };

  void handle(std::uint32_t set) {
    std::vector<std::pair<std::uint32_t, Symbol>> touched;
    for (State state : sets_[set])
      for (const PlaceIndex::Group& group : index_.groups(state)) {
        const auto transitions = index_.transitions(group);
        const Symbol symbol = automaton_.symbol(transitions.front());
        const std::size_t first = (*automaton_.transitions_of(symbol).begin()).index();
        auto& found = found_[group.place];
        if (found.empty()) touched.emplace_back(group.place, symbol);
        for (TransitionId id : transitions) found.push_back(static_cast<std::uint32_t>(id.index() - first));
      }
    std::ranges::sort(touched);
    for (const auto& [place, symbol] : touched) {
      if (steps_left_ == 0) return;
      std::vector<std::uint32_t> transitions;
      transitions.swap(found_[place]);
      std::ranges::sort(transitions);
      Slot& at = places_[place];
      const std::size_t known = at.classes.size();
      const std::uint32_t number = at.classes.intern(transitions).number;
      memberships_.push_back({place, set, number});
      if (number < known) continue;
      for (std::uint32_t transition : transitions) at.containing[transition].push_back(number);
      combine(symbol, place - index_.place(symbol, 0), number, std::move(transitions));
    }
  }

  // One position of the combination at hand: transitions of each class that may be chosen there.
  struct Level {
    std::size_t position;
    std::vector<std::uint32_t> classes;      // in order
    std::vector<std::size_t> begins;         // one more than classes
    std::vector<std::uint32_t> transitions;  // by class
    std::size_t next = 0;
  };

  // The class with this number, new at the position, with all known ones at the others.
  void combine(Symbol symbol, std::size_t position, std::uint32_t number, std::vector<std::uint32_t> transitions) {
    const std::size_t rank = automaton_.alphabet().rank(symbol);
    std::vector<std::uint32_t> tuple(rank, number);
    std::vector<Level> levels;
    std::size_t other = position == 0 ? 1 : 0;
    while (true) {
      stop_.check();
      stop_.check_states(sets_.size());
      steps_left_ -= std::min(steps_left_, transitions.size() + 1);
      if (steps_left_ == 0) return;
      if (other < rank) {
        levels.push_back(level(symbol, other, transitions));
      } else {
        add_row(symbol, tuple, transitions);
      }
      while (!levels.empty() && levels.back().next == levels.back().classes.size()) levels.pop_back();
      if (levels.empty()) return;
      Level& top = levels.back();
      tuple[top.position] = top.classes[top.next];
      transitions.assign(top.transitions.begin() + static_cast<std::ptrdiff_t>(top.begins[top.next]),
                         top.transitions.begin() + static_cast<std::ptrdiff_t>(top.begins[top.next + 1]));
      ++top.next;
      other = top.position + 1 == position ? top.position + 2 : top.position + 1;
    }
  }

  // The transitions, distributed to the classes at the position that contain them.
  [[nodiscard]] Level level(Symbol symbol, std::size_t position, const std::vector<std::uint32_t>& transitions) {
    const Slot& at = places_[index_.place(symbol, position)];
    if (counts_.size() < at.classes.size()) counts_.resize(at.classes.size());
    Level result{.position = position};
    for (std::uint32_t transition : transitions)
      for (std::uint32_t number : at.containing[transition])
        if (counts_[number]++ == 0) result.classes.push_back(number);
    std::ranges::sort(result.classes);
    result.begins.push_back(0);
    for (std::uint32_t number : result.classes) {
      result.begins.push_back(result.begins.back() + counts_[number]);
      counts_[number] = result.begins[result.begins.size() - 2];  // from here on, where its next transition goes
    }
    result.transitions.resize(result.begins.back());
    steps_left_ -= std::min(steps_left_, result.transitions.size());
    for (std::uint32_t transition : transitions)
      for (std::uint32_t number : at.containing[transition]) result.transitions[counts_[number]++] = transition;
    for (std::uint32_t number : result.classes) counts_[number] = 0;
    assert(std::ranges::all_of(counts_, [](std::size_t count) { return count == 0; }));
    return result;
  }

  void add_row(Symbol symbol, const std::vector<std::uint32_t>& tuple, const std::vector<std::uint32_t>& transitions) {
    const std::size_t first = (*automaton_.transitions_of(symbol).begin()).index();
    targets_.clear();
    ++round_;
    for (std::uint32_t transition : transitions) {
      const State target = automaton_.target(TransitionId{first + transition});
      if (std::exchange(seen_[target], round_) != round_) targets_.push_back(target);
    }
    std::ranges::sort(targets_);
    auto& table = result_.tables[symbol];
    [[maybe_unused]] const bool is_new = table.rows.intern(tuple).is_new;
    assert(is_new);  // each tuple of classes is met once: where its newest class stands first
    table.targets.emplace_back(sets_.intern(targets_).number);
  }

  void finish() {
    result_.final.resize(sets_.size());
    for (State state : result_.states())
      result_.final[state] =
          std::ranges::any_of(sets_[state.index()], [this](State member) { return automaton_.is_final(member); });
    for (Symbol symbol : automaton_.alphabet().symbols())
      if (!result_.tables[symbol].targets.empty())
        result_.tables[symbol].class_of.assign(automaton_.alphabet().rank(symbol),
                                               IdVector<State, std::uint32_t>(sets_.size()));
    // Memberships name places; those of a symbol follow each other.
    std::vector<IdVector<State, std::uint32_t>*> class_of;
    for (Symbol symbol : automaton_.alphabet().symbols()) {
      class_of.resize(index_.place(symbol, 0), nullptr);
      for (auto& classes : result_.tables[symbol].class_of) class_of.push_back(&classes);
    }
    for (const auto& [place, set, number] : memberships_)
      if (place < class_of.size() && class_of[place] != nullptr) (*class_of[place])[State{set}] = number;
  }

  Automaton automaton_;
  std::size_t steps_left_;
  StopToken stop_;
  PlaceIndex index_;
  SequenceTable<State> sets_;  // the states of the result; the empty set is the first
  std::vector<Slot> places_;
  std::vector<Membership> memberships_;
  DeterministicAutomaton result_;
  std::vector<std::vector<std::uint32_t>> found_;  // by place; scratch of `handle`
  std::vector<std::size_t> counts_;                // by class; scratch of `level`
  std::uint64_t round_ = 0;                        // of `add_row`
  IdVector<State, std::uint64_t> seen_;
  std::vector<State> targets_;
};

}  // namespace

std::optional<DeterministicAutomaton> determinised_within(const Automaton& automaton, std::size_t steps,
                                                          StopToken stop) {
  return SubsetConstruction{trimmed(automaton), steps, stop}.result();
}

DeterministicAutomaton determinised(const Automaton& automaton, StopToken stop) {
  return *determinised_within(automaton, std::numeric_limits<std::size_t>::max(), stop);
}

// On the files of an abstract regular tree model checker, reduction takes 0.03 s and leaves a few dozen of thousands of
// transitions, where determinisation alone does not end; on word automata with thousands of states it takes a hundred
// times as long as determinisation. So the bound is about what reduction might take.
DeterministicAutomaton minimal_deterministic(const Automaton& automaton, StopToken stop) {
  const std::size_t steps = 1'000'000 + 200 * total_size(automaton);
  if (const auto result = determinised_within(automaton, steps, stop)) return minimised(*result, stop);
  return minimised(determinised(reduced(automaton, {}, stop), stop), stop);
}

}  // namespace lockwood::treeauto
