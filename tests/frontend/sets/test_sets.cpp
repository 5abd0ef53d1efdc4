#include <doctest/doctest.h>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <regex>
#include <set>

#include "base/ids/random.hpp"
#include "base/process/text_file.hpp"
#include "dpn/formats/model_file.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/semantics/configuration.hpp"
#include "dpn/semantics/small_step.hpp"
#include "dpn/trees/schedule.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "frontend/sets/asking.hpp"
#include "frontend/sets/engine_shape.hpp"
#include "frontend/sets/evaluator.hpp"
#include "frontend/sets/property_automata.hpp"
#include "tests/frontend/sets/run_script.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "treeauto/automaton/automaton_builder.hpp"
#include "treeauto/counting/enumerate.hpp"
#include "treeauto/formats/timbuk.hpp"
#include "treeauto/operations/emptiness.hpp"
#include "treeauto/operations/membership.hpp"

// The sets that expressions mean: both ways to compute them, and the semantics as their judge.

using namespace lockwood;
using namespace lockwood::sets;
using sets::testing::line_of;
using sets::testing::run_script;

namespace {

dpn::Network small_network(std::uint64_t seed) {
  return dpn::random_network(seed, {.controls = 2, .stacks = 5, .locks = 2, .actions = 3, .rules = 7});
}

// A pattern of stacks as the language writes it, and as std::regex does, with a letter for each symbol.
struct TwoPatterns {
  std::string ours;
  std::string theirs;
};
TwoPatterns random_pattern(const dpn::Network& network, Random& random, std::size_t depth = 3) {
  const auto symbol = [&] { return dpn::StackSymbol{random.below(network.stack_symbols().size())}; };
  const auto name = [&](dpn::StackSymbol each) { return '"' + std::string{network.stack_symbols().name(each)} + '"'; };
  const auto letter = [](dpn::StackSymbol each) { return static_cast<char>('a' + each.index()); };
  switch (depth == 0 ? random.below(3) : random.below(8)) {
    case 0: return {".", "."};
    case 1: {
      const dpn::StackSymbol each = symbol();
      return {name(each), {letter(each)}};
    }
    case 2: {
      const dpn::StackSymbol one = symbol();
      const dpn::StackSymbol other = symbol();
      const bool others = random.below(2) == 0;
      return {fmt::format("{}{{{}, {}}}", others ? "~" : "", name(one), name(other)),
              fmt::format("[{}{}{}]", others ? "^" : "", letter(one), letter(other))};
    }
    case 3: {
      const TwoPatterns inner = random_pattern(network, random, depth - 1);
      const char times = "*+?"[random.below(3)];
      return {fmt::format("({}){}", inner.ours, times), fmt::format("({}){}", inner.theirs, times)};
    }
    case 4: {
      const TwoPatterns left = random_pattern(network, random, depth - 1);
      const TwoPatterns right = random_pattern(network, random, depth - 1);
      return {fmt::format("({} | {})", left.ours, right.ours), fmt::format("({}|{})", left.theirs, right.theirs)};
    }
    default: {
      const TwoPatterns left = random_pattern(network, random, depth - 1);
      const TwoPatterns right = random_pattern(network, random, depth - 1);
      return {left.ours + ' ' + right.ours, left.theirs + right.theirs};
    }
  }
}

// A file that lasts as long as this does.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_{std::filesystem::temp_directory_path() / fmt::format("lockwood-{}-{}.tmb", ::getpid(), number_++)} {
    write_text_file(path_.string(), text);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  static inline std::size_t number_ = 0;
  std::filesystem::path path_;
};

SetPtr set_of(const dpn::Network& network, const std::string& text) {
  Evaluator evaluator{{}, Way::Automatic, {}};
  evaluator.set_model(std::make_shared<const Model>(network));
  const Script script = parse_script(text, "set");
  return std::get<SetPtr>(evaluator.evaluate(*std::get<Show>(script.statements.at(0).what).value, script.source));
}

// Random expressions, as text, over the symbols of a network. Files that they name last as long as this does.
class Expressions {
 public:
  Expressions(const dpn::Network& network, std::uint64_t seed) : network_{network}, random_{seed} {}

