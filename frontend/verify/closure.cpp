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
  Number monitor(dpn::Lock lock, std::size_t entered, std::optional<std::size_t> returned, std::size_t body) {
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
  std::map<std::tuple<dpn::Lock, std::size_t, std::optional<std::size_t>, std::size_t>, Number> monitors_;
  std::unordered_map<std::size_t, std::unordered_map<std::size_t, bool>> inclusions_;
};

struct Flaw {
  std::string text;
};

std::string to_text(const dpn::Network& network, const Context& context) {
  std::string text = context.thread ? "the thread started at (" : "(";
  text += std::string{network.controls().name(context.head.control)} + ", ";
  text += std::string{network.stacks().name(context.head.top)} + ") in phase " + std::to_string(context.phase + 1);
  for (dpn::Lock lock : context.held) text += ", holding " + std::string{network.locks().name(lock)};
  return text;
}

std::string to_text(const dpn::Network& network, const Fact& fact, const Structure& structure) {
  std::string text = "[stands";
  if (fact.outcome)
    text = "[returns to " + std::string{network.controls().name(fact.outcome->first)} + " in phase " +
           std::to_string(fact.outcome->second + 1);
  for (std::size_t goal = 0; goal < 64; ++goal)
    if ((fact.seen.goals >> goal & 1U) != 0) text += ", meets goal " + std::to_string(goal + 1);
  for (dpn::StackSymbol top : fact.seen.collected) text += ", collects " + std::string{network.stacks().name(top)};
  const auto name = [&](dpn::Lock lock) { return " " + std::string{network.locks().name(lock)}; };
  const auto put = [&](const char* what, const Locks& locks) {
    if (!locks.empty()) text += what;
    for (dpn::Lock lock : locks) text += name(lock);
  };
  put(", itself uses", structure.own_uses);
  for (std::size_t i = 0; i < structure.phases.size(); ++i) {
    const auto& [acquired, used, held, acquisition, release] = structure.phases[i];
    text += "; phase " + std::to_string(i + 1) + ":";
    put(" acquires", acquired);
    put(" uses", used);
    put(" keeps", held);
    for (const auto& [lock, after] : acquisition) text += " acquires" + name(lock) + " before" + name(after);
    for (const auto& [lock, before] : release) text += " releases" + name(lock) + " after" + name(before);
  }
  return text + "]";
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
    const Context root{network_.initial(), {}, 0, true};
    const Facts* root_facts = find(root);
    if (root_facts == nullptr)
      throw Flaw{"the table lacks the context of the whole execution, " + to_text(network_, root)};
    for (const Context& context : table_.order) {
      context_ = &context;
      facts_ = find(context);
      covered_.clear();
      context.thread ? check_thread() : check_inside();
    }
    for (const auto& [outcome, facts] : *root_facts)
      for (const Fact& fact : facts)
        if (accepting(fact.seen) && !table_.conceded.contains(fact.seen.collected))
          throw Flaw{"the whole execution has an accepting fact: " +
                     to_text(network_, fact, structures_[fact.structure])};
  }

 private:
  void check_thread() {
    rule_ = "a tree is one of a whole thread";
    const Context inside{context_->head, context_->held, context_->phase, false};
    for (const Fact* fact : all(demand(inside)))
      conclude({fact}, {}, fact->seen, structures_.join(fact->structure, structures_.empty, false));
  }

  void check_inside() {
    const auto& [head, held, phase, thread] = *context_;
    if (phase + 1 == problem_.phases.size()) {
      rule_ = "a thread stands at the end";
      for (const Seen& seen : standing({})) conclude({}, {}, seen, structures_.empty);
    } else {
      rule_ = "a thread goes on to the next phase";
      for (const Fact* fact : all(demand({head, held, phase + 1, false})))
        for (const Seen& seen : standing(fact->seen)) conclude({fact}, fact->outcome, seen, fact->structure);
    }
    for (dpn::RuleId id : network_.rules_from(head)) {
      const dpn::Rule& rule = network_.rule(id);
      if (problem_.phases[phase].avoiding.contains(rule.action)) continue;
      rule_ = "rule " + dpn::to_text(network_, rule);
      fired_ = 0;
      const Phase& asked = problem_.phases[phase];
      for (std::size_t i = 0; i < asked.fired.size(); ++i)
        if (asked.fired[i].contains(rule.action))
          fired_ |= std::uint64_t{1} << (asked.first_goal + asked.standing.size() + i);
      if (const auto* base = std::get_if<dpn::Base>(&rule.effect)) {
        for (const Fact* fact : all(demand({base->to, held, phase, false})))
          conclude({fact}, fact->outcome, with_fired(fact->seen), fact->structure);
      } else if (const auto* ret = std::get_if<dpn::Return>(&rule.effect)) {
        conclude({}, Outcome{{ret->to, phase}}, with_fired({}), structures_.empty);
      } else if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect)) {
        const auto parents = all(demand({spawn->parent, held, phase, false}));
        for (const Fact* child : all(demand({spawn->child, {}, phase, true})))
          for (const Fact* parent : parents)
            if (const auto seen = both(child->seen, parent->seen))
              conclude({child, parent}, parent->outcome, *seen,
                       structures_.join(child->structure, parent->structure, false));
      } else {
        check_entry(*dpn::entry_of(rule));
      }
    }
  }

  void check_entry(const dpn::Entry& entry) {
    const auto& [head, held, phase, thread] = *context_;
    const bool takes_lock = entry.lock && !held.contains(*entry.lock);
    Locks inside = held;
    if (entry.lock) inside.insert(*entry.lock);
    // Lock-insensitively a monitor is a call.
    const auto around = [&](const Fact& body, std::optional<std::size_t> returned) -> Number {
      if (!takes_lock || problem_.semantics == dpn::Semantics::LockInsensitive) return body.structure;
      return structures_.monitor(*entry.lock, phase, returned, body.structure);
    };
    for (const auto& [outcome, bodies] : demand({entry.callee, inside, phase, false})) {
      if (!outcome) {
        for (const Fact& body : bodies) conclude({&body}, {}, with_fired(body.seen), around(body, {}));
        continue;
      }
      const auto& [control, returned] = *outcome;
      const auto rests = all(demand({{control, entry.return_point}, held, returned, false}));
      for (const Fact& body : bodies) {
        const Number left = around(body, returned);
        if (!left) continue;
        for (const Fact* rest : rests) {
          const bool same_phase = rest->outcome && rest->outcome->second == returned;
          if (const auto seen = both(body.seen, rest->seen))
            conclude({&body, rest}, rest->outcome, *seen, structures_.join(*left, rest->structure, same_phase));
        }
      }
    }
  }

  // --- What is seen -------------------------------------------------------------------------------------------------

  // A thread that stands at the end of the phase meets one of its goals, or is collected, or neither.
  [[nodiscard]] std::vector<Seen> standing(const Seen& below) const {
    const auto& [head, held, phase, thread] = *context_;
    std::vector<Seen> choices{below};
    const Phase& asked = problem_.phases[phase];
    for (std::size_t i = 0; i < asked.standing.size(); ++i)
      if (meets(network_, head, held, asked.standing[i])) {
        choices.push_back(below);
        choices.back().goals |= std::uint64_t{1} << (asked.first_goal + i);
      }
    if (phase + 1 == problem_.phases.size() && collectable(problem_, {head.top}))
      choices.push_back({below.goals, {head.top}});
    return choices;
  }
  [[nodiscard]] Seen with_fired(Seen seen) const {
    seen.goals |= fired_;
    return seen;
  }
  [[nodiscard]] std::optional<Seen> both(const Seen& a, const Seen& b) const {
    Seen seen{a.goals | b.goals | fired_, a.collected};
    seen.collected.insert(seen.collected.end(), b.collected.begin(), b.collected.end());
    std::ranges::sort(seen.collected);
    return seen.collected.empty() || collectable(problem_, seen.collected) ? std::optional{seen} : std::nullopt;
  }
  [[nodiscard]] bool accepting(const Seen& seen) const {
    for (std::size_t goal = 0; goal < problem_.goals; ++goal)
      if ((seen.goals >> goal & 1U) == 0) return false;
    return seen.collected.size() == problem_.collect.size();
  }

  // --- Demand and closure -------------------------------------------------------------------------------------------

  [[nodiscard]] const Facts* find(const Context& context) const {
    const auto at = table_.contexts.find(context);
    return at == table_.contexts.end() ? nullptr : &at->second;
  }
  [[nodiscard]] const Facts& demand(const Context& context) const {
    if (const Facts* facts = find(context)) return *facts;
    throw Flaw{"at " + to_text(network_, *context_) + ", " + rule_ + ": the table lacks the context " +
               to_text(network_, context)};
  }
  [[nodiscard]] static std::vector<const Fact*> all(const Facts& facts) {
    std::vector<const Fact*> list;
    for (const auto& [outcome, some] : facts)
      for (const Fact& fact : some) list.push_back(&fact);
    return list;
  }

  void conclude(std::initializer_list<const Fact*> premises, const Outcome& outcome, const Seen& seen, Number locks) {
    if (!locks || table_.conceded.contains(seen.collected)) return;
    const Fact conclusion{outcome, seen, *locks};
    if (!covered_.insert(conclusion).second) return;
    if (const auto at = facts_->find(outcome); at != facts_->end())
      for (const Fact& fact : at->second)
        if ((seen.goals & ~fact.seen.goals) == 0 && seen.collected == fact.seen.collected &&
            structures_.in(fact.structure, *locks))
          return;
    std::string text = "at " + to_text(network_, *context_) + ", " + rule_;
    for (const Fact* premise : premises)
      text += (premise == *premises.begin() ? " from " : " and ") +
              to_text(network_, *premise, structures_[premise->structure]);
    throw Flaw{text + ": no fact of the table covers " + to_text(network_, conclusion, structures_[*locks])};
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
