#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "solver/engine/agenda.hpp"
#include "solver/engine/execution_grammar.hpp"
#include "solver/engine/fact.hpp"

// The heart of the engine: one saturation, many domains.
//
// **Idea.** The question is whether an execution tree exists at which something was seen and which can be scheduled. A
// node inherits its *context* from above, deterministically (docs/theory.md, Sect. 4: head, held locks, phase), and
// synthesises a *fact* for those above: how the tree ends for its own thread (its *outcome*), and whatever a *domain*
// wants to know about it: what was seen and a lock structure, a set of them, or nothing. So the trees are those of a
// tree grammar (execution_grammar.hpp), whose contexts are its nonterminals, and what is computed is the least table
// of facts that is closed under its productions. Bottom up alone, one would have to guess contexts; top down alone,
// outcomes. Here contexts flow down on request and facts flow up to those who asked, as in the evaluation of logic
// programs with magic sets:
//
//   1. `request_context` numbers a context. A new one goes to the worklist.
//   2. Expanding a context looks at its productions (docs/theory.md, Sect. 2 for the nodes, Sect. 4 for what becomes of
//      locks at each). Leaves, Stand and Return, are derived at once. Any other production requests the contexts of its
//      subtrees and *subscribes* to them: it becomes their *dependent*.
//   3. A fact that is derived is a candidate. The *agenda* says which candidates are looked at next. One that the
//   domain
//      does not find superfluous (*subsumption*, Sect. 4 "Antichains") becomes a fact, is announced, and is propagated
//      to the dependents of its context, each of which derives candidates from it, alone or paired with others.
//   4. What follows a call begins where the body returned to. So the rest of a call is requested when the first fact
//      with a new outcome of the body is announced, and not before (`await_rest`).
//
//   production    nodes           subtrees           pairs
//   Leaf          NIL, RET        none
//   Step          CUT, BASE       one
//                 JOIN, FORGET    one                (Sect. 10.5 for groups)
//   Entry         NCALL, ACQ      body, standing
//                 RCALL, USE      body, rest         facts of the body with one outcome × facts of the rest for it
//   Spawn         SPAWN           child, parent      facts of the child × facts of the parent
//
// **Order.** Nothing here depends on the agenda but the order. With the lightest first [knuth.77.generalization], all
// candidates of the least weight are announced together, before any of them is propagated; a node weighs something, so
// what is derived from them is heavier, and the first fact that answers has a lightest tree. Contexts that are
// requested meanwhile are expanded before the next batch.
//
// **Each pair is met once** (semi-naive evaluation). Let f and g be partners: facts of two contexts that one production
// pairs. Facts are announced one after the other; of the two, let g be announced last.
//   - When both contexts have their dependents by then: propagating f meets only partners that were announced before f
//     or with it, up to f (`Partners::UpToNow`), so not g; propagating g meets f, once.
//   - A dependent that comes later (`subscribe`) is shown the facts that are there, then and only then
//   (`Partners::All`):
//     an announcement counts the dependents that it was made to, so later ones do not get it again. Of the two
//     dependents of a spawn only the second is shown what is there, with all partners; the first one is new, too, and
//     would show the same pairs a second time. Of a call, the rest is shown all bodies, and the bodies are not shown to
//     anybody: the first fact of an outcome is not propagated but leads to `await_rest`.
//   - A fact that a later one of its own batch makes superfluous is not propagated, unless it is the first with its
//     outcome: somebody must hear of that.
//
// **Several threads** may share a large batch. They derive against tables that do not change. What cannot be derived so
// (a context must be requested, a result of the domain is not known yet) is *deferred*, and done afterwards in its
// place: the same candidates are added in the same order, whatever the number of threads.
//
// **Domains.** A domain is a class with
//
//   Item                                        what is announced and propagated: a fact, or one of its parts
//   context_of(item), outcome_of(item)
//   add_context()                               a context was requested
//   derive_leaf(node, outcome)
//   derive(item, partners, combine)             calls combine(deriving), where deriving has
//     derive(node, item)                          a node above one subtree
//     derive(node, left, right)                   a node above two
//     with_partners(context, outcome, use)        use(item) for announced items of a context; of that outcome, if given
//   show_announced(context, show, show_outcome) to a new dependent: show(item) for what was announced, or, if the
//                                               dependent is a body and the outcome is a return, show_outcome(outcome)
//   announce(batch, announcements)              candidates become facts; those that are to be propagated are added
//   superfluous(announcement)                   it need not be propagated after all
//   over()                                      nothing that is still to be done can matter
//   report_progress()
//
// A new kind of rule is a production of the grammar and an operation of each domain; a new property is a domain.
namespace lockwood::solver {

// Who uses the facts of a context, and for what.
struct Dependent {
  enum class Role : std::uint8_t { Below, Body, Rest, Child, Parent };
  Role role;
  Derivation::Step step;  // of the node to derive; Body: Enter, or Complete if the body has returned
  ContextId context;      // of the facts to derive
  std::optional<dpn::RuleId> rule;
  std::optional<ContextId> partner;     // Rest: the body; Child, Parent: each other
  std::optional<Outcome> body_outcome;  // Rest
};

// With which partners a fact is paired: with those that were announced up to now, which means no later than itself; or
// with all that are there, because nobody has seen this fact yet.
enum class Partners : std::uint8_t { UpToNow, All };

template <class Item>
struct Announcement {
  Item item;
  bool first_of_its_outcome;
  std::size_t dependents;  // of its context at that time; others are shown the fact when they come
};

// What threads derive for a domain that lets several of them work at the same time: Domain::Derived.
template <class Domain>
struct DerivedBy {
  struct Type {};
};
template <class Domain>
requires requires { typename Domain::Derived; }
struct DerivedBy<Domain> {
  using Type = typename Domain::Derived;
};

// Requested contexts are expanded with the newest first, or in their order.
enum class Expansion : std::uint8_t { NewestFirst, InOrder };

template <class Domain, class Agenda, Expansion expansion = Expansion::NewestFirst>
class Saturation {
 public:
  using Item = typename Domain::Item;
  using Role = Dependent::Role;
  using Step = Derivation::Step;