  // Of the engine's shape.
  std::string shape() {
    const std::string semantics = random_.below(4) == 0 ? ", nolocks" : "";
    std::string set = random_.below(6) == 0 ? property() : "init";
    const std::size_t phases = random_.below(8) == 0 ? 3 : random_.below(3);
    for (std::size_t i = 0; i < phases; ++i) {
      if (i > 0 || random_.below(8) == 0) set += properties();
      if (random_.below(6) == 0) set = "reduce(" + set + ")";
      set = "post*(" + set + semantics + restriction() + ")";
    }
    return set + properties();
  }
  std::string property() {
    switch (random_.below(6)) {
      case 0: return "thread(/" + random_pattern(network_, random_, 2).ours + "/)";
      case 1: {
        // Of another property: what its automaton accepts has it.
        const SetPtr set = set_of(network_, simple_property());
        files_.push_back(std::make_unique<TemporaryFile>(
            treeauto::to_timbuk(property_automaton(*set->model, std::get<Property>(set->what), {}))));
        return "automaton \"" + files_.back()->path() + '"';
      }
      default: return simple_property();
    }
  }
  // One that has_property knows.
  std::string simple_property() {
    switch (random_.below(9)) {
      case 8:
        return "stand(" + list(network_.stack_symbols()) + ", " + list(network_.stack_symbols()) + ", " +
               list(network_.stack_symbols()) + ")";
      case 0:
      case 1: return "stand(" + list(network_.stack_symbols()) + ")";
      case 2: return "stand(" + list(network_.stack_symbols()) + ", " + list(network_.stack_symbols()) + ")";
      case 3: return "fired(" + list(network_.actions()) + ")";
      case 4: return fmt::format("threads >= {}", 1 + random_.below(3));
      case 5: return fmt::format("depth >= {}", 1 + random_.below(3));
      default:
        if (network_.locks().size() == 0) return "stand(" + list(network_.stack_symbols()) + ")";
        return fmt::format("{}(\"{}\")", random_.below(2) == 0 ? "holding" : "wanting", one(network_.locks()));
    }
  }

 private:
  template <class Vocabulary>
  std::string one(const Vocabulary& vocabulary) {
    using Key = std::decay_t<decltype(*vocabulary.keys().begin())>;
    return std::string{vocabulary.name(Key{random_.below(vocabulary.size())})};
  }
  template <class Vocabulary>
  std::string list(const Vocabulary& vocabulary) {
    std::string text;
    for (std::size_t left = 1 + random_.below(2); left > 0; --left) text += '"' + one(vocabulary) + "\" ";
    return '{' + text + '}';
  }
  std::string properties() {
    std::string text;
    for (std::size_t left = random_.below(3); left > 0; --left) text += " & " + property();
    return text;
  }
  std::string restriction() {
    switch (random_.below(3)) {
      case 0: return ", avoiding " + list(network_.actions());
      case 1: return ", only " + list(network_.actions());
      default: return "";
    }
  }

  const dpn::Network& network_;
  Random random_;
  std::vector<std::unique_ptr<TemporaryFile>> files_;
};

dpn::Configuration configuration_of(const dpn::Network& network, const dpn::Schedule& schedule) {
  dpn::Configuration configuration = dpn::initial_configuration(network);
  for (dpn::Move move : schedule.moves) dpn::apply(network, configuration, move);
  return configuration;
}

// The definition of the property, by what the execution does.
bool has_property(const dpn::Network& network, const dpn::Schedule& schedule, const Property& property) {
  const dpn::Configuration configuration = configuration_of(network, schedule);
  const auto some_thread = [&](auto&& condition) {
    return std::ranges::any_of(configuration.threads,
                               [&](const dpn::Thread& thread) { return !thread.ended() && condition(thread); });
  };
  if (const auto* standing = std::get_if<Standing>(&property)) {
    // Different threads for the sets: all ways to choose them.
    std::vector<std::vector<bool>> taken{std::vector<bool>(configuration.threads.size())};
    for (const auto& places : standing->places) {
      std::vector<std::vector<bool>> next;
      for (const auto& before : taken)
        for (dpn::ThreadId id : configuration.threads.keys()) {
          const dpn::Thread& thread = configuration.threads[id];
          if (before[id.index()] || thread.ended()) continue;
          if (std::ranges::find(places, thread.head().top) == places.end()) continue;
          next.push_back(before);
          next.back()[id.index()] = true;
        }
      taken = std::move(next);
    }
    return !taken.empty();
  }
  if (const auto* holding = std::get_if<Holding>(&property))
    return some_thread([&](const dpn::Thread& thread) { return dpn::hold_count(thread, holding->lock) > 0; });
  if (const auto* wanting = std::get_if<Wanting>(&property))
    return some_thread([&](const dpn::Thread& thread) {
      return dpn::hold_count(thread, wanting->lock) == 0 &&
             std::ranges::any_of(network.rules(), [&](const dpn::Rule& rule) {
               const auto* monitor = std::get_if<dpn::Monitor>(&rule.effect);
               return monitor != nullptr && monitor->lock == wanting->lock && rule.from == thread.head();
             });
    });
  if (const auto* fired = std::get_if<Fired>(&property))
    return std::ranges::any_of(schedule.moves, [&](dpn::Move move) {
      return std::ranges::find(fired->actions, network.rule(move.rule).action) != fired->actions.end();
    });
  if (const auto* count = std::get_if<ThreadCount>(&property)) return configuration.threads.size() >= count->least;
  const auto& depth = std::get<StackDepth>(property);
  return some_thread([&](const dpn::Thread& thread) { return thread.stack.size() >= depth.least; });
}

