"""Breaks the engines, the reductions and the verifier on purpose, in one place at a time, and tells which tests notice.

    mutants.py [--only TEXT] [--tests E1,K1,…] [--until-noticed] [--list] [--fits] [--jobs N]

Works on a copy of the sources, in build/mutants. Prints the rows of the tables in docs/testing.md; the exit status is 1 if a
mutant survives the quick tests or a change no longer fits the sources.
"""

import argparse
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COPY = os.path.join(ROOT, "build", "mutants")

# By their short names: the program, and the case; doctest would take a comma in its name for the end of that.
TESTS = {
    "E1": ("test_solver", "the engine and exhaustive exploration agree on random networks"),
    "E2": ("test_solver", "the engine and exhaustive exploration agree on programs with locks"),
    "E3": ("test_solver", "the engine gives every verdict that models/ expects"),
    "W1": ("test_solver", "facts that share a run reach the points that each reaches by itself"),
    "F1": ("test_frontier", "threads that share a frontier find the same facts in the same order"),
    "C1": ("test_certificate", "every verdict on random problems has a certificate or witnesses that are accepted"),
    "C2": ("test_certificate", "every verdict on programs that quarrel over locks has a certificate or witness that is accepted"),
    "C3": ("test_certificate", "every verdict that models/ expects has a certificate or witness that is accepted"),
    "R1": ("test_reduction", "verdicts and the sizes of witnesses are the same whatever is left out of the network"),
    "R2": ("test_reduction", "verdicts about programs are the same whatever is left out of them"),
    "R3": ("test_reduction", "a short way that is sometimes forbidden does not stand for a long one that is not"),
    "R4": ("test_reduction", "verdicts about single rules are the same whatever is left out"),
    "K1": ("test_combinations", "answers are the same with every combination of reductions*"),
    "D1": ("test_families", "verdicts are the same with structures one by one and in families"),
    "D2": ("test_families", "families of lock structures are joined and surrounded by monitors as each structure is"),
    "O1": ("test_brute_force", "answers to wide questions are those of brute force*"),
    "J1": ("test_joins_solved", "the engine and exhaustive exploration agree on models with joins*"),
    "J2": ("test_joins_solved", "the engine gives every verdict that models/joins expects*"),
    "C4": ("test_certificate", "every verdict on models with joins has a certificate or witness that is accepted"),
    "J3": ("test_joins_solved", "every operation on structures with groups is monotone"),
    "J4": ("test_joins_solved", "the structure of a tree with joins is consistent iff the theorem says that it has a schedule"),
    "M1": ("test_certificate", "a certificate without one of its contexts or facts*"),
    "M2": ("test_certificate", "whatever is accepted after a change of the certificate*"),
}

STRUCTURE, DOMAIN = "solver/locks/lock_structure.cpp", "solver/locks/lock_domain.cpp"
GRAMMAR, GRAMMAR_HEADER = "solver/engine/execution_grammar.cpp", "solver/engine/execution_grammar.hpp"
SATURATION = "solver/engine/saturation.hpp"
EXPLICIT, EXPLICIT_HEADER = "solver/engine/domains/explicit_locks.cpp", "solver/engine/domains/explicit_locks.hpp"
OBSERVATION = "solver/engine/observation.cpp"
GROUPS = "solver/locks/group_structure.cpp"
RELEVANCE, REDUCTION, OUTSIDE = "solver/reduction/relevance.cpp", "solver/reduction/reduction.cpp", "solver/engine/goals_reachable_outside.cpp"
SUMMARIES = "solver/reduction/procedure_summaries.cpp"
FAMILIES, SYMBOLIC = "solver/engine/domains/symbolic_structures.cpp", "solver/engine/domains/symbolic_locks.cpp"
CLOSURE, CHECKED = "verify/closure.cpp", "verify/structure.cpp"