  // All must outlive it.
  Saturation(ExecutionGrammar& grammar, Domain& domain, Agenda& agenda)
      : grammar_{grammar}, domain_{domain}, agenda_{agenda} {}

  // Closes the table under all productions, or goes on until it is over.
  void close() {
    if (grammar_.size() == 0) (void)request_context(grammar_.root_context());
    expand_requested();
    while (!agenda_.empty() && !domain_.over()) {
      agenda_.take(batch_);
      announcements_.clear();
      domain_.announce(batch_, announcements_);
      for (Announcement<Item>& each : announcements_)
        each.dependents = dependents_[domain_.context_of(each.item)].size();
      propagate_announced();
      expand_requested();
    }
    assert(domain_.over() || (agenda_.empty() && expanded_ == requested_));
  }

  [[nodiscard]] const std::vector<Dependent>& dependents_of(ContextId context) const { return dependents_[context]; }

  // All that follows for the dependent from the item, alone or with the partners that `deriving` shows. False if the
  // context of partners was not requested yet.
  template <class Deriving>
  [[nodiscard]] bool combine(const Dependent& dependent, const Item& item, Deriving& deriving) const {
    const Node node{dependent.step, dependent.context, dependent.rule};
    switch (dependent.role) {
      case Role::Below: deriving.derive(node, item); return true;
      case Role::Body: {
        const Outcome outcome = domain_.outcome_of(item);
        if (!outcome.has_returned()) {
          deriving.derive(node, item);
          return true;
        }
        const auto rest = grammar_.find(grammar_.rest_of(dependent.context, *dependent.rule, outcome));
        if (!rest) return false;
        const Node complete{Step::Complete, dependent.context, dependent.rule};
        deriving.with_partners(*rest, {}, [&](const Item& after) { deriving.derive(complete, item, after); });
        return true;
      }
      case Role::Rest:
        deriving.with_partners(*dependent.partner, dependent.body_outcome,
                               [&](const Item& body) { deriving.derive(node, body, item); });
        return true;
      case Role::Child:
        deriving.with_partners(*dependent.partner, {},
                               [&](const Item& parent) { deriving.derive(node, item, parent); });
        return true;
      case Role::Parent:
        deriving.with_partners(*dependent.partner, {}, [&](const Item& child) { deriving.derive(node, child, item); });
        return true;
    }
    return true;
  }

 private:
  // --- contexts: downwards ---

  ContextId request_context(const Context& context) {
    const auto [id, is_new] = grammar_.request(context);
    if (is_new) {
      assert(id.index() == dependents_.size());
      dependents_.push_back({});
      domain_.add_context();
      ++requested_;
      if constexpr (expansion == Expansion::NewestFirst) worklist_.push_back(id);
    }
    return id;
  }

  void expand_requested() {
    while (expanded_ < requested_ && !domain_.over()) {
      ContextId next{expanded_};
      if constexpr (expansion == Expansion::NewestFirst) {
        next = worklist_.back();
        worklist_.pop_back();
      }
      ++expanded_;
      domain_.report_progress();
      expand(next);
    }
  }

  void expand(ContextId id) {
    grammar_.productions_of(id, productions_);
    for (std::size_t i = 0; i < productions_.size(); ++i) {
      const Production production = productions_[i];  // a copy: none is added meanwhile, but that is not obvious
      const auto& [shape, step, rule, outcome, first, second] = production;
      switch (shape) {
        case Production::Shape::Leaf: domain_.derive_leaf(Node{step, id, rule}, outcome); break;
        case Production::Shape::Step: subscribe(request_context(first), {Role::Below, step, id, rule, {}, {}}); break;
        case Production::Shape::Entry: subscribe(request_context(first), {Role::Body, step, id, rule, {}, {}}); break;
        case Production::Shape::Spawn: {
          const ContextId child = request_context(first);
          const ContextId parent = request_context(second);
          // Only the second of the two is shown the facts that are there already, so that no pair is made twice.
          dependents_[child].push_back({Role::Child, step, id, rule, parent, {}});
          subscribe(parent, {Role::Parent, step, id, rule, child, {}});
          break;
        }
      }
    }
  }

