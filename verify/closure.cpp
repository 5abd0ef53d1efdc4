#include <algorithm>

#include "dpn/formats/text_format.hpp"
#include "dpn/semantics/describe.hpp"
#include "verify/table.hpp"

// Checks that the table is closed under all rules: docs/certificates.md, "What is checked" and "Why this suffices".
namespace lockwood::verify {
namespace {

using dpn::NodeKind;
using State = problem::Observer::State;

struct Flaw {
  std::string text;
};

class Checker {
 public:
  Checker(const dpn::Network& network, const problem::Problem& problem, Table& table)
      : network_{network}, problem_{problem}, table_{table} {
    for (const dpn::Rule& rule : network.rules())
      if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect))
        counts_offspring_ |= std::ranges::any_of(spawn->memberships, &dpn::Membership::all);
  }

  // Throws a Flaw.
  void check() {
    const Context root{network_.initial(), {}, 0};
    if (!table_.contexts.contains(root)) throw Flaw{"the table lacks the context of all, " + text(root)};
    for (const auto& [context, facts] : table_.contexts) {
      context_ = &context;
      facts_ = &facts;
      check_context();
    }
    for (const Fact& fact : table_.contexts.at(root))
      if (accepting(fact)) throw Flaw{text(root) + " has an accepting fact: " + text(fact)};
  }

 private:
  void check_context() {
    const auto& [head, held, phase] = *context_;
    node_ = {NodeKind::Nil, head};
    if (phase + 1 == problem_.phases.size()) {
      conclude({}, std::nullopt, Structures::empty);
    } else {
      for (const Fact& fact : demand({head, held, phase + 1})) conclude({&fact}, fact.outcome, fact.structure);
    }
    for (dpn::RuleId rule : network_.rules_from(head))
      if (!std::ranges::count(problem_.phases[phase].avoiding, network_.rule(rule).action)) check_rule(rule);
  }

  void check_rule(dpn::RuleId rule) {
    const auto& [head, held, phase] = *context_;
    const dpn::Effect& effect = network_.rule(rule).effect;
    if (const auto* base = std::get_if<dpn::Base>(&effect)) {
      node_ = {NodeKind::Base, rule};
      for (const Fact& fact : demand({base->to, held, phase})) conclude({&fact}, fact.outcome, fact.structure);
    } else if (const auto* ret = std::get_if<dpn::Return>(&effect)) {
      node_ = {NodeKind::Ret, rule};
      conclude({}, Outcome{{ret->to, phase}}, Structures::empty);
    } else if (const auto* join = std::get_if<dpn::Join>(&effect)) {
      node_ = {NodeKind::Join, rule};
      check_step(join->to, first_to(join->groups, {.joined_in = phase}));
    } else if (const auto* forget = std::get_if<dpn::Forget>(&effect)) {
      node_ = {NodeKind::Forget, rule};
      check_step(forget->to, first_to(forget->groups, {}));
    } else if (const auto* spawn = std::get_if<dpn::Spawn>(&effect)) {
      node_ = {NodeKind::Spawn, rule};
      const Facts& parents = demand({spawn->parent, held, phase});
      for (const Fact& child : demand({spawn->child, {}, phase})) {
        const Number start = table_.structures.number_of(started(*spawn, child));
        for (const Fact& parent : parents)
          conclude({&child, &parent}, parent.outcome,
                   table_.structures.sequence(start, parent.structure, parent.returned_in()));
      }
    } else {
      check_entry(rule, *dpn::entry_of(network_.rule(rule)));
    }
  }

  // The thread goes on at the head, after a step with this structure.
  void check_step(dpn::Head to, Structure step) {
    const Number before = table_.structures.number_of(std::move(step));
    for (const Fact& fact : demand({to, context_->held, context_->phase}))
      conclude({&fact}, fact.outcome, table_.structures.sequence(before, fact.structure, fact.returned_in()));
  }

  // Of a step that does this to the groups.
  [[nodiscard]] static Structure first_to(const std::vector<dpn::Group>& groups, const First& first) {
    Structure step;
    for (dpn::Group group : groups) step.first.emplace(group, first);
    return step;
  }

