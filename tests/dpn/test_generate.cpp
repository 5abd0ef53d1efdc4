#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/ids/random.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/generate.hpp"
#include "dpn/generators/generate_application.hpp"
#include "dpn/generators/generate_program.hpp"
#include "dpn/generators/random_query.hpp"
#include "dpn/model/statistics.hpp"
#include "dpn/semantics/small_step.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

ModelFile made(std::string_view family, std::vector<ParameterValue> values) {
  return generate(family_named(family), values);
}

std::string refusal(std::string_view family, std::vector<ParameterValue> values) {
  try {
    (void)made(family, std::move(values));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::size_t count(const Network& network, RuleKind kind) {
  return static_cast<std::size_t>(
      std::ranges::count_if(network.rules(), [kind](const Rule& rule) { return rule.kind() == kind; }));
}

}  // namespace

TEST_CASE("the same seed gives the same model everywhere") {
  const ModelFile model = made("random-small", {{"rules", 4}, {"queries", 1}, {"stacks", 3}, {"seed", 1}});
  CHECK(to_dpn(model.network, model.queries) ==
        "dpn {\n"
        "  initial (p0, g0)\n"
        "  rules {\n"
        "    (p0, g0) -- a1 --> (p0, g2)\n"
        "    (p1, g1) -- a2 --> (p1, g1, g1)\n"
        "    (p0, g0) -- a2 - x1 --> (p1, g2, g1)\n"
        "    (p1, g0) -- a1 - x0 --> (p0, g0, g2)\n"
        "  }\n"
        "}\n\n"
        "iterate {g0, g1} and {g1} requiring {a2}, {g0, g2, g1}, {g1} avoiding {a1}\n");
}

TEST_CASE("generated models read back as they are, without warnings, and their symbols need no lists") {
  for (const Family& family : families()) {
    CAPTURE(family.name);
    const ModelFile model = generate(family, {});
    const std::string text = to_dpn(model.network, model.queries);
    const ModelFile read = parse_dpn(text, "m.dpn");
    CHECK(read.network == model.network);
    CHECK(read.queries == model.queries);
    CHECK(read.warnings.empty());
    CHECK_FALSE(model.queries.empty());
    const bool lists_stacks = text.find("stacks {") != std::string::npos;
    CHECK(lists_stacks == (family.name == "philosophers"));  // which has labels
    CHECK(to_dpn(generate(family, {}).network, {}) == to_dpn(model.network, {}));
  }
}

TEST_CASE("families are made within the bounds of their parameters") {
  for (const Family& family : families())
    for (const Parameter& parameter : family.parameters) {
      CAPTURE(family.name);
      CAPTURE(parameter.name);
      CHECK(parameter.minimum <= parameter.initial);
      CHECK(parameter.initial <= parameter.maximum);
      if (parameter.minimum > 0)
        CHECK(refusal(family.name, {{std::string{parameter.name}, parameter.minimum - 1}}).find("is between") !=
              std::string::npos);
      // The fewest rules may be too few for what else is asked for.
      if ((family.name != "program" && family.name != "application") || parameter.name != "rules")
        CHECK(refusal(family.name, {{std::string{parameter.name}, parameter.minimum}}) == "accepted");
    }
}

TEST_CASE("wrong parameters are refused with a hint") {
  CHECK(refusal("philosopher", {}).find("did you mean 'philosophers'?") != std::string::npos);
  CHECK(refusal("philosophers", {{"ordred", 1}}).find("did you mean 'ordered'?") != std::string::npos);
  CHECK(refusal("philosophers", {{"n", 3}, {"n", 4}}).find("given twice") != std::string::npos);
  CHECK(refusal("program", {{"rules", 100}, {"procedures", 50}}).find("at least 8 rules") != std::string::npos);
  CHECK(refusal("program", {{"rules", 100}, {"procedures", 2}, {"spawns", 20}}).find("at least 8 rules") !=
        std::string::npos);
}

TEST_CASE("a program-like model has the shape that was asked for") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random{seed};
    ProgramShape shape{.procedures = 1 + random.below(12), .seed = seed};
    shape.rules = 8 * shape.procedures + random.below(200);
    shape.spawns = random.below(shape.rules / 8 + 1);
    shape.locks = random.below(4);
    shape.nesting = random.below(5);
    shape.variables = random.below(3);
    CAPTURE(seed);
    const ModelFile model = generate_program(shape);
    CHECK(model.network.rules().size() == shape.rules);
    CHECK(count(model.network, RuleKind::Spawn) == shape.spawns);
    CHECK(model.network.locks().size() <= shape.locks);
  }
}

