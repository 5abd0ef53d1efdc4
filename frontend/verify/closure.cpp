#include <algorithm>
#include <initializer_list>
#include <tuple>
#include <unordered_map>

#include "dpn/text_format.hpp"
#include "frontend/verify/proof.hpp"

// Why the check suffices. Let t be the tree of an execution, cut into phases, whose threads meet the goals, and let its
// collected symbols not be conceded. Each subtree s of t has a context (where it begins), an outcome, what it shows of
// the goals, and a lock structure, which is consistent because t can be scheduled and all conditions of consistency are
// monotone (docs/theory.md, Sect. 4). *If the context of s is in the table, then it has a fact that covers s*: with the
// same outcome and collected symbols, at least its goals, and a smaller or equal structure. By induction on the size of
// s: the rule at its root is allowed in its phase, so demand says that the contexts of its children are there (what
// follows a call, because a fact covers the body and has its outcome), hence facts cover the children. The rule
// instance with these facts has a conclusion that covers s, as all operations are monotone, so it is consistent, and it
// is not conceded. So closure says that a fact covers it, and thereby s. The context of t itself is the root, which is
// there: an accepting fact of the root would cover t. But there is none.
// Nothing is asked about where facts come from: superfluous ones cannot harm.
namespace lockwood::verify {
namespace {

using Number = std::optional<std::size_t>;  // of a structure; nothing for inconsistent ones

// Structures by numbers, and what is known about them: the same joins and comparisons are asked for over and over.
class Structures {
 public:
  explicit Structures(std::size_t phases) { empty = *number_of(Structure{{}, std::vector<PhaseLocks>(phases)}); }
  std::size_t empty;
  [[nodiscard]] const Structure& operator[](std::size_t number) const { return *rows_[number]; }

  Number join(std::size_t left, std::size_t right, bool own_uses_of_left) {
    const auto [at, fresh] = joins_[left * 2 + (own_uses_of_left ? 1 : 0)].try_emplace(right);
    if (fresh) at->second = number_of(joined(*rows_[left], *rows_[right], own_uses_of_left));
    return at->second;
  }
  Number monitor(const std::string& lock, std::size_t entered, std::optional<std::size_t> returned, std::size_t body) {
    const auto [at, fresh] = monitors_.try_emplace({lock, entered, returned, body});
    if (fresh) at->second = number_of(monitored(lock, entered, returned, *rows_[body]));
    return at->second;
  }
  bool in(std::size_t smaller, std::size_t larger) {
    if (smaller == larger || smaller == empty) return true;
    const auto [at, fresh] = inclusions_[smaller].try_emplace(larger);
    if (fresh) at->second = included(*rows_[smaller], *rows_[larger]);
    return at->second;
  }
  Number number_of(const std::optional<Structure>& structure) {
    if (!structure) return std::nullopt;
    const auto [at, fresh] = numbers_.try_emplace(*structure, rows_.size());
    if (fresh) rows_.push_back(&at->first);
    return at->second;
  }

 private:
  std::map<Structure, std::size_t> numbers_;
  std::vector<const Structure*> rows_;
  std::unordered_map<std::size_t, std::unordered_map<std::size_t, Number>> joins_;
  std::map<std::tuple<std::string, std::size_t, std::optional<std::size_t>, std::size_t>, Number> monitors_;
  std::unordered_map<std::size_t, std::unordered_map<std::size_t, bool>> inclusions_;
};

struct Flaw {
  std::string text;
};

std::string to_text(const Context& context) {
  std::string text = context.thread ? "the thread started at (" : "(";
  text += context.control + ", " + context.top + ") in phase " + std::to_string(context.phase + 1);
  for (const std::string& lock : context.held) text += ", holding " + lock;
  return text;
}

std::string to_text(const Fact& fact, const Structure& structure) {
  std::string text = "[stands";
  if (fact.outcome)
    text = "[returns to " + fact.outcome->first + " in phase " + std::to_string(fact.outcome->second + 1);
  for (std::size_t goal = 0; goal < 64; ++goal)
    if ((fact.seen.goals >> goal & 1U) != 0) text += ", meets goal " + std::to_string(goal + 1);
  for (const std::string& top : fact.seen.collected) text += ", collects " + top;
  return text + to_text(structure) + "]";
}

class Checker {
 public:
  // Facts with inconsistent structures cover nothing that is consistent, so they are left out.
  Checker(const dpn::Network& network, const Problem& problem, Table table)
      : network_{network}, problem_{problem}, structures_{problem.phases.size()}, table_{std::move(table)} {
    std::vector<Number> numbers;
    for (Structure& row : table_.structures) numbers.push_back(structures_.number_of(if_consistent(std::move(row))));
    for (auto& [context, facts] : table_.contexts)
      for (auto& [outcome, list] : facts) {
        std::erase_if(list, [&](const Fact& fact) { return !numbers[fact.structure]; });
        for (Fact& fact : list) fact.structure = *numbers[fact.structure];
      }
  }

