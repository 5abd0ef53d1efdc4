#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/ids/random.hpp"
#include "frontend/findings/analyses/def_use.hpp"
#include "frontend/findings/analyses/flow_ends.hpp"
#include "frontend/findings/analyses/flows.hpp"
#include "frontend/lw/parser.hpp"
#include "frontend/lw/printer.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "solver/analyses/deadlock.hpp"
#include "solver/analyses/mhp.hpp"
#include "tests/oracle/program/random_program.hpp"
#include "tests/oracle/solver/all_configurations.hpp"

// Edits that change a program's text but not what it can do.
namespace lockwood::lw {
namespace {

class Edits {
 public:
  Edits(SyntaxTree tree, std::uint64_t seed) : tree_{std::move(tree)}, random_{seed} {
    for (const Statement& statement : tree_.statements)
      for (NameId label : statement.labels) labels_.insert(label);
  }

  SyntaxTree split(std::size_t times) && {
    for (std::size_t i = 0; i < times; ++i) split_assignment();
    return std::move(tree_);
  }

  SyntaxTree run() && {
    for (std::size_t i = 0; i < 1 + random_.below(4); ++i) {
      switch (random_.below(5)) {
        case 0: rename(); break;
        case 1: reorder(); break;
        case 2: add_unreachable_code(); break;
        case 3: add_private_lock(); break;
        default: split_assignment(); break;
      }
    }
    return std::move(tree_);
  }

 private:
  NameId name(const std::string& text) { return tree_.names.push_back({text, {}}); }
  StatementId statement(StatementForm form) { return tree_.statements.push_back({{}, std::move(form), {}}); }
  ExpressionId expression(decltype(Expression::form) form) {
    return tree_.expressions.push_back({std::move(form), {}});
  }
  std::string fresh(const std::string& stem) { return stem + "_" + std::to_string(++fresh_); }

  void rename() {
    for (NameId id : tree_.names.keys())
      if (!labels_.contains(id) && tree_.names[id].text != "main") tree_.names[id].text += "_r";
  }

  void reorder() {
    auto& all = tree_.declarations;
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random_.below(i)]);
  }

  // A block of the procedure, chosen by walking down.
  Block& some_block(ProcedureDeclaration& procedure) {
    Block* block = &procedure.body;
    while (random_.percent(60)) {
      std::vector<Block*> inner;
      for (StatementId id : *block)
        for (Block* each : blocks_of(tree_.statements[id])) inner.push_back(each);
      if (inner.empty()) break;
      block = inner[random_.below(inner.size())];
    }
    return *block;
  }
  ProcedureDeclaration& some_procedure() {
    std::vector<ProcedureDeclaration*> all;
    for (Declaration& declaration : tree_.declarations)
      if (auto* procedure = std::get_if<ProcedureDeclaration>(&declaration)) all.push_back(procedure);
    return *all[random_.below(all.size())];
  }

  // A lock of the program, or a new one.
  std::string some_lock() {
    std::vector<std::string> known;
    for (const Declaration& declaration : tree_.declarations)
      if (const auto* locks = std::get_if<Locks>(&declaration))
        for (NameId lock : locks->names) known.push_back(tree_.names[lock].text);
    if (!known.empty() && random_.percent(80)) return known[random_.below(known.size())];
    const NameId lock = name(fresh("dead"));
    tree_.declarations.emplace_back(Locks{{lock}});
    return tree_.names[lock].text;
  }