TEST_CASE("all positions of a program-like model are reachable by running one thread at a time") {
  // Without locks the threads do not matter to each other; with locks, a thread that runs alone is never blocked.
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ModelFile model =
        generate_program({.procedures = 4, .rules = 80, .locks = 2, .nesting = 3, .spawns = 3, .seed = seed});
    CAPTURE(seed);
    const Network& network = model.network;
    // A position is reachable if it follows a reachable one; a return point, if also the callee's exit is, which always
    // is, since calls come to an end: every procedure has its exit in the closure below.
    std::set<StackSymbol> reached{network.initial().top};
    std::vector<StackSymbol> work{network.initial().top};
    const auto reach = [&](StackSymbol position) {
      if (reached.insert(position).second) work.push_back(position);
    };
    while (!work.empty()) {
      const StackSymbol position = work.back();
      work.pop_back();
      for (RuleId id : network.rules_at(position)) {
        const Rule& rule = network.rule(id);
        if (const auto* base = std::get_if<Base>(&rule.effect)) reach(base->to.top);
        if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) reach(spawn->parent.top), reach(spawn->child.top);
        if (const auto entry = entry_of(rule)) reach(entry->callee.top), reach(entry->return_point);
      }
    }
    CHECK(reached.size() == network.stack_symbols().size());
  }
}

TEST_CASE("a model like an application has the shape that was asked for, and all its procedures are used") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random{seed};
    ApplicationShape shape{.locks = random.below(12),
                           .depth = 1 + random.below(5),
                           .threads = random.below(5),
                           .variables = random.below(3),
                           .seed = seed};
    shape.rules = least_rules(shape) + random.below(400);
    CAPTURE(seed);
    const ModelFile model = generate_application(shape);
    CHECK(model.network.rules().size() == shape.rules);
    CHECK(model.network.locks().size() == shape.locks);
    CHECK(count(model.network, RuleKind::Spawn) == shape.threads);
    const Statistics numbers = statistics(model.network);
    CHECK(numbers.reachable_heads == numbers.heads);
    CHECK(model.queries.size() == 8);
  }
}

TEST_CASE("a program-like model of a million rules is made in seconds [full]") {
  const ModelFile model =
      made("program", {{"rules", 1'000'000}, {"procedures", 20'000}, {"locks", 200}, {"spawns", 500}});
  CHECK(model.network.rules().size() == 1'000'000);
  CHECK(model.network.locks().size() == 200);
  CHECK(count(model.network, RuleKind::Monitor) > 10'000);
  CHECK(count(model.network, RuleKind::Call) > 100'000);
  CHECK(parse_dpn(to_dpn(model.network, model.queries), "m.dpn").network == model.network);
}

TEST_CASE("random queries fit their network and their form") {
  const ModelFile model = made("random-small", {{"queries", 0}});
  std::set<QueryForm> forms;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Query query = random_query(model.network, {}, seed);
    CAPTURE(to_text(model.network, query));
    forms.insert(query.form);
    CHECK(query.steps.size() <= 3);
    const std::string text = to_dpn(model.network, std::vector{query});
    CHECK(parse_dpn(text, "m.dpn").queries == std::vector{query});
    CHECK(random_query(model.network, {}, seed) == query);
  }
  CHECK(forms.size() == 3);
}