  // Throws a Flaw.
  void check() {
    const Context root = context_at(network_.initial(), {}, 0, true);
    if (!table_.contexts.contains(root)) throw Flaw{"the table lacks the context of all, " + to_text(root)};
    for (const Context& context : table_.order) {
      context_ = &context;
      facts_ = &table_.contexts.at(context);
      covered_.clear();
      fired_ = 0;
      context.thread ? check_thread() : check_inside();
    }
    for (const Fact* fact : all(table_.contexts.at(root)))
      if (accepting(fact->seen) && !table_.conceded.contains(fact->seen.collected))
        throw Flaw{to_text(root) + " has an accepting fact: " + to_text(*fact, structures_[fact->structure])};
  }

 private:
  void check_thread() {
    rule_ = "a tree is one of a whole thread";
    Context inside = *context_;
    inside.thread = false;
    for (const Fact* fact : all(demand(inside)))
      conclude({fact}, {}, fact->seen, structures_.join(fact->structure, structures_.empty, false));
  }

  void check_inside() {
    const dpn::Head head{*network_.controls().find(context_->control), *network_.stacks().find(context_->top)};
    const Phase& phase = problem_.phases[context_->phase];
    if (context_->phase + 1 == problem_.phases.size()) {
      rule_ = "a thread stands at the end";
      for (const Seen& seen : standing(head, {})) conclude({}, {}, seen, structures_.empty);
    } else {
      rule_ = "a thread goes on to the next phase";
      for (const Fact* fact : all(demand(context_at(head, context_->held, context_->phase + 1, false))))
        for (const Seen& seen : standing(head, fact->seen)) conclude({fact}, fact->outcome, seen, fact->structure);
    }
    for (dpn::RuleId id : network_.rules_from(head)) {
      const std::string action{network_.actions().name(network_.rule(id).action)};
      if (phase.avoiding.contains(action)) continue;
      rule_ = "rule " + dpn::to_text(network_, network_.rule(id));
      fired_ = 0;
      for (std::size_t i = 0; i < phase.fired.size(); ++i)
        if (phase.fired[i].contains(action)) fired_ |= goal_bit(phase.first_goal + phase.standing.size() + i);
      check_rule(network_.rule(id));
    }
  }

  void check_rule(const dpn::Rule& rule) {
    const auto& [control, top, held, phase, thread] = *context_;
    if (const auto* base = std::get_if<dpn::Base>(&rule.effect)) {
      for (const Fact* fact : all(demand(context_at(base->to, held, phase, false))))
        conclude({fact}, fact->outcome, fact->seen, fact->structure);
    } else if (const auto* ret = std::get_if<dpn::Return>(&rule.effect)) {
      conclude({}, Outcome{{std::string{network_.controls().name(ret->to)}, phase}}, {}, structures_.empty);
    } else if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
      const auto parents = all(demand(context_at(spawn->parent, held, phase, false)));
      for (const Fact* child : all(demand(context_at(spawn->child, {}, phase, true))))
        for (const Fact* parent : parents)
          conclude({child, parent}, parent->outcome, both(child->seen, parent->seen),
                   structures_.join(child->structure, parent->structure, false));
    } else {
      check_entry(*dpn::entry_of(rule));
    }
  }

  void check_entry(const dpn::Entry& entry) {
    const auto& [control, top, held, phase, thread] = *context_;
    Names inside = held;
    std::string lock;  // that is taken; lock-insensitively a monitor is a call, and so it is if the lock is held
    if (entry.lock && inside.insert(std::string{network_.locks().name(*entry.lock)}).second && problem_.lock_sensitive)
      lock = network_.locks().name(*entry.lock);
    const auto around = [&](const Fact& body, std::optional<std::size_t> returned) -> Number {
      return lock.empty() ? body.structure : structures_.monitor(lock, context_->phase, returned, body.structure);
    };
    for (const auto& [outcome, bodies] : demand(context_at(entry.callee, inside, phase, false))) {
      if (!outcome) {
        for (const Fact& body : bodies) conclude({&body}, {}, body.seen, around(body, {}));
        continue;
      }
      const auto& [to, returned] = *outcome;
      const dpn::Head rest_head{*network_.controls().find(to), entry.return_point};
      const auto rests = all(demand(context_at(rest_head, held, returned, false)));
      for (const Fact& body : bodies)
        if (const Number left = around(body, returned))
          for (const Fact* rest : rests) {
            const bool same_phase = rest->outcome && rest->outcome->second == returned;
            conclude({&body, rest}, rest->outcome, both(body.seen, rest->seen),
                     structures_.join(*left, rest->structure, same_phase));
          }
    }
  }

