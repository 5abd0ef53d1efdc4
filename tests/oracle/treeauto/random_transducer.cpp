#include "tests/oracle/treeauto/random_transducer.hpp"

#include <vector>

#include "base/ids/random.hpp"

namespace lockwood::treeauto {
namespace {

Term random_term(Random& random, const Alphabet& output, std::size_t variables, std::size_t size, Copying copying) {
  std::vector<Symbol> constants;
  for (Symbol symbol : output.symbols())
    if (output.rank(symbol) == 0) constants.push_back(symbol);
  std::vector<std::size_t> free;  // variables that may still be used
  for (std::size_t i = 0; i < variables; ++i) free.push_back(i);
  std::vector<Term::Node> nodes;
  for (std::size_t missing = 1; missing > 0; --missing) {
    const bool closing = nodes.size() + missing >= size;
    if (!free.empty() && random.below(closing ? 5 : 3) > (closing ? 0U : 1U)) {
      const std::size_t choice = random.below(free.size());
      nodes.emplace_back(Variable{free[choice]});
      if (copying == Copying::Linear) free.erase(free.begin() + static_cast<std::ptrdiff_t>(choice));
      continue;
    }
    const Symbol symbol = closing ? constants[random.below(constants.size())] : Symbol{random.below(output.size())};
    nodes.emplace_back(symbol);
    missing += output.rank(symbol);
  }
  return Term{std::move(nodes)};
}

}  // namespace

Transducer random_transducer(std::uint64_t seed, const Alphabet& input, const Alphabet& output,
                             RandomTransducerOptions options) {
  Random random{seed};
  Transducer transducer{input, output};
  for (std::size_t i = 0; i < options.states; ++i) transducer.add_state(i == 0 || random.below(3) == 0);
  for (std::size_t i = 0; i < options.rules; ++i) {
    const Symbol symbol{i < input.size() ? i : random.below(input.size())};  // none is without a rule
    std::vector<TransducerState> children;
    for (std::size_t child = 0; child < input.rank(symbol); ++child)
      children.emplace_back(random.below(options.states));
    const TransducerState target{random.below(options.states)};
    transducer.add(symbol, children, target,
                   random_term(random, output, children.size(), 1 + random.below(options.term_size), options.copying));
  }
  return transducer;
}

Homomorphism random_homomorphism(std::uint64_t seed, const Alphabet& input, const Alphabet& output, Copying copying) {
  Random random{seed};
  Homomorphism homomorphism{input, output, {}};
  for (Symbol symbol : input.symbols())
    homomorphism.terms.push_back(random_term(random, output, input.rank(symbol), 1 + random.below(4), copying));
  return homomorphism;
}

std::string to_text(const Transducer& transducer) {
  std::string text;
  for (const Transducer::Rule& rule : transducer.rules()) {
    text += transducer.input().name(rule.symbol);
    for (std::size_t i = 0; i < rule.children.size(); ++i)
      text += (i == 0 ? "(q" : ", q") + std::to_string(rule.children[i].index()) + "(x" + std::to_string(i) + ")";
    text += rule.children.empty() ? "" : ")";
    text += " -> q" + std::to_string(rule.target.index()) + (transducer.is_final(rule.target) ? "!" : "") + "(" +
            to_text(rule.output, transducer.output()) + ")\n";
  }
  return text;
}

}  // namespace lockwood::treeauto