  // Throwing, taking locks and waiting for them where control never gets to.
  void add_unreachable_code() {
    const std::string lock_text = some_lock();
    const StatementId wait = statement(WaitStatement{name(lock_text)});
    const StatementId inside = statement(ThrowStatement{});
    const StatementId sync = statement(SyncStatement{name(lock_text), {wait, inside}, {}});
    const ExpressionId never = expression(Truth{false});
    const StatementId dead = statement(IfStatement{{{never, {sync}}}, std::nullopt});
    ProcedureDeclaration& procedure = some_procedure();
    Block& block = some_block(procedure);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(random_.below(block.size() + 1)), dead);
  }

  // Around a statement of main, which only one thread runs.
  void add_private_lock() {
    const std::string lock = fresh("own");
    tree_.declarations.emplace_back(Locks{{name(lock)}});
    for (Declaration& declaration : tree_.declarations) {
      auto* procedure = std::get_if<ProcedureDeclaration>(&declaration);
      if (procedure == nullptr || tree_.names[procedure->name].text != "main") continue;
      Block& block = some_block(*procedure);
      if (block.empty()) return;
      StatementId& chosen = block[random_.below(block.size())];
      if (std::holds_alternative<DeclareLocals>(tree_.statements[chosen].form)) return;
      const StatementId inner = chosen;
      const NameId lock_name = name(lock);
      chosen = statement(SyncStatement{lock_name, {inner}, {}});
      return;
    }
  }

  // `l: x = e;` becomes `{ l: local t = e; x = t; }`; or `l: x = e + d;` becomes
  // `l: { local t = e; x = t + d; }`, since both parts read.
  void split_assignment() {
    std::vector<StatementId> candidates;
    for (StatementId id : tree_.statements.keys()) {
      const auto* assignment = std::get_if<Assignment>(&tree_.statements[id].form);
      if (assignment != nullptr && !assignment->op && tree_.names[assignment->target].text.starts_with("x"))
        candidates.push_back(id);
    }
    if (candidates.empty()) return;
    const StatementId chosen = candidates[random_.below(candidates.size())];
    const Assignment old = std::get<Assignment>(tree_.statements[chosen].form);
    const std::string temporary = fresh("t");
    const NameId declared = name(temporary);
    const NameId used = name(temporary);
    ExpressionId first_value = old.value;
    ExpressionId value = expression(NameUse{used});
    const auto* binary = std::get_if<Binary>(&tree_.expressions[old.value].form);
    if (binary != nullptr && binary->op == Operator::Add && random_.percent(50)) {
      first_value = binary->left;
      const ExpressionId sum = expression(Binary{Operator::Add, value, binary->right});
      value = sum;
    }
    const StatementId first = statement(DeclareLocals{Type::Int, {{declared, first_value}}});
    const StatementId second = statement(Assignment{old.target, std::nullopt, value});
    tree_.statements[chosen].form = BlockStatement{{first, second}};
    if (first_value == old.value) std::swap(tree_.statements[first].labels, tree_.statements[chosen].labels);
  }

  SyntaxTree tree_;
  Random random_;
  std::set<NameId> labels_;
  std::size_t fresh_ = 0;
};

// The labels at which threads can stand, and the pairs at which two can at the same time; and what is found, with names
// as they were before renaming.
struct Verdicts {
  std::set<std::string> labels;
  std::set<std::pair<std::string, std::string>> pairs;
  std::set<std::pair<std::string, std::string>> pairs_by_engine;
  std::set<std::string> races;
  std::set<std::string> deadlocks;
  std::set<std::string> values;  // definitions and the uses that they reach
  std::set<std::string> flows;
};

std::string original_name(std::string name) {
  while (name.ends_with("_r")) name.resize(name.size() - 2);
  return name;
}

std::string logical_name(const program::Program& program, const program::Access& access) {
  return original_name(program.procedures[access.procedure].name) + ' ' +
         original_name(program.variables[access.variable].name) +
         (access.kind == program::AccessKind::Write ? " written " : " read ") + std::to_string(access.ordinal);
}