  // --- What is seen -------------------------------------------------------------------------------------------------

  static std::uint64_t goal_bit(std::size_t goal) { return std::uint64_t{1} << goal; }

  // A thread that stands at the end of the phase meets one of its goals, or is collected, or neither.
  [[nodiscard]] std::vector<Seen> standing(dpn::Head head, const Seen& below) const {
    std::vector<Seen> choices{below};
    const Phase& phase = problem_.phases[context_->phase];
    for (std::size_t i = 0; i < phase.standing.size(); ++i)
      if (meets(network_, head, context_->held, phase.standing[i]))
        choices.push_back({below.goals | goal_bit(phase.first_goal + i), below.collected});
    if (context_->phase + 1 == problem_.phases.size()) choices.push_back({below.goals, {context_->top}});
    return choices;
  }
  [[nodiscard]] static Seen both(const Seen& a, const Seen& b) {
    Seen seen{a.goals | b.goals, a.collected};
    seen.collected.insert(seen.collected.end(), b.collected.begin(), b.collected.end());
    std::ranges::sort(seen.collected);
    return seen;
  }
  [[nodiscard]] bool accepting(const Seen& seen) const {
    for (std::size_t goal = 0; goal < problem_.goals; ++goal)
      if ((seen.goals & goal_bit(goal)) == 0) return false;
    return seen.collected.size() == problem_.collect.size();
  }

  // --- Demand and closure -------------------------------------------------------------------------------------------

  [[nodiscard]] Context context_at(dpn::Head head, const Names& held, std::size_t phase, bool thread) const {
    return {std::string{network_.controls().name(head.control)}, std::string{network_.stacks().name(head.top)}, held,
            phase, thread};
  }
  [[nodiscard]] const Facts& demand(const Context& context) const {
    const auto at = table_.contexts.find(context);
    if (at != table_.contexts.end()) return at->second;
    throw Flaw{"at " + to_text(*context_) + ", " + rule_ + ": the table lacks the context " + to_text(context)};
  }
  [[nodiscard]] static std::vector<const Fact*> all(const Facts& facts) {
    std::vector<const Fact*> list;
    for (const auto& [outcome, some] : facts)
      for (const Fact& fact : some) list.push_back(&fact);
    return list;
  }

  // What follows must be covered, unless it is inconsistent, collects what no answer can, or is conceded.
  void conclude(std::initializer_list<const Fact*> premises, const Outcome& outcome, Seen seen, Number locks) {
    if (!locks || !collectable(problem_, seen.collected) || table_.conceded.contains(seen.collected)) return;
    seen.goals |= fired_;
    const Fact conclusion{outcome, std::move(seen), *locks};
    if (!covered_.insert(conclusion).second) return;
    if (const auto at = facts_->find(outcome); at != facts_->end())
      for (const Fact& fact : at->second)
        if ((conclusion.seen.goals & ~fact.seen.goals) == 0 && conclusion.seen.collected == fact.seen.collected &&
            structures_.in(fact.structure, *locks))
          return;
    std::string text = "at " + to_text(*context_) + ", " + rule_;
    for (const Fact* premise : premises) text += ", with " + to_text(*premise, structures_[premise->structure]);
    throw Flaw{text + ": no fact covers " + to_text(conclusion, structures_[*locks])};
  }

  const dpn::Network& network_;
  const Problem& problem_;
  Structures structures_;
  Table table_;
  // The rule instances under way: the context that they conclude about, its facts, what was covered, the rule.
  const Context* context_ = nullptr;
  const Facts* facts_ = nullptr;
  std::set<Fact> covered_;
  std::string rule_;
  std::uint64_t fired_ = 0;  // goals that the rule's action meets
};

}  // namespace

std::optional<std::string> table_flaw(const dpn::Network& network, const Problem& problem, Table table) {
  try {
    Checker{network, problem, std::move(table)}.check();
    return std::nullopt;
  } catch (Flaw& found) {
    return std::move(found.text);
  }
}

}  // namespace lockwood::verify