// The trees of the executions with at most so many moves, as terms: all interleavings that the semantics allows.
std::set<std::string> trees_by_definition(const Model& model, dpn::Semantics semantics, std::size_t moves) {
  std::set<std::string> found;
  std::vector<dpn::Move> made;
  const auto go_on = [&](const auto& self, const dpn::Configuration& configuration) -> void {
    found.insert(term_text(model, dpn::tree_of_execution(model.network, made)));
    if (made.size() == moves) return;
    for (dpn::Move move : dpn::enabled_moves(model.network, configuration, semantics)) {
      dpn::Configuration next = configuration;
      dpn::apply(model.network, next, move);
      made.push_back(move);
      self(self, next);
      made.pop_back();
    }
  };
  go_on(go_on, dpn::initial_configuration(model.network));
  return found;
}

// The same trees of the set, by its automaton.
std::set<std::string> trees_by_automaton(const SetPtr& set, std::size_t moves) {
  Automata automata{{}};
  std::set<std::string> found;
  treeauto::TreeEnumeration trees{automata.of(set)};  // by size: a move adds at most two nodes
  while (const auto tree = trees.next()) {
    if (tree->size() > 2 * moves + 1) break;
    const dpn::ExecutionTree execution = dpn::to_execution_tree(set->model->alphabet, *tree);
    const auto schedule = dpn::schedule_of(set->model->network, execution, dpn::Semantics::LockInsensitive);
    REQUIRE(schedule);
    if (schedule->moves.size() <= moves) found.insert(term_text(*set->model, execution));
  }
  return found;
}

// The definition of pre*: the trees, as terms, of the executions with at most so many moves that have a tree of `to`
// after further moves, none by an avoided action. All executions are made, and each is cut wherever it can be. Nothing
// if there are more than `most` executions.
std::optional<std::set<std::string>> predecessors_by_definition(const Model& model, dpn::Semantics semantics,
                                                                const std::set<std::string>& to,
                                                                const std::set<std::string>& avoided, std::size_t moves,
                                                                std::size_t most) {
  std::set<std::string> found;
  std::vector<dpn::Move> made;
  std::vector<std::string> trees;  // by the number of moves
  std::size_t executions = 0;
  const auto go_on = [&](const auto& self, const dpn::Configuration& configuration) -> void {
    if (++executions > most) return;
    trees.push_back(term_text(model, dpn::tree_of_execution(model.network, made)));
    if (to.contains(trees.back())) {
      for (std::size_t cut = made.size() + 1; cut-- > 0;) {
        if (cut < made.size()) {
          const dpn::Action action = model.network.rule(made[cut].rule).action;
          if (avoided.contains(std::string{model.network.actions().name(action)})) break;
        }
        found.insert(trees[cut]);
      }
    }
    if (made.size() < moves)
      for (dpn::Move move : dpn::enabled_moves(model.network, configuration, semantics)) {
        dpn::Configuration next = configuration;
        dpn::apply(model.network, next, move);
        made.push_back(move);
        self(self, next);
        made.pop_back();
      }
    trees.pop_back();
  };
  go_on(go_on, dpn::initial_configuration(model.network));
  if (executions > most) return std::nullopt;
  return found;
}

// The set of these trees.
SetPtr set_of_terms(const ModelPtr& model, const std::set<std::string>& terms) {
  treeauto::AutomatonBuilder builder{model->alphabet.symbols()};
  for (const std::string& term : terms)
    builder.set_final(treeauto::State{
        treeauto::evaluated<std::size_t>(treeauto::read_tree(term, model->alphabet.symbols()),
                                         [&](treeauto::Symbol symbol, std::span<const std::size_t> below) {
                                           std::vector<treeauto::State> children;
                                           for (std::size_t child : below) children.emplace_back(child);
                                           const treeauto::State state = builder.add_state();
                                           builder.add(symbol, children, state);
                                           return state.index();
                                         })});
  return make_set(model, Property{Accepted{std::move(builder).build()}});
}

// What the comparisons of pre* with its definition have met.
struct PredecessorCases {
  std::size_t empty = 0;
  std::size_t inhabited = 0;
  std::size_t proper = 0;      // inhabited, and less than all trees of executions with so many moves
  std::size_t restricted = 0;  // by the actions
  std::size_t hindered = 0;    // inhabited, and some other tree of an execution is kept from going on by locks
};