  // Of a step that starts the child: its locks, without its own uses, and what is known of it as a member.
  [[nodiscard]] Structure started(const dpn::Spawn& spawn, const Fact& child) const {
    const Structure& inner = table_.structures[child.structure];
    const PhaseIndex end = child.returned_in().value_or(problem_.phases.size());
    Structure step;
    for (const Atom& atom : inner.locks)
      if (atom.kind != 'M') step.locks.insert(atom);
    if (counts_offspring_) step.offspring = std::max(std::optional{end}, inner.offspring);
    for (const auto& [group, all, replace] : spawn.memberships) {
      Started& members = step.started[group];
      members.end = all ? *step.offspring : end;
      for (const Atom& atom : inner.locks)
        if (atom.kind == (all ? 'U' : 'M')) members.uses.emplace(atom.phase, atom.x);
      if (replace) step.first.emplace(group, First{});
    }
    return step;
  }

  void check_entry(dpn::RuleId rule, const dpn::Entry& entry) {
    const auto& [head, held, phase] = *context_;
    auto inside = held;
    const bool fresh = entry.lock && inside.insert(*entry.lock).second;
    const auto reentrance = entry.lock && !fresh ? dpn::Reentrance::Yes : dpn::Reentrance::No;
    for (const Fact& body : demand({entry.callee, inside, phase})) {
      Number structure = table_.structures.without(entry.opening, body.structure);
      if (fresh && problem_.semantics == dpn::Semantics::LockSensitive)
        structure =
            table_.structures.monitor(*entry.lock, phase, body.returned_in(), *structure, problem_.phases.size());
      if (!body.outcome) {
        node_ = {entry.lock ? NodeKind::Acq : NodeKind::NCall, rule, reentrance};
        conclude({&body}, std::nullopt, structure);
        continue;
      }
      node_ = {entry.lock ? NodeKind::Use : NodeKind::RCall, rule, reentrance};
      const auto& [control, returned] = *body.outcome;
      for (const Fact& rest : demand({{control, entry.return_point}, held, returned}))
        conclude({&body, &rest}, rest.outcome,
                 table_.structures.sequence(structure, rest.structure, rest.returned_in()));
    }
  }

  [[nodiscard]] const Facts& demand(const Context& context) const {
    const auto at = table_.contexts.find(context);
    if (at == table_.contexts.end()) throw Flaw{place() + ": the table lacks the context " + text(context)};
    return at->second;
  }

  // The node under way, above subtrees as the premises say, has this outcome and this structure: what follows must be
  // covered. Nothing follows if the structure is inconsistent.
  void conclude(const std::vector<const Fact*>& premises, const Outcome& outcome, Number structure) {
    table_.stop.check();
    const auto waits = waits_above(premises);
    if (!structure || !waits) return;
    Fact joined{.outcome = outcome, .waits = *waits, .goals = fired_goals(), .structure = *structure};
    for (const Fact* premise : premises) {
      joined.goals |= premise->goals;
      joined.collected.insert(joined.collected.end(), premise->collected.begin(), premise->collected.end());
    }
    std::ranges::sort(joined.collected);
    std::vector<Fact> conclusions{joined};
    for (std::size_t observer = 0; observer < table_.observers.size(); ++observer) {
      std::vector<Fact> longer;
      for (const auto& state : states(observer, premises))
        for (const Fact& conclusion : conclusions) longer.emplace_back(conclusion).states.push_back(state);
      conclusions = std::move(longer);
    }
    for (const Fact& conclusion : conclusions)
      for (const Fact& choice : choices(conclusion)) expect(choice, premises);
  }

  void expect(const Fact& conclusion, const std::vector<const Fact*>& premises) {
    if (!collectable(problem_, conclusion.collected) || table_.conceded.contains(conclusion.collected)) return;
    if (facts_->contains(conclusion)) return;
    const Fact least{conclusion.outcome, conclusion.collected, conclusion.states, conclusion.waits};
    for (auto at = facts_->lower_bound(least); at != facts_->end() && at->shape() == conclusion.shape(); ++at)
      if (!(conclusion.goals & ~at->goals) &&
          table_.structures.replaces(at->structure, conclusion.structure, conclusion.returned_in()))
        return;
    std::string flaw = place();
    for (const Fact* premise : premises) flaw += ", with " + text(*premise);
    throw Flaw{flaw + ": no fact covers " + text(conclusion)};
  }

