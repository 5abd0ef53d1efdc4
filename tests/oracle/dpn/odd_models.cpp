#include "tests/oracle/dpn/odd_models.hpp"

#include <string>

#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {

Network odd_network(std::mt19937_64& random) {
  static const std::vector<std::string> names{
      "a",        "b7_X",   "0",      "-12", "45",    "f(1,g(x))", "(1,2)", "()", "f(())",       "and",
      "avoiding", "Upper",  "x = 1;", "f(",  "",      "it's",      "a\\b",  "\"", "zeile\nzwei", "γ₀",
      "\x01",     "\u009B", "007",    "-0",  "f (1)", "a//b",      "/*",    "1a", "f(a)b",       "}"};
  NetworkBuilder builder;
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const auto name = [&]() -> const std::string& { return names[below(names.size())]; };
  const bool plain = below(3) == 0;  // only the control state 0
  for (std::size_t i = below(6); i > 0; --i) builder.stack(name());
  for (std::size_t i = below(3); i > 0; --i) builder.lock(name());
  const auto control = [&] { return builder.control(plain ? "0" : name()); };
  const auto head = [&] {
    const ControlState at = control();
    return Head{at, builder.stack(name())};
  };
  builder.initial(head());
  for (std::size_t i = below(12); i > 0; --i) {
    const Head from = head();
    const Action action = builder.action(name());
    switch (below(5)) {
      case 0: builder.add({from, action, Base{head()}}); break;
      case 1: builder.add({from, action, Call{head(), builder.stack(name())}}); break;
      case 2: builder.add({from, action, Return{control()}}); break;
      case 3: builder.add({from, action, Spawn{head(), head()}}); break;
      default: builder.add({from, action, Monitor{head(), builder.stack(name()), builder.lock(name())}}); break;
    }
  }
  const auto label_some = [&](const auto& vocabulary) {
    for (const auto key : vocabulary.keys())
      if (below(3) == 0) builder.label(key, name());
  };
  label_some(builder.symbols().controls);
  label_some(builder.symbols().stacks);
  label_some(builder.symbols().actions);
  label_some(builder.symbols().locks);
  return std::move(builder).build();
}

std::vector<Query> odd_queries(std::mt19937_64& random, const Network& network) {
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
  const auto some = [&]<class Key>(const Vocabulary<Key>& vocabulary) {
    std::vector<Key> set;
    for (std::size_t i = below(4); i > 0 && vocabulary.size() > 0; --i) set.push_back(Key{below(vocabulary.size())});
    return set;
  };
  std::vector<Query> queries(below(4));
  for (Query& query : queries) {
    query.form = static_cast<QueryForm>(below(3));
    // As often what the form can say as what only an iteration can.
    const bool iterates = query.form == QueryForm::Iterate || below(2) == 0;
    query.semantics = static_cast<Semantics>(below(2));
    if (below(2) == 0) query.expected = static_cast<Verdict>(below(2));
    query.steps.resize(iterates ? 1 + below(3) : 1);
    for (QueryStep& step : query.steps) {
      const std::size_t sets = iterates ? below(4) : query.form == QueryForm::Conflict ? 2 : 1;
      for (std::size_t i = 0; i < sets; ++i) step.positions.push_back(some(network.stack_symbols()));
      if (iterates) step.avoiding = some(network.actions());
      if (iterates) step.requiring = some(network.actions());
    }
  }
  return queries;
}

std::vector<Query> as_written(std::vector<Query> queries) {
  for (Query& query : queries) {
    const QueryStep& first = query.steps.front();
    const bool restricted = !first.avoiding.empty() || !first.requiring.empty();
    const std::size_t sets = query.form == QueryForm::Reach ? 1 : 2;
    if (query.steps.size() > 1 || restricted || first.positions.size() != sets) query.form = QueryForm::Iterate;
  }
  return queries;
}

}  // namespace lockwood::dpn