// pre* of some trees, chosen at random, is what the definition says.
void check_predecessors(const dpn::Network& network, std::uint64_t seed, std::size_t moves, PredecessorCases& cases) {
  constexpr std::size_t most = 20'000;
  using enum dpn::Semantics;
  CAPTURE(seed);
  CAPTURE(dpn::to_dpn(network, {}));
  const auto model = std::make_shared<const Model>(network);
  Random random{seed};
  const auto all = trees_by_definition(*model, LockInsensitive, moves);
  const auto reachable = trees_by_definition(*model, LockSensitive, moves);
  std::vector<std::string> choices{all.begin(), all.end()};
  if (reachable.size() < all.size() && random.below(3) == 0)  // of those that locks forbid
    std::erase_if(choices, [&](const std::string& tree) { return reachable.contains(tree); });
  std::set<std::string> to;
  for (std::size_t left = 1 + random.below(3); left > 0; --left) to.insert(choices[random.below(choices.size())]);
  std::set<std::string> avoided;
  std::string restriction;
  if (random.below(2) == 0) {
    avoided.emplace(network.actions().name(dpn::Action{random.below(network.actions().size())}));
    restriction = ", avoiding {\"" + *avoided.begin() + "\"}";
  }
  Evaluator evaluator{{}, Way::Automatic, {}};
  evaluator.set_model(model);
  evaluator.define("A", set_of_terms(model, to));
  const auto trees_of = [&](const std::string& text) {
    const Script script = parse_script(text, "set");
    const Value value = evaluator.evaluate(*std::get<Show>(script.statements.at(0).what).value, script.source);
    Automata automata{{}};
    treeauto::TreeEnumeration trees{automata.of(std::get<SetPtr>(value))};  // there are finitely many
    std::set<std::string> found;
    while (const auto tree = trees.next()) found.insert(to_text(*tree));
    return found;
  };
  const auto expected = predecessors_by_definition(*model, LockSensitive, to, avoided, moves, most);
  const auto without_locks = predecessors_by_definition(*model, LockInsensitive, to, avoided, moves, most);
  const auto unrestricted = predecessors_by_definition(*model, LockSensitive, to, {}, moves, most);
  if (!expected || !without_locks) return;
  CAPTURE(to.size());
  CAPTURE(*to.begin());
  CAPTURE(restriction);
  CHECK(trees_of("pre*(A" + restriction + ")") == *expected);
  CHECK(trees_of("pre*(A, nolocks" + restriction + ")") == *without_locks);
  ++(expected->empty() ? cases.empty : cases.inhabited);
  if (!expected->empty() && expected->size() < reachable.size()) ++cases.proper;
  if (expected != unrestricted) ++cases.restricted;
  if (std::ranges::any_of(*without_locks, [&](const std::string& tree) {
        return !expected->empty() && reachable.contains(tree) && !expected->contains(tree);
      }))
    ++cases.hindered;
}

// All rules over so many stack symbols, one control state, an action for each symbol, and one lock.
std::vector<dpn::Rule> all_rules(std::size_t symbols) {
  const dpn::ControlState only{0};
  std::vector<dpn::Rule> rules;
  const auto each_symbol = [&](auto&& use) {
    for (std::size_t i = 0; i < symbols; ++i) use(dpn::StackSymbol{i});
  };
  each_symbol([&](dpn::StackSymbol from) {
    const auto add = [&](const dpn::Effect& effect) {
      rules.push_back({{only, from}, dpn::Action{from.index()}, effect});
    };
    add(dpn::Return{only});
    each_symbol([&](dpn::StackSymbol first) {
      add(dpn::Base{{only, first}});
      each_symbol([&](dpn::StackSymbol second) {
        add(dpn::Call{{only, first}, second});
        add(dpn::Spawn{{only, first}, {only, second}});
        add(dpn::Monitor{{only, first}, second, dpn::Lock{0}});
      });
    });
  });
  return rules;
}

// Calls use(network) for the network with the chosen rules, and for each with more of the rules from the first on, up
// to `most` in all.
template <class Use>
void each_network(const std::vector<dpn::Rule>& rules, std::size_t first, std::vector<dpn::Rule>& chosen,
                  std::size_t most, Use&& use) {
  dpn::NetworkBuilder builder;
  const dpn::Head initial{builder.control("p"), builder.stack("a")};
  builder.stack("b");
  builder.action("f");
  builder.action("g");
  builder.lock("x");
  builder.initial(initial);
  for (const dpn::Rule& rule : chosen) builder.add(rule);
  use(std::move(builder).build());
  if (chosen.size() == most) return;
  for (std::size_t next = first; next < rules.size(); ++next) {
    chosen.push_back(rules[next]);
    each_network(rules, next + 1, chosen, most, use);
    chosen.pop_back();
  }
}