  // Those of the context's phase that the action of the node meets.
  [[nodiscard]] std::uint64_t fired_goals() const {
    const auto* rule = std::get_if<dpn::RuleId>(&node_.what);
    const auto& [avoiding, standing, fired, observers, awaiting] = problem_.phases[context_->phase];
    std::uint64_t goals = 0;
    for (std::size_t i = 0; rule != nullptr && i < fired.size(); ++i)
      if (std::ranges::count(fired[i], network_.rule(*rule).action))
        goals |= table_.first_goal[context_->phase] << (standing.size() + i);
    return goals;
  }

  // Who waits for whom, above subtrees as the premises say. Nothing if a need will not be met.
  [[nodiscard]] std::optional<Waits> waits_above(const std::vector<const Fact*>& premises) const {
    const auto* id = std::get_if<dpn::RuleId>(&node_.what);
    if (pairs().empty() || premises.empty()) return Waits{};
    const Waits& first = premises.front()->waits;
    if (id == nullptr) return first;
    const dpn::Rule& rule = network_.rule(*id);
    const bool stands = !premises.back()->outcome;
    if (const auto* join = std::get_if<dpn::Join>(&rule.effect)) return sequence(emptied(join->groups), first, stands);
    if (const auto* forget = std::get_if<dpn::Forget>(&rule.effect))
      return sequence(emptied(forget->groups), first, stands);
    std::optional<Waits> before = first;
    if (const auto* spawn = std::get_if<dpn::Spawn>(&rule.effect))
      before = verify::started(*spawn, first, counts_offspring_);
    if (const auto entry = dpn::entry_of(rule)) before = without(entry->opening, first);
    return premises.size() == 1 || !before ? before : sequence(*before, premises.back()->waits, stands);
  }
  [[nodiscard]] const std::vector<problem::Awaiting>& pairs() const { return problem_.phases.back().awaiting; }

  // A thread that is at the end of a phase meets one of its goals, or is collected, or neither. In the last phase
  // it may wait in a join for a reason.
  [[nodiscard]] std::vector<Fact> choices(const Fact& fact) const {
    if (node_.kind != NodeKind::Nil) return {fact};
    std::vector<Fact> found;
    const auto& [head, held, phase] = *context_;
    const auto add = [&, phase = phase](const Fact& choice, std::optional<std::size_t> goal) {
      if (phase + 1 < problem_.phases.size() || pairs().empty()) return found.push_back(choice);
      for (Waits& waits : standing(network_, pairs(), context_->head, goal))
        found.emplace_back(choice).waits = std::move(waits);
    };
    add(fact, std::nullopt);
    const auto& goals = problem_.phases[phase].standing;
    for (std::size_t i = 0; i < goals.size(); ++i)
      if (meets(network_, head, held, goals[i])) {
        Fact meeting = fact;
        meeting.goals |= table_.first_goal[phase] << i;
        add(meeting, i);
      }
    if (phase + 1 == problem_.phases.size()) found.emplace_back(fact).collected = {head.top};
    return found;
  }

  // The states that the observer can have at the node under way. It sees the tree as it is at the end of its phase: a
  // thread that goes on later stands there, and a call that returns later has not returned.
  [[nodiscard]] std::vector<std::optional<State>> states(std::size_t number,
                                                         const std::vector<const Fact*>& premises) const {
    const auto& [phase, observer] = table_.observers[number];
    if (phase < context_->phase) return {std::nullopt};
    if (node_.kind == NodeKind::Nil && phase > context_->phase) return {premises[0]->states[number]};
    dpn::NodeLabel label = node_;
    if (dpn::is_returning(label.kind) && phase < premises[0]->outcome->second)
      label.kind = label.kind == NodeKind::Use ? NodeKind::Acq : NodeKind::NCall;
    std::vector<State> children;
    for (std::size_t i = 0; i < dpn::rank(label.kind); ++i) children.push_back(*premises[i]->states[number]);
    const auto targets = observer->targets(label, children);
    return {targets.begin(), targets.end()};
  }