# What is broken: the file, what stands there, and what stands there instead; perhaps more such changes.
MUTANTS = [
    ("the release graph R is dropped", STRUCTURE,
     "if (returned && !around.phases[*returned].release.relate(lock, body.own_uses)) return std::nullopt;", ""),
    ("cycles of the release graph are not noticed in joins", STRUCTURE,
     "|| !phase.release.relate(other.release)) return std::nullopt;",
     ") return std::nullopt;\n    (void)phase.release.relate(other.release);"),
    ("the acquisition graph G is dropped", STRUCTURE,
     "if (!phase.acquisition.relate(lock, body.phases[entered].used)) return std::nullopt;", ""),
    ("cycles of the acquisition graph are not noticed in joins", STRUCTURE,
     "if (!phase.acquisition.relate(other.acquisition) ||", "(void)phase.acquisition.relate(other.acquisition);\n    if ("),
    ("H ∩ U is not looked at in joins", STRUCTURE, "if (phase.held.intersects(phase.used)) return std::nullopt;", ""),
    ("H is forgotten: locks are not held throughout phases", STRUCTURE, "around.phases[i].held.insert(lock);", ""),
    ("A ∩ A' is not looked at in joins", STRUCTURE, "if (phase.acquired.intersects(other.acquired)) return std::nullopt;", ""),
    ("an acquisition does not put x into A", STRUCTURE, "phase.acquired.insert(lock);\n", "\n"),
    ("a use does not put x into U", STRUCTURE, "phase.used.insert(lock);\n    around", "around"),
    ("own uses are forgotten", STRUCTURE, "around.own_uses.insert(lock);", ""),
    ("graphs are not closed transitively", STRUCTURE,
     "if (row.related.contains(through.lock)) row.related.insert(through.related);", "(void)through, (void)row;"),
    ("subsumption does not look at U", STRUCTURE, "|| !a.used.subset_of(b.used) ", "",
     DOMAIN, "add_set(phase.used);", ""),
    ("subsumption does not look at the release graph", STRUCTURE, " || !a.release.subset_of(b.release)", "",
     DOMAIN, "add_order(phase.release);", ""),
    ("subsumption does not look at own uses", STRUCTURE,
     "if (!smaller.own_uses.subset_of(larger.own_uses)) return false;", "",
     DOMAIN, "add_set(structure.own_uses);", ""),
    ("subsumption looks at signatures only", "solver/locks/lock_domain.hpp",
     " &&\n            solver::subsumes(structure(smaller), structure(larger))", ""),
    ("fresh entries are taken for reentrant ones if any lock is held", GRAMMAR_HEADER,
     "if (held_locks(node.context).contains(*entry.lock)) return", "if (!held_locks(node.context).empty()) return"),
    ("reentrant entries are taken for fresh ones", GRAMMAR_HEADER,
     "if (held_locks(node.context).contains(*entry.lock)) return", "if (false) return"),
    ("a spawned thread inherits the locks of its parent", GRAMMAR,
     "const Context child{spawn.child, LockDomain::no_locks, context.phase, whole};",
     "const Context child{spawn.child, context.held, context.phase, whole};"),
    ("a spawned thread starts in the first phase", GRAMMAR,
     "const Context child{spawn.child, LockDomain::no_locks, context.phase, whole};",
     "const Context child{spawn.child, LockDomain::no_locks, 0, whole};"),
    ("subsumption does not look at goals", EXPLICIT_HEADER,
     "return dominates(fact.observation, other.observation) && locks_", "return locks_"),
    ("later bodies are not combined with earlier rests", SATURATION,
     "deriving.with_partners(*rest, {}, [&](const Item& after) { deriving.derive(complete, item, after); });",
     "(void)complete;"),
    ("facts of one frontier are not combined with each other", EXPLICIT_HEADER,
     "partners == Partners::All ? FactId{facts_.size()} : fact, derived_}",
     "partners == Partners::All ? FactId{facts_.size()} : FactId{fact.index() == 0 ? 0 : fact.index() - 1}, derived_}"),
    ("of a frontier, a fact that is covered by a later one does not tell its outcome", EXPLICIT,
     "if (announcement.first_of_its_outcome) return false;", ""),
    ("what one thread cannot derive from its piece of a frontier is forgotten", SATURATION,
     "const Dependent dependent = dependents_[domain_.context_of(announcement.item)][dependent_number];\n"
     "      propagate(dependent, announcement.item, announcement.first_of_its_outcome, Partners::UpToNow);",
     "(void)dependent_number;"),
    ("own uses of the body are kept when the rest returns in a later phase", EXPLICIT_HEADER,
     "same_phase ? OwnUses::OfBoth : OwnUses::OfRight", "(void(same_phase), OwnUses::OfBoth)"),
    ("an acquisition does not put x into U", STRUCTURE, "phase.used.insert(lock);\n  for", "for"),
    ("own uses of the body are not joined with those of the rest", STRUCTURE,
     "if (own_uses == OwnUses::OfBoth) joined.own_uses.insert(left.own_uses);", "(void)own_uses;"),
    ("own uses of spawned threads are taken for the thread's", EXPLICIT_HEADER,
     "const auto both = locks.join(*thread, right.locks, OwnUses::OfRight, right.outcome.returned_in());",
     "const auto both = locks.join(*thread, right.locks, OwnUses::OfBoth, right.outcome.returned_in());",
     DOMAIN, "return *join(thread, empty, OwnUses::OfRight);", "return *join(thread, empty, OwnUses::OfBoth);",
     DOMAIN, "return known_join(thread, empty, OwnUses::OfRight);", "return known_join(thread, empty, OwnUses::OfBoth);"),
    ("threads may be in earlier phases", GRAMMAR, "if (context.phase == last_phase()) {\n    productions", "{\n    productions",
     GRAMMAR, "  } else {\n    const Context next", "  }\n  if (context.phase != last_phase()) {\n    const Context next"),
    ("avoided actions are avoided in the first phase only", GRAMMAR,
     "if (!avoided_[context.phase][network_.rule(rule).action])",
     "if (context.phase > 0 || !avoided_[context.phase][network_.rule(rule).action])"),
    ("subsumption does not look at the acquisition graph", STRUCTURE, "!a.acquisition.subset_of(b.acquisition) || ", "",
     DOMAIN, "add_order(phase.acquisition);", ""),
    ("a thread meets all goals of a phase at once", OBSERVATION, "with.goals = joined(with.goals, rest & (~rest + 1));",
     "with.goals |= whole_classes(goals);"),
    ("equal goals that two groups of threads meet are not added up", OBSERVATION,
     "const int met = std::popcount(a & members) + std::popcount(b & members);",
     "const int met = std::max(std::popcount(a & members), std::popcount(b & members));"),
    ("one thread counts for two of several equal goals", OBSERVATION,
     "const int met = std::popcount(a & members) + std::popcount(b & members);",
     "const int met = std::popcount(a & members) + std::popcount(b & members) + (((a | b) & members) != 0 ? 1 : 0);"),
    ("returns do not fire", OBSERVATION, ".goals = fired(rule, phase), .collected", ".goals = 0, .collected"),
    ("data flow: trees in which different actions were done are put together", OBSERVATION,
     "return two_actions || two_threads ?", "(void)two_actions;\n    return two_threads ?"),
    ("data flow: it is told which action was done in any phase", OBSERVATION,
     "if (distinguished_ != phase || fired(rule, phase) == 0) return 0;", "if (!distinguished_ || goals_of(rule) == 0) return 0;"),
    ("later children are not combined with earlier parents", SATURATION,
     "[&](const Item& parent) { deriving.derive(node, item, parent); }", "[](const Item&) {}"),
    ("reduction: places where a goal can be met are passed by", REDUCTION,
     "if (place.begin == place.end || relevance_.observed[place.head.top]) return false;",
     "if (place.begin == place.end) return false;"),
    ("reduction: the ways that are put together weigh nothing", REDUCTION,
     "way = {passed.exit, sum_of_weights(way.weight, passed.weight), way.limited || passed.limited};",
     "way = {passed.exit, way.weight, way.limited || passed.limited};"),
    ("reduction: a short way that is sometimes forbidden stands for all", REDUCTION,
     "if (!best || (best_way->limited && unlimited)) return;", "if (!best) return;\n  (void)unlimited;"),
    ("reduction: diagrams drop facts that lack a goal, whatever is outside", SYMBOLIC,
     "(observation.goals | (*goals_reachable_outside_)[grammar_[context].head.top]) != algebra_.all_goals()",
     "grammar_[context].phase > 0 && observation.goals != algebra_.all_goals()"),
    ("reduction: no thread that is spawned moves", REDUCTION,
     "if (reductions_.spawns && !relevance_.active[spawn->child.top] &&", "if (reductions_.spawns &&"),
    ("reduction: procedures are inert though actions in them are required", RELEVANCE,
     "if (extraordinary || result_.everything) add_busy(rule.from.top);", "if (result_.everything) add_busy(rule.from.top);"),
    ("reduction: locks that spawned threads take are left out, too", RELEVANCE,
     "return !none && contended[lock] && respected(lock);", "return !none && !contended[lock] && respected(lock);"),
    ("reduction: a region that is entered because that is required need not be left", RELEVANCE,
     "entry->lock && result_.locks[*entry->lock] && matters(rule, entry->callee);",
     "entry->lock && result_.locks[*entry->lock] && result_.active[entry->callee.top];"),
    ("reduction: a region that is entered because that is required holds no lock", RELEVANCE,
     "for_its_own_sake = matters(rule, monitor->callee) ||", "for_its_own_sake = result_.active[monitor->callee.top] ||"),
    # Each rule of the fixed points behind what is left out, dropped once.
    ("relevance: locks that a goal asks to be held are left out", RELEVANCE,
     "if (goal.holding) add_lock(*goal.holding);", ""),
    ("relevance: locks that a goal asks to be wanted are left out", RELEVANCE,
     "if (goal.wanting) add_lock(*goal.wanting);", ""),
    ("relevance: regions in which a goal can be met need no lock", RELEVANCE,
     "for_its_own_sake = matters(rule, monitor->callee) || (several_phases && extraordinary);",
     "for_its_own_sake = several_phases && extraordinary;"),
    ("relevance: regions whose entry is not allowed in all phases need no lock", RELEVANCE,
     "matters(rule, monitor->callee) || (several_phases && extraordinary);", "matters(rule, monitor->callee);"),
    ("relevance: regions with something in them that cannot be moved need no lock", RELEVANCE,
     "if (may_constrain(at->second)) add_lock(at->second);", "(void)at;"),
    ("relevance: entries of locks that matter are not busy", RELEVANCE,
     "for (StackSymbol symbol : monitors_on[lock]) add_busy(symbol);", "(void)lock;"),
    ("relevance: what leads to busy places is not busy", RELEVANCE, "flow_.for_each_before(symbol, add_busy);", ""),
    ("relevance: the loop ends when there is no new busy place", RELEVANCE,
     "while (!new_locks.empty() || !new_busy.empty()) {", "while (!new_busy.empty()) {"),
    ("relevance: places of required actions are not active", RELEVANCE,
     "if (result_.required[rule.action] || (!reductions_.spawns &&", "if ((!reductions_.spawns &&"),
    ("relevance: regions that matter need not be left", RELEVANCE,
     "if (region || result_.active[entry->return_point]) mark(entry->callee.top);",
     "(void)region;\n        if (result_.active[entry->return_point]) mark(entry->callee.top);"),
    ("relevance: frames before active return points need not be left", RELEVANCE,
     "if (region || result_.active[entry->return_point]) mark(entry->callee.top);", "if (region) mark(entry->callee.top);"),
    ("relevance: after a step, a frame need not be left", RELEVANCE, "mark(to->top);", "(void)to;"),
    ("relevance: after a spawn, a frame need not be left", RELEVANCE, "mark(spawn->parent.top);", "(void)spawn;"),
    ("relevance: after a call, a frame need not be left", RELEVANCE,
     "mark(entry->return_point);\n          mark(entry->callee.top);", "mark(entry->callee.top);"),
    ("relevance: a call in a frame that must be left need not return", RELEVANCE,
     "mark(entry->return_point);\n          mark(entry->callee.top);", "mark(entry->return_point);"),
    ("reduction: regions of locks left out are calls, whatever the phases", REDUCTION,
     "const bool must = reductions_.locks && entry.lock && several_phases_;", "const bool must = false;"),
    ("reduction: calls of what is not inert become steps", REDUCTION,
     "!lock_of(entry) && relevance_.inert(entry.callee.top) &&", "!lock_of(entry) && !relevance_.active[entry.callee.top] &&"),
    ("reduction: required steps to what nobody wants are dropped", REDUCTION,
     "if (!required && !relevance_.wanted(to.top)) return;", "if (!relevance_.wanted(to.top)) return;"),
    ("reduction: required returns are dropped", REDUCTION,
     "if (required || relevance_.returning[rule.from.top])", "if (relevance_.returning[rule.from.top])"),
    ("summaries: steps do not return", SUMMARIES, "listen(base->to, {number, id, false, {}});", ""),
    ("summaries: spawns do not return", SUMMARIES, "listen(spawn->parent, {number, id, false, {}});", ""),
    ("summaries: calls do not return", SUMMARIES, "listen(entry->callee, {number, id, true, {}});", ""),
    ("summaries: who comes later does not hear of earlier returns", SUMMARIES,
     "for (SummarizedReturn id : known) deliver(listener, id);", ""),
    ("summaries: a rule that is not allowed in all phases limits nothing", SUMMARIES,
     "bool limited = limited_[rule.action] || found.limited;", "bool limited = found.limited;"),
    ("summaries: a body that is not allowed in all phases limits nothing", SUMMARIES,
     "limited = limited || returns_[*listener.body].limited;", ""),
    ("summaries: a light return that is limited stands for a heavy one that is not", SUMMARIES,
     "returns_[id].to == found.to && (found.limited || !returns_[id].limited);", "returns_[id].to == found.to;"),
    ("reduction: what the spawning thread can meet is not outside the new one", OUTSIDE,
     "spreading.add(spawn->child.top, before | inside[spawn->parent.top]);", "spreading.add(spawn->child.top, before);"),
    ("diagrams: what is used inside an acquisition does not come after it", FAMILIES,
     "around = relate(std::move(around), {Part::After, entered}, lock);", ""),
    ("diagrams: cycles of three locks are not noticed", FAMILIES,
     "for (const Order& order : orders) family = closed(std::move(family), order);", ""),
    ("diagrams: a lock that is held throughout a phase may be used in it", FAMILIES,
     "if (kind == Part::Held) exclude(element, part(Part::Used, phase, lock));", "",
     FAMILIES, "around = table_.lacking(around, part(Part::Used, i, lock));", ""),
    ("diagrams: own uses are not forgotten when a thread is seen from outside", FAMILIES,
     "return table_.remove(structures, vanishing_);", "return structures;"),
    ("diagrams: news are not combined with what partners announced, but for bodies", "solver/engine/domains/symbolic_locks.hpp",
     "if (!wanted || cells_[cell].outcome == *wanted) use(", "if (wanted && cells_[cell].outcome == *wanted) use("),
    ("diagrams: what another observation dominates is dropped whatever its locks", SYMBOLIC,
     "structures = table.without_supersets(structures, cells_[other].known);", "structures = table.none();"),
    ("joins: members need not have ended", STRUCTURE,
     "if (members.last_end > phase) return false;  // not ended by then", ""),
    ("joins: a lock may be used by a member that is started and joined in its region", STRUCTURE,
     "if (around.own_uses.contains(lock)) return std::nullopt;", ""),
    ("joins: what joined members use is not used before later releases", STRUCTURE,
     "if (returned == phase) joined.own_uses.insert(used);", ""),
    ("joins: what members use is not before releases after the join, in regions that they were not started in", STRUCTURE,
     "if (first.joined == returned) first.released.insert(lock);", ""),
    ("joins: the same where fork and join meet", STRUCTURE,
     "acyclic = acyclic && joined.phases[phase].release.relate(lock, used);", "(void)lock;"),
    ("joins: offspring need not have ended", STRUCTURE, "members.last_end = *groups.offspring_end;", ""),
    ("joins: offspring use nothing", STRUCTURE,
     "for (PhaseIndex i = phase; i < members.uses.size(); ++i) members.uses[i] = thread.phases[i].used;", ""),
    ("joins: members use nothing", STRUCTURE, "members.uses[*end] = thread.own_uses;", "(void)end;"),
    ("joins: groups are not forgotten", STRUCTURE, "if (!next->joined) continue;  // forgotten",
     "if (!next->joined) {\n      both.left.push_back(members);\n      continue;\n    }"),
    ("joins: a handle that is assigned keeps its old thread", STRUCTURE,
     "if (membership.replace) groups.first.push_back({membership.group, std::nullopt, {}});", ""),
    ("joins: groups that are opened are the caller's", STRUCTURE, "std::erase_if(result.groups.left, opened);", "",
     STRUCTURE, "std::erase_if(result.groups.first, opened);", "(void)opened;"),
    ("joins: what happens to a group later hides what happens first", STRUCTURE,
     "if (left.first_of(next.group) == nullptr) both.first.push_back(next);",
     "if (left.first_of(next.group) == nullptr || next.joined) {\n"
     "      std::erase_if(both.first, [&](const auto& each) { return each.group == next.group; });\n"
     "      both.first.push_back(next);\n    }"),
    ("joins: subsumption does not look at what happens first to a group", GROUPS,
     "if (!subsumes(&each, larger.first_of(each.group))) return false;", "(void)each;",
     GROUPS, "if (smaller.first_of(each.group) == nullptr && !subsumes(nullptr, &each)) return false;", "(void)each;"),
    ("joins: subsumption does not look at when members end", GROUPS,
     "if (each.last_end > std::max(other == nullptr ? 0 : other->last_end, static_cast<EndPhase>(returned))) return false;",
     ""),
    ("joins: subsumption does not look at what members use", GROUPS,
     "if (!each.uses[i].subset_of(allowed)) return false;", "(void)allowed;"),
    ("joins: an earlier join is as good as a later one", GROUPS,
     "return *smaller->joined > *larger->joined;  // waits longer", "return true;"),
    ("joins: who stands behind a join has not joined", "solver/engine/domains/explicit_locks.hpp",
     "structure = locks.join_groups(domain.grammar_.network(), *node.rule, context.phase, below.locks);",
     "if (outcome.has_returned())\n        structure = locks.join_groups(domain.grammar_.network(), *node.rule, "
     "context.phase, below.locks);"),
    ("reduction: locks that are only used are left out of models with groups", RELEVANCE,
     "if (groups != GroupUse::None) reductions.locks = false;", ""),
    ("reduction: offspring of members need not move", RELEVANCE,
     "if (groups == GroupUse::Offspring) reductions.spawns = false;", ""),
    ("reduction: members need not end", RELEVANCE,
     "if (starts_member(rule)) mark(std::get<dpn::Spawn>(rule.effect).child.top);", ""),
    ("reduction: members that meet no goal are not started", REDUCTION,
     " && spawn->memberships.empty())\n      return step", ")\n      return step"),
    ("reduction: procedures with joins are steps", RELEVANCE,
     "if (dpn::concerns_groups(rule) || starts_member(rule)) add_busy(rule.from.top);", ""),
    ("the verifier does not look whether a fact is accepting", CLOSURE,
     "return fact.goals == table_.goals &&",
     "return fact.goals > table_.goals &&"),
    ("the verifier does not look whether the table is closed", CLOSURE,
     'throw Flaw{flaw + ": no fact covers " + text(conclusion)};', "(void)flaw;"),
    ("the verifier takes a context that is not there for one without facts", CLOSURE,
     'if (at == table_.contexts.end()) throw Flaw{place() + ": the table lacks the context " + text(context)};',
     "static const Facts none;\n    if (at == table_.contexts.end()) return none;"),
    ("the verifier does not compare locks", CHECKED,
     " || !std::ranges::includes(large.locks, small.locks)) return false;", ") return false;",
     CHECKED, "if (rows_[smaller].second & ~rows_[larger].second) return false;", ""),
    ("the verifier compares only some bits of locks", CHECKED,
     " || !std::ranges::includes(large.locks, small.locks)) return false;", ") return false;"),
    ("the verifier does not compare goals", CLOSURE, "!(conclusion.goals & ~at->goals) &&", ""),
    ("the verifier drops the release graph", CHECKED,
     "if (kind == 'M' && phase == end) around.locks.insert({'R', end, lock, x});", ""),
    ("the verifier lets members end after they are joined", CHECKED, "if (members.end > joined_in) return false;", ""),
    ("the verifier lets members use the lock that is held around their join", CHECKED,
     "if (!around.locks.insert({'M', entered, lock}).second) return std::nullopt;", "around.locks.insert({'M', entered, lock});"),
    ("the verifier forgets what joined members use", CHECKED,
     "if (returns_in == joined_in) locks.insert({'M', joined_in, used});", ""),
    ("the verifier forgets that members use what is released after their join", CHECKED,
     "for (dpn::Lock released : join.released) locks.insert({'R', joined_in, released, used});", ""),
]