std::set<std::string> deadlocks_of(const program::Program& program, const program::Lowered& lowered) {
  std::set<std::string> found;
  for (const solver::LockCycle& cycle : solver::find_deadlocks(lowered.network).cycles) {
    if (cycle.answer.verdict != dpn::Verdict::Reachable) continue;
    std::vector<std::string> names;
    for (dpn::Lock lock : cycle.shape.locks)
      names.push_back(original_name(program.locks[program::Lock{lock.index()}].name));
    std::rotate(names.begin(), std::ranges::min_element(names), names.end());
    std::string text;
    for (const std::string& each : names) text += each + ' ';
    found.insert(text);
  }
  return found;
}

// Takes a while.
void add_values(const program::Program& program, const program::Lowered& lowered, Verdicts& verdicts) {
  for (findings::AccessId definition : findings::definitions(lowered)) {
    const std::string from = logical_name(program, findings::access(lowered, definition));
    const findings::DefUseModel model{lowered, findings::access(lowered, definition).variable};
    for (const findings::ReachedUse& reached :
         findings::DefinitionQuestion{model, definition}.reached(dpn::Semantics::LockSensitive).uses) {
      const std::string to = logical_name(program, findings::access(lowered, reached.use));
      if (reached.by_same) verdicts.values.insert(from + " to " + to);
      if (reached.by_other) verdicts.values.insert(from + " to another's " + to);
    }
    for (std::size_t i = 0; i < lowered.accesses.size(); ++i) {
      const program::Access& use = lowered.accesses[i];
      if (use.kind != program::AccessKind::Read || use.before.empty()) continue;
      const auto answer =
          findings::find_flow(program, lowered, {findings::Source{definition}}, {findings::Sink{findings::AccessId{i}}},
                              {.max_transfers = 2, .max_chains = 10});
      if (answer.verdict != dpn::Verdict::Unreachable)
        verdicts.flows.insert(from + " to " + logical_name(program, use));
    }
  }
}

enum class WithValues { No, Yes };

std::optional<Verdicts> verdicts(const std::string& text, WithValues with_values) {
  const program::Program program = read_program(text, "p.lw").program;
  const program::Lowered lowered = program::lower(program);
  IdVector<dpn::StackSymbol, std::vector<std::string>> names(lowered.network.stack_symbols().size());
  for (const program::LoweredLabel& label : lowered.labels)
    for (dpn::StackSymbol symbol : label.symbols) names[symbol].push_back(label.name);
  const auto all = solver::reference::all_configurations(lowered.network, dpn::Semantics::LockSensitive, 10'000);
  if (!all) return std::nullopt;
  Verdicts found;
  const auto add_pairs = [&](dpn::StackSymbol a, dpn::StackSymbol b, auto& pairs) {
    for (const std::string& first : names[a])
      for (const std::string& second : names[b]) pairs.insert(std::minmax(first, second));
  };
  for (const dpn::Configuration& configuration : *all) {
    std::vector<dpn::StackSymbol> tops;
    for (const dpn::Thread& thread : configuration.threads)
      if (!thread.ended()) tops.push_back(thread.stack.back().symbol);
    for (std::size_t i = 0; i < tops.size(); ++i) {
      found.labels.insert(names[tops[i]].begin(), names[tops[i]].end());
      for (std::size_t k = i + 1; k < tops.size(); ++k) add_pairs(tops[i], tops[k], found.pairs);
    }
  }
  for (const auto& [first, second] : solver::parallel_pairs(lowered.network).pairs)
    add_pairs(first, second, found.pairs_by_engine);
  for (const findings::Conflict& race : findings::decide_all(lowered).racing)
    found.races.insert(std::min(logical_name(program, findings::access(lowered, race.first)),
                                logical_name(program, findings::access(lowered, race.second))) +
                       " and " +
                       std::max(logical_name(program, findings::access(lowered, race.first)),
                                logical_name(program, findings::access(lowered, race.second))));
  found.deadlocks = deadlocks_of(program, lowered);
  if (with_values == WithValues::Yes) add_values(program, lowered, found);
  return found;
}

TEST_CASE("harmless edits change no verdict") {
  std::size_t compared = 0;
  std::size_t with_pairs = 0;
  std::size_t with_races = 0;
  std::size_t with_deadlocks = 0;
  std::size_t with_flows = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const std::string text = random_program(seed, {.statements = 7});
    const WithValues with_values = seed % 4 == 0 ? WithValues::Yes : WithValues::No;
    const auto before = verdicts(text, with_values);
    if (!before) continue;
    const std::string edited = to_text(Edits{parse(text, "p.lw"), seed}.run());
    CAPTURE(seed);
    CAPTURE(text);
    CAPTURE(edited);
    const auto after = verdicts(edited, with_values);
    if (!after) continue;
    ++compared;
    if (!before->pairs.empty()) ++with_pairs;
    CHECK(before->labels == after->labels);
    CHECK(before->pairs == after->pairs);
    CHECK(before->pairs_by_engine == after->pairs_by_engine);
    CHECK(before->pairs == before->pairs_by_engine);
    if (!before->races.empty()) ++with_races;
    if (!before->deadlocks.empty()) ++with_deadlocks;
    if (!before->flows.empty()) ++with_flows;
    CHECK(before->races == after->races);
    CHECK(before->deadlocks == after->deadlocks);
    CHECK(before->values == after->values);
    CHECK(before->flows == after->flows);
  }
  CHECK(compared > 400);
  CHECK(with_pairs > 150);
  CHECK(with_races > 50);
  CHECK(with_deadlocks > 2);
  CHECK(with_flows > 5);
}