  [[nodiscard]] bool accepting(const Fact& fact) const {
    for (std::size_t i = 0; i < fact.states.size(); ++i)
      if (!table_.observers[i].second->accepting(*fact.states[i])) return false;
    return fact.goals == table_.goals && !has_need(fact.waits) && !table_.conceded.contains(fact.collected) &&
           fact.collected.size() == (problem_.collect ? problem_.collect->among.size() : 0);
  }

  [[nodiscard]] std::string text(const Context& context) const {
    std::string text = describe(network_, context.head) + " in phase " + std::to_string(context.phase + 1);
    for (dpn::Lock lock : context.held) text += ", holding " + std::string{network_.locks().name(lock)};
    return text;
  }
  [[nodiscard]] std::string text(const Fact& fact) const {
    std::string text = fact.outcome
                           ? "[returns to " + std::string{network_.control_states().name(fact.outcome->first)} +
                                 " in phase " + std::to_string(fact.outcome->second + 1)
                           : "[stands";
    for (std::size_t i = 0; i < 64; ++i)
      if (fact.goals >> i & 1) text += ", meets goal " + std::to_string(i + 1);
    for (dpn::StackSymbol top : fact.collected) text += ", collects " + std::string{network_.stack_symbols().name(top)};
    for (std::size_t i = 0; i < fact.states.size(); ++i)
      if (fact.states[i]) text += ", observed as " + table_.observers[i].second->state_name(*fact.states[i]);
    for (const auto& [kind, pair, group] : fact.waits)
      text += std::string{", waits "} + kind + (kind == 'F' ? "" : std::to_string(pair + 1)) +
              (group ? " " + std::string{network_.groups().name(*group)} : "");
    return text + elements(table_.structures[fact.structure]) + "]";
  }
  // As in the file: docs/certificates.md.
  [[nodiscard]] std::string elements(const Structure& structure) const {
    std::string text;
    const auto element = [&](char kind, std::optional<PhaseIndex> phase) -> std::string& {
      return text += std::string{", "} + kind + (phase ? std::to_string(*phase + 1) : "");
    };
    const auto name = [&](dpn::Lock lock) { return " " + std::string{network_.locks().name(lock)}; };
    for (const auto& [kind, phase, x, y] : structure.locks) element(kind, phase) += name(x) + (y ? name(*y) : "");
    for (const auto& [group, members] : structure.started) {
      const std::string of = " " + std::string{network_.groups().name(group)};
      element('E', members.end) += of;
      for (const auto& [phase, lock] : members.uses) element('P', phase) += of + name(lock);
    }
    for (const auto& [group, first] : structure.first) {
      const std::string of = " " + std::string{network_.groups().name(group)};
      element(first.joined_in ? 'J' : 'F', first.joined_in) += of;
      for (dpn::Lock lock : first.released) element('Q', std::nullopt) += of + name(lock);
    }
    if (structure.offspring) element('O', structure.offspring);
    return text;
  }
  [[nodiscard]] std::string place() const {
    const auto* rule = std::get_if<dpn::RuleId>(&node_.what);
    return "at " + text(*context_) + (rule ? ", rule " + dpn::to_text(network_, network_.rule(*rule)) : "");
  }

  const dpn::Network& network_;
  const problem::Problem& problem_;
  Table& table_;                   // only its structures become more
  bool counts_offspring_ = false;  // some thread is a member together with all that it starts
  // The rule instances under way: the context that they conclude about, its facts, and the node at the root.
  const Context* context_ = nullptr;
  const Facts* facts_ = nullptr;
  dpn::NodeLabel node_{NodeKind::Nil, network_.initial()};
};

}  // namespace

std::optional<std::string> flaw(const dpn::Network& network, const problem::Problem& problem, Table& table) {
  try {
    Checker{network, problem, table}.check();
    return std::nullopt;
  } catch (Flaw& found) {
    return std::move(found.text);
  }
}

}  // namespace lockwood::verify