// All checks of the script hold for the network.
void check_propositions(const dpn::Network& network) {
  const auto run = run_script(network, read_text_file(LOCKWOOD_SOURCE_DIR "/docs/examples/propositions.lwq"));
  CHECK(run.problems.empty());
  std::size_t checks = 0;
  for (const Result& result : run.results)
    if (const auto* checked = std::get_if<Checked>(&result.what)) {
      CAPTURE(line_of(result));
      CAPTURE(checked->because);
      CHECK(checked->outcome == Outcome::Holds);
      ++checks;
    }
  CHECK(checks >= 20);
}

void check_propositions_on_random_networks(std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t seed = first; seed < end; ++seed) {
    CAPTURE(seed);
    check_propositions(dpn::random_network(seed, {.controls = 1, .stacks = 4, .locks = 2, .actions = 2, .rules = 6}));
  }
}

}  // namespace

TEST_CASE("a tree has a property iff the configuration that it leads to has it") {
  std::size_t with = 0;
  std::size_t without = 0;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    const dpn::Network network = small_network(seed);
    Expressions expressions{network, seed};
    const SetPtr set = set_of(network, expressions.simple_property());
    CAPTURE(seed);
    Automata automata{{}};
    treeauto::TreeEnumeration trees{automata.universe(set->model)};
    for (int i = 0; i < 150; ++i) {
      const auto tree = trees.next();
      if (!tree) break;
      const auto schedule = dpn::schedule_of(network, dpn::to_execution_tree(set->model->alphabet, *tree),
                                             dpn::Semantics::LockInsensitive);
      REQUIRE(schedule);
      const bool expected = has_property(network, *schedule, std::get<Property>(set->what));
      CAPTURE(to_text(*tree));
      CHECK(treeauto::accepts(automata.of(set), *tree) == expected);
      ++(expected ? with : without);
    }
  }
  CHECK(with > 1000);
  CHECK(without > 1000);
}

TEST_CASE("a pattern of stacks means what it means to std::regex") {
  std::size_t with = 0;
  std::size_t without = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const dpn::Network network = small_network(seed);
    Random random{seed};
    const TwoPatterns patterns = random_pattern(network, random);
    CAPTURE(seed);
    CAPTURE(patterns.ours);
    const SetPtr set = set_of(network, "thread(/" + patterns.ours + "/)");
    const std::regex definition{patterns.theirs};
    Automata automata{{}};
    treeauto::TreeEnumeration trees{automata.universe(set->model)};
    for (int i = 0; i < 100; ++i) {
      const auto tree = trees.next();
      if (!tree) break;
      const auto schedule = dpn::schedule_of(network, dpn::to_execution_tree(set->model->alphabet, *tree),
                                             dpn::Semantics::LockInsensitive);
      REQUIRE(schedule);
      const dpn::Configuration configuration = configuration_of(network, *schedule);
      const bool expected = std::ranges::any_of(configuration.threads, [&](const dpn::Thread& thread) {
        std::string word;
        for (const dpn::Frame& frame : thread.stack) word.push_back(static_cast<char>('a' + frame.symbol.index()));
        return !thread.ended() && std::regex_match(word, definition);
      });
      CAPTURE(to_text(*tree));
      CHECK(treeauto::accepts(automata.of(set), *tree) == expected);
      ++(expected ? with : without);
    }
  }
  CHECK(with > 1000);
  CHECK(without > 1000);
}

TEST_CASE("Props. 2 and 4: the trees of post* are those of the executions, on all networks with two rules") {
  std::size_t networks = 0;
  std::size_t restricted = 0;  // by the lock
  std::vector<dpn::Rule> chosen;
  each_network(all_rules(2), 0, chosen, 2, [&](const dpn::Network& network) {
    CAPTURE(dpn::to_dpn(network, {}));
    const std::size_t moves = 4;
    const SetPtr all = set_of(network, "post*(init, nolocks)");
    const SetPtr reachable = set_of(network, "post*(init)");
    const auto executed = trees_by_definition(*all->model, dpn::Semantics::LockSensitive, moves);
    const auto executed_without_locks = trees_by_definition(*all->model, dpn::Semantics::LockInsensitive, moves);
    CHECK(trees_by_automaton(all, moves) == executed_without_locks);
    CHECK(trees_by_automaton(reachable, moves) == executed);
    ++networks;
    if (executed != executed_without_locks) ++restricted;
  });
  CHECK(networks == 466);
  CHECK(restricted > 5);
}