// Between labelled statements, what a value can do.
std::vector<dpn::Verdict> label_flows(const std::string& text,
                                      const std::vector<std::pair<std::string, std::string>>& pairs) {
  const program::Program program = read_program(text, "p.lw").program;
  const program::Lowered lowered = program::lower(program);
  const auto named = [&](const std::string& name) -> const program::LoweredLabel& {
    return *std::ranges::find(lowered.labels, name, &program::LoweredLabel::name);
  };
  std::vector<dpn::Verdict> found;
  for (const auto& [from, to] : pairs) {
    const auto sources = findings::flow_sources(program, lowered, named(from));
    const auto sinks = findings::flow_sinks(program, lowered, named(to));
    if (!sources || !sinks) {
      found.push_back(dpn::Verdict::Unknown);  // no statement that such a question is about
      continue;
    }
    const findings::FlowOptions options{.max_transfers = 3, .max_chains = 30};
    found.push_back(findings::find_flow(program, lowered, *sources, *sinks, options).verdict);
  }
  return found;
}

TEST_CASE("splitting statements changes no flow between labels") {
  std::size_t flows = 0;
  std::size_t none = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = random_carriers(seed);
    SyntaxTree tree = parse(text, "p.lw");
    std::vector<std::string> labels;  // of assignments that use something
    for (const Statement& statement : tree.statements) {
      const auto* assignment = std::get_if<Assignment>(&statement.form);
      if (assignment != nullptr && !std::holds_alternative<Number>(tree.expressions[assignment->value].form))
        for (NameId label : statement.labels) labels.push_back(tree.names[label].text);
    }
    if (labels.empty()) continue;
    Random random{seed};
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 0; i < 4; ++i)
      pairs.emplace_back(labels[random.below(labels.size())], labels[random.below(labels.size())]);
    const std::string edited = to_text(Edits{std::move(tree), seed}.split(4));
    CAPTURE(seed);
    CAPTURE(text);
    CAPTURE(edited);
    const auto before = label_flows(text, pairs);
    CHECK(before == label_flows(edited, pairs));
    flows += static_cast<std::size_t>(std::ranges::count(before, dpn::Verdict::Reachable));
    none += static_cast<std::size_t>(std::ranges::count(before, dpn::Verdict::Unreachable));
  }
  CHECK(flows > 40);
  CHECK(none > 60);
}

}  // namespace
}  // namespace lockwood::lw