def copy_sources():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for path in filter(None, listed.split("\0")):
        target = os.path.join(COPY, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(target, "rb").read() != open(os.path.join(ROOT, path), "rb").read():
            shutil.copyfile(os.path.join(ROOT, path), target)


def change(path, before, after, name):
    """Replaces a part of a file of the copy, and returns what the file was."""
    file = os.path.join(COPY, path)
    with open(file, encoding="utf-8") as source:
        text = source.read()
    if text.count(before) != 1:
        sys.exit(f"{path} has changed: '{name}' does not fit it any more")
    with open(file, "w", encoding="utf-8") as source:
        source.write(text.replace(before, after))
    return text


def build(tests, jobs):
    programs = sorted({program for program, _ in tests.values()})
    return subprocess.run(["cmake", "--build", "build/release", "--parallel", str(jobs), "--target", *programs], cwd=COPY,
                          capture_output=True, text=True)


def cases(test):
    """How many cases that is: one, unless the name is wrong."""
    program, name = test
    counted = subprocess.run([os.path.join("build/release/tests/solver", program), f"--test-case={name}", "--count"], cwd=COPY,
                             check=True, capture_output=True, text=True).stdout
    return int(counted.rsplit(":", 1)[1])


def killers(tests, jobs, until_noticed=False):
    """The short names of the tests that fail; of the first one, if no more are asked for."""
    if until_noticed:
        return next(([short] for short in tests if killers({short: tests[short]}, 1)), [])
    processes = []
    failed = set()
    for short, (program, name) in tests.items():
        command = [os.path.join("build/release/tests/solver", program), f"--test-case={name}", "--abort-after=1", "--no-breaks"]
        processes.append((short, subprocess.Popen(command, cwd=COPY, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)))
        while len(processes) >= jobs:
            failed |= waited(processes.pop(0))
    for running in processes:
        failed |= waited(running)
    return sorted(failed)


def waited(running):
    short, process = running
    try:
        return {short} if process.wait(timeout=120) != 0 else set()
    except subprocess.TimeoutExpired:  # an engine that does not end is noticed, too
        process.kill()
        process.wait()
        return {short}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="only mutants whose description has this text")
    parser.add_argument("--tests", default=",".join(TESTS), help="only these tests, by their short names")
    parser.add_argument("--until-noticed", action="store_true", help="of each mutant, stop at the first test that notices")
    parser.add_argument("--list", action="store_true", help="only tell which there are")
    parser.add_argument("--fits", action="store_true", help="only look whether they fit the sources")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    chosen = [mutant for mutant in MUTANTS if arguments.only in mutant[0]]
    if arguments.list:
        print("\n".join(name for name, *_ in chosen))
        return 0
    if arguments.fits:
        odd = [(path, name) for name, *changes in chosen for path, before in zip(changes[::3], changes[1::3])
               if open(os.path.join(ROOT, path), encoding="utf-8").read().count(before) != 1]
        print("\n".join(f"{path} has changed: '{name}' does not fit it any more" for path, name in odd) or "all fit")
        return 1 if odd else 0
    tests = {short: TESTS[short] for short in arguments.tests.split(",")}
    copy_sources()
    # Each source by itself, so that a mutant costs as little as possible.
    subprocess.run(["cmake", "--preset", "release", "--log-level=WARNING", "-DLOCKWOOD_WERROR=OFF", "-DLOCKWOOD_UNITY=OFF"],
                   cwd=COPY, check=True, stdout=subprocess.DEVNULL)
    healthy = build(tests, arguments.jobs)
    if healthy.returncode == 0 and any(cases(test) != 1 for test in tests.values()):
        sys.exit("no such test: " + ", ".join(short for short, test in tests.items() if cases(test) != 1))
    if healthy.returncode != 0 or killers(tests, arguments.jobs):
        sys.exit("the tests fail without any mutant\n" + healthy.stdout[-2000:])
    survivors = 0
    print("| mutant | killed by |\n|---|---|", flush=True)
    for name, *changes in chosen:
        originals = {}
        try:
            for path, before, after in zip(changes[::3], changes[1::3], changes[2::3]):
                originals.setdefault(path, change(path, before, after, name))
            built = build(tests, arguments.jobs)
            if built.returncode != 0:
                sys.exit(f"'{name}' does not compile\n" + built.stdout[-2000:])
            noticed = killers(tests, arguments.jobs, arguments.until_noticed)
        finally:
            for path, text in originals.items():
                with open(os.path.join(COPY, path), "w", encoding="utf-8") as source:
                    source.write(text)
        survivors += not noticed
        print(f"| {name} | {', '.join(noticed) or '**nobody**'} |", flush=True)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