TEST_CASE("Props. 2 and 4: the trees of post* are those of the executions, on random networks") {
  std::size_t restricted = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const dpn::Network network =
        dpn::random_network(seed, {.controls = 1, .stacks = 5, .locks = 2, .actions = 2, .rules = 9});
    CAPTURE(seed);
    const std::size_t moves = 5;
    const SetPtr reachable = set_of(network, "post*(init)");
    const auto executed = trees_by_definition(*reachable->model, dpn::Semantics::LockSensitive, moves);
    CHECK(trees_by_automaton(reachable, moves) == executed);
    if (executed != trees_by_definition(*reachable->model, dpn::Semantics::LockInsensitive, moves)) ++restricted;
  }
  CHECK(restricted > 5);
}

TEST_CASE("the tree that shows that two sets differ is in the set that is named, and not in the other one") {
  std::size_t left = 0;
  std::size_t right = 0;
  std::size_t same = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const dpn::Network network = small_network(seed);
    Expressions expressions{network, seed};
    const std::string a = expressions.simple_property();
    const std::string b = expressions.simple_property();
    CAPTURE(seed);
    const std::string sets = fmt::format("load \"m\"\nlet A = {}\nlet B = {} & post*(init, nolocks)\n", a, b);
    const auto run = run_script(network, sets + "check A == B\ncheck B == A");
    REQUIRE(run.results.size() == 3);
    for (std::size_t i = 1; i <= 2; ++i) {
      const auto& checked = std::get<Checked>(run.results[i].what);
      if (checked.outcome == Outcome::Holds) {
        ++same;
        continue;
      }
      const bool in_left = checked.sentence == "only in A";
      CHECK((in_left || checked.sentence == "only in B"));
      const auto members =
          run_script(network, fmt::format("{0}member(\"{1}\", A)\nmember(\"{1}\", B)", sets, checked.because));
      REQUIRE(members.results.size() == 3);
      CHECK(line_of(members.results[1]).ends_with(in_left ? ": true" : ": false"));
      CHECK(line_of(members.results[2]).ends_with(in_left ? ": false" : ": true"));
      CHECK(!checked.details.empty());
      ++(in_left ? left : right);
    }
  }
  CHECK(left > 40);
  CHECK(right > 40);
  CHECK(same > 4);
}

// Each node but a NIL is a move, so that trees with n nodes have at most n moves.
TEST_CASE("enumerate lists the trees of executions, smaller ones first, and count counts them") {
  std::size_t listed = 0;
  std::size_t cut_off = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const dpn::Network network =
        dpn::random_network(seed, {.controls = 1, .stacks = 5, .locks = 2, .actions = 2, .rules = 9});
    CAPTURE(seed);
    const std::size_t most = 5;
    const std::size_t least = 1 + seed % 3;
    const std::size_t limit = 1 + seed % 20;
    Evaluator evaluator{{}, Way::Automatic, {}};
    const auto model = std::make_shared<const Model>(network);
    evaluator.set_model(model);
    const auto value_of = [&](const std::string& text) {
      const Script script = parse_script(text, "script");
      return evaluator.evaluate(*std::get<Show>(script.statements.at(0).what).value, script.source);
    };
    std::set<std::string> expected;
    for (const std::string& term : trees_by_definition(*model, dpn::Semantics::LockSensitive, most))
      if (const std::size_t size = treeauto::read_tree(term, model->alphabet.symbols()).size();
          size >= least && size <= most)
        expected.insert(term);
    const auto trees =
        std::get<TreeList>(value_of(fmt::format("enumerate(post*(init), nodes = {}..{}, limit = 10000)", least, most)));
    std::set<std::string> found;
    for (const dpn::ExecutionTree& tree : trees.trees) found.insert(term_text(*model, tree));
    CHECK(found == expected);
    CHECK(trees.trees.size() == expected.size());
    CHECK(std::ranges::is_sorted(trees.trees, {}, [](const dpn::ExecutionTree& tree) { return tree.size(); }));
    CHECK(trees.all);
    CHECK(std::get<Number>(value_of(fmt::format("count(post*(init), nodes = {}..{})", least, most))) ==
          expected.size());
    const auto some = std::get<TreeList>(
        value_of(fmt::format("enumerate(post*(init), nodes = {}..{}, limit = {})", least, most, limit)));
    CHECK(some.trees.size() == std::min(limit, expected.size()));
    CHECK(some.all == (expected.size() <= limit));
    CHECK(std::equal(some.trees.begin(), some.trees.end(), trees.trees.begin()));
    listed += expected.size();
    if (!some.all) ++cut_off;
  }
  CHECK(listed > 300);
  CHECK(cut_off > 10);
}