  // The dependent gets the facts that are there and all that will come.
  void subscribe(ContextId to, const Dependent& dependent) {
    dependents_[to].push_back(dependent);
    domain_.show_announced(
        to, dependent.role == Role::Body, [&](const Item& item) { propagate(dependent, item, false, Partners::All); },
        [&](Outcome outcome) { await_rest(dependent, to, outcome); });
  }

  // A body can return with this outcome, so what follows the call is requested.
  void await_rest(const Dependent& body, ContextId body_context, Outcome outcome) {
    assert(body.role == Role::Body && outcome.has_returned());
    const ContextId rest = request_context(grammar_.rest_of(body.context, *body.rule, outcome));
    subscribe(rest, {Role::Rest, Step::Complete, body.context, body.rule, body_context, outcome});
  }

  // --- facts: upwards ---

  void propagate(const Dependent& dependent, const Item& item, bool first_of_its_outcome, Partners partners) {
    if (first_of_its_outcome && awaits_rest(dependent, item))
      return await_rest(dependent, domain_.context_of(item), domain_.outcome_of(item));
    domain_.derive(item, partners, [&](auto& deriving) {
      const bool done = combine(dependent, item, deriving);
      assert(done);
      (void)done;
    });
  }
  [[nodiscard]] bool awaits_rest(const Dependent& dependent, const Item& item) const {
    return dependent.role == Role::Body && domain_.outcome_of(item).has_returned();
  }

  void propagate_announced() {
    if (domain_.over()) return;
    if constexpr (requires { typename Domain::Derived; }) {
      if (domain_.divided()) return propagate_in_chunks();
    }
    for (const Announcement<Item>& announcement : announcements_) {
      if (domain_.over()) return;
      if (domain_.superfluous(announcement)) continue;
      const ContextId context = domain_.context_of(announcement.item);
      for (std::size_t i = 0; i < announcement.dependents; ++i) {
        const Dependent dependent = dependents_[context][i];  // a copy: the list may grow and move
        propagate(dependent, announcement.item, announcement.first_of_its_outcome, Partners::UpToNow);
      }
    }
  }

  // --- the same by several threads ---

  using DomainChunk = Chunk<typename DerivedBy<Domain>::Type>;

  void propagate_in_chunks() {
    Division& division = domain_.division();
    const std::size_t size = division.chunk_size();
    const std::size_t count = (announcements_.size() + size - 1) / size;
    if (chunks_.size() < count) chunks_.resize(count);
    division.divide(count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        derive_chunk(i * size, std::min(announcements_.size(), (i + 1) * size), chunks_[i]);
    });
    for (std::size_t i = 0; i < count; ++i) finish(chunks_[i]);
  }

  void derive_chunk(std::size_t begin, std::size_t end, DomainChunk& chunk) const {
    for (std::size_t i = begin; i < end && !domain_.stopped(); ++i) {
      if (domain_.superfluous(announcements_[i])) continue;
      const auto& [item, first, dependents] = announcements_[i];
      for (std::size_t number = 0; number < dependents; ++number) {
        const Dependent& dependent = dependents_[domain_.context_of(item)][number];
        const auto before = chunk.derived.mark();
        const bool done = !(first && awaits_rest(dependent, item)) &&
                          domain_.derive_unchanging(item, chunk.derived, [&, &item = item](auto& deriving) {
                            return combine(dependent, item, deriving);
                          });
        if (done) continue;
        chunk.derived.undo_since(before);
        chunk.deferred.push_back({i, number, before.candidates});
      }
    }
  }

  void finish(DomainChunk& chunk) {
    std::size_t added = 0;
    domain_.count(chunk.derived);
    for (const auto& [number, dependent_number, before] : chunk.deferred) {
      if (domain_.over()) return;
      domain_.add_candidates(chunk.derived, added, before);
      added = before;
      const Announcement<Item> announcement = announcements_[number];
      const Dependent dependent = dependents_[domain_.context_of(announcement.item)][dependent_number];
      propagate(dependent, announcement.item, announcement.first_of_its_outcome, Partners::UpToNow);
    }
    domain_.add_candidates(chunk.derived, added, chunk.derived.candidates.size());
    chunk.derived.clear();
    chunk.deferred.clear();
  }

  ExecutionGrammar& grammar_;
  Domain& domain_;
  Agenda& agenda_;
  IdVector<ContextId, std::vector<Dependent>> dependents_;
  std::vector<ContextId> worklist_;  // requested and not yet expanded, if the newest comes first
  std::size_t requested_ = 0;
  std::size_t expanded_ = 0;
  typename Agenda::Batch batch_;
  std::vector<Announcement<Item>> announcements_;  // of the batch
  std::vector<Production> productions_;            // of the context that is being expanded
  std::vector<DomainChunk> chunks_;
};

}  // namespace lockwood::solver