TEST_CASE("pre* is what its definition says, on all networks with two rules") {
  PredecessorCases cases;
  std::vector<dpn::Rule> chosen;
  std::uint64_t seed = 0;
  each_network(all_rules(2), 0, chosen, 2,
               [&](const dpn::Network& network) { check_predecessors(network, seed++, 4, cases); });
  CHECK(cases.empty > 5);
  CHECK(cases.inhabited > 400);
  CHECK(cases.proper > 250);
  CHECK(cases.restricted > 50);
}

TEST_CASE("pre* is what its definition says, on random networks") {
  PredecessorCases cases;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    check_predecessors(dpn::random_network(seed, {.controls = 1, .stacks = 5, .locks = 2, .actions = 2, .rules = 9}),
                       seed, 5, cases);
  CHECK(cases.empty > 10);
  CHECK(cases.inhabited > 150);
  CHECK(cases.proper > 150);
  CHECK(cases.restricted > 40);
}

// The figures are about what locks forbid after a cut: to get out of a lock, and to use one that is kept.
TEST_CASE("pre* is what its definition says, where locks are in the way") {
  PredecessorCases cases;
  for (const char* name : {"fig1", "fig2-deadlock", "fig3-held", "fig3-release", "reentrant", "spawned-in-call"})
    for (std::uint64_t seed = 0; seed < 12; ++seed)
      check_predecessors(dpn::load_model(fmt::format("{}/models/{}.dpn", LOCKWOOD_SOURCE_DIR, name)).network, seed, 10,
                         cases);
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    check_predecessors(dpn::lock_program(seed, {.threads = 2, .locks = 2, .statements = 2, .nesting = 2}), seed, 9,
                       cases);
  CHECK(cases.empty > 20);
  CHECK(cases.inhabited > 80);
  CHECK(cases.proper > 80);
  CHECK(cases.restricted > 20);
  CHECK(cases.hindered > 20);
}

TEST_CASE("what post* goes on to from a set is what pre* comes from") {
  std::size_t empty = 0;
  std::size_t inhabited = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const dpn::Network network = small_network(seed);
    Expressions expressions{network, seed};
    const std::string from = expressions.simple_property();
    const std::string to = expressions.simple_property();
    CAPTURE(seed);
    CAPTURE(from);
    CAPTURE(to);
    CAPTURE(dpn::to_dpn(network, {}));
    for (const char* how : {"", ", nolocks", ", avoiding {a0}"}) {
      const SetPtr forward = set_of(network, fmt::format("post*({}{}) & {}", from, how, to));
      const SetPtr backward = set_of(network, fmt::format("pre*({}{}) & {}", to, how, from));
      Automata automata{{.states = 1000, .stop = {}}};
      try {
        const bool none = is_empty(question_about(forward, Way::Automatic, {}), automata);
        CHECK(is_empty(question_about(backward, Way::Automata, {}), automata) == none);
        ++(none ? empty : inhabited);
      } catch (const Interrupted&) {  // it would take long
      }
    }
  }
  CHECK(empty > 60);
  CHECK(inhabited > 30);
}

TEST_CASE("the engine and automata give the same answers to the same questions") {
  std::size_t empty = 0;
  std::size_t inhabited = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const dpn::Network network = small_network(seed);
    Expressions expressions{network, seed};
    const std::string text = expressions.shape();
    CAPTURE(seed);
    CAPTURE(text);
    CAPTURE(dpn::to_dpn(network, {}));
    const SetPtr set = set_of(network, text);
    const auto shape = engine_shape(set, {});
    REQUIRE(std::holds_alternative<EngineShape>(shape));
    Automata automata{{.states = 1000, .stop = {}}};
    const Question to_engine = question_about(set, Way::Automatic, {});
    const Question to_automata = question_about(set, Way::Automata, {});
    const auto by_engine = some_tree(to_engine, automata);
    std::optional<FoundTree> by_automata;
    try {
      by_automata = some_tree(to_automata, automata);
    } catch (const Interrupted&) {  // it would take long
      continue;
    }
    REQUIRE(by_engine.has_value() == by_automata.has_value());
    CHECK(is_empty(to_engine, automata) == !by_automata.has_value());
    CHECK(is_empty(to_automata, automata) == !by_automata.has_value());
    if (by_engine) CHECK(treeauto::accepts(automata.of(set), dpn::to_tree(set->model->alphabet, by_engine->tree)));
    if (by_automata) {
      const std::size_t fewest = treeauto::TreeEnumeration{automata.of(set)}.next()->size();
      CHECK(by_automata->tree.size() == fewest);
      CHECK(by_automata->smallest);
      CHECK(by_engine->smallest == (by_engine->tree.size() == fewest));
    }
    ++(by_automata ? inhabited : empty);
  }
  CHECK(empty > 50);
  CHECK(inhabited > 50);
}

TEST_CASE("the engine and automata give the same answers about what can go on to a set") {
  std::size_t empty = 0;
  std::size_t inhabited = 0;
  std::size_t earlier = 0;  // of them: the engine's tree is not in the set that is led to
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const dpn::Network network = small_network(seed);
    Expressions expressions{network, seed};
    Random random{seed};
    const std::string how = random.below(4) == 0 ? ", nolocks" : random.below(2) == 0 ? ", avoiding {a0}" : "";
    std::string to = expressions.property();
    if (random.below(3) == 0) to += " & post*(init" + std::string{how == ", nolocks" ? how : ""} + ")";
    if (random.below(4) == 0) to += fmt::format(" & pre*({}{})", expressions.property(), how == ", nolocks" ? how : "");
    std::string text = fmt::format("pre*({}{})", to, how);
    if (random.below(2) == 0) text += " & " + expressions.property();
    if (random.below(3) == 0) text = fmt::format("post*(init & {}{}) & {}", expressions.property(), how, text);
    if (random.below(6) == 0) text += " & init";
    CAPTURE(seed);
    CAPTURE(text);
    CAPTURE(dpn::to_dpn(network, {}));
    const SetPtr set = set_of(network, text);
    const auto shape = engine_shape(set, {});
    if (std::holds_alternative<NoShape>(shape)) {
      CHECK(text.ends_with(" & init"));  // with a chain of post* besides
      continue;
    }
    Automata automata{{.states = 1000, .stop = {}}};
    const Question to_engine = question_about(set, Way::Automatic, {});
    try {
      const bool none = treeauto::is_empty(automata.of(set));
      const auto by_engine = some_tree(to_engine, automata);
      REQUIRE(by_engine.has_value() == !none);
      CHECK(is_empty(to_engine, automata) == none);
      if (by_engine) {
        const treeauto::Tree tree = dpn::to_tree(set->model->alphabet, by_engine->tree);
        CHECK(treeauto::accepts(automata.of(set), tree));
        CHECK(!by_engine->smallest);
        const SetPtr reached = std::get<Predecessors>(set_of(network, fmt::format("pre*({}{})", to, how))->what).to;
        if (!treeauto::accepts(automata.of(reached), tree)) ++earlier;
      }
      ++(none ? empty : inhabited);
    } catch (const Interrupted&) {  // it would take long
    }
  }
  CHECK(empty > 50);
  CHECK(inhabited > 50);
  CHECK(earlier > 10);
}

TEST_CASE("observers for large bounds are small where little can be counted") {
  const auto size_of = [](const char* name, const Property& property) {
    const Model model{dpn::load_model(fmt::format("{}/models/{}.dpn", LOCKWOOD_SOURCE_DIR, name)).network};
    return property_automaton(model, property, {}).transition_count();
  };
  // At most two threads, and at most two symbols on a stack.
  CHECK(size_of("fig1", ThreadCount{64}) == 0);
  CHECK(size_of("fig1", StackDepth{64}) == 0);
  CHECK(size_of("fig1", ThreadCount{2}) > 0);
  // Threads without end, by one rule; recursion without end, by one call.
  CHECK(size_of("unbounded-spawn", ThreadCount{64}) < 3 * 64 * 64);
  CHECK(size_of("recursion", StackDepth{64}) < 2 * 64 * 64);
}

TEST_CASE("the propositions of the paper hold as equations of sets, on its models and on random ones") {
  for (const char* name :
       {"fig1", "fig2-deadlock", "fig3-held", "fig3-release", "recursion", "reentrant", "spawned-in-call"}) {
    CAPTURE(name);
    check_propositions(dpn::load_model(fmt::format("{}/models/{}.dpn", LOCKWOOD_SOURCE_DIR, name)).network);
  }
  check_propositions_on_random_networks(0, 5);
}

TEST_CASE("the propositions of the paper hold on networks with two rules") {
  std::size_t number = 0;
  std::vector<dpn::Rule> chosen;
  each_network(all_rules(2), 0, chosen, 2, [&](const dpn::Network& network) {
    if (number++ % 31 != 0) return;
    CAPTURE(dpn::to_dpn(network, {}));
    check_propositions(network);
  });
}

TEST_CASE("the propositions of the paper hold on all networks with two rules [full]") {
  std::vector<dpn::Rule> chosen;
  each_network(all_rules(2), 0, chosen, 2, [&](const dpn::Network& network) {
    CAPTURE(dpn::to_dpn(network, {}));
    check_propositions(network);
  });
}

TEST_CASE("the propositions of the paper hold on many random networks [full]") {
  check_propositions_on_random_networks(5, 60);
}
