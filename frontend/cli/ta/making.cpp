#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "frontend/cli/ta/operations.hpp"
#include "frontend/cli/ta/session.hpp"
#include "treeauto/automaton/automaton_at_random.hpp"

namespace lockwood::frontend::ta {
namespace {

// More would be asked for by a slip of the pen, and take all memory.
constexpr std::size_t max_states = 10'000'000;
constexpr std::size_t max_transitions = 100'000'000;

constexpr const char* usual = "a:0,b:0,g:1,f:2";

struct RandomOptions : ComputingOptions {
  std::optional<treeauto::Alphabet> alphabet;
  std::string over;
  treeauto::AutomatonSizes sizes;
  std::size_t seed = 1;
};

// Of "zero:0,s:1,cons:2".
treeauto::Alphabet alphabet_in(const std::string& text) {
  const auto refuse = [](const std::string& message) { throw CLI::ValidationError("--symbols", message); };
  treeauto::AlphabetBuilder builder;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view each = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(each.size() + 1, rest.size()));
    const std::size_t colon = each.rfind(':');
    if (colon == std::string_view::npos || colon == 0)
      refuse(fmt::format("'{}' should be a name and a rank, such as f:2", each));
    const std::size_t rank = number_in("--symbols", std::string{each.substr(colon + 1)});
    if (rank > treeauto::rank_limit) refuse(fmt::format("a rank can be at most {}", treeauto::rank_limit));
    if (builder.find(each.substr(0, colon), rank)) refuse(fmt::format("'{}' is given twice", each));
    builder.add(each.substr(0, colon), rank);
  }
  if (builder.size() == 0) refuse("there is no symbol");
  return std::move(builder).build();
}

void declare_random(CLI::App& app, RandomOptions& options) {
  const auto set = [&options](const std::string& text) { options.alphabet = alphabet_in(text); };
  auto* symbols = app.add_option_function<std::string>("--symbols", set,
                                                       fmt::format("its symbols with their ranks (default {})", usual))
                      ->type_name("NAME:RANK,...")
                      ->group(section::input);
  app.add_option("--over", options.over, "the symbols of this automaton")
      ->type_name("FILE")
      ->group(section::input)
      ->excludes(symbols);
  add_number(app, "--states", options.sizes.states, "how many states (default 4)")->group(section::input);
  add_number(app, "--final", options.sizes.final_states, "how many of them are final (default 1)")
      ->group(section::input);
  add_number(app, "--transitions", options.sizes.transitions, "how many transitions, all different (default 12)")
      ->group(section::input);
  add_number(app, "--seed", options.seed, "the same seed gives the same automaton (default 1)")->group(section::input);
  declare_computing(app, options);
}

ExitStatus run_random(const RandomOptions& options, Run& run) {
  Session session{options, run};
  const auto refuse = [&](const std::string& message) {
    throw InputError{"lockwood " + std::string{run.command}, message};
  };
  const treeauto::Alphabet alphabet =
      !options.over.empty() ? session.read(options.over).alphabet() : options.alphabet.value_or(alphabet_in(usual));
  const treeauto::AutomatonSizes& sizes = options.sizes;
  if (sizes.states > max_states) refuse(fmt::format("--states can be at most {}", max_states));
  if (sizes.transitions > max_transitions) refuse(fmt::format("--transitions can be at most {}", max_transitions));
  if (sizes.final_states > sizes.states)
    refuse(fmt::format("{} final states are more than --states={}", sizes.final_states, sizes.states));
  const auto possible = treeauto::possible_transitions(alphabet, sizes.states);
  if (!possible)
    refuse(fmt::format("there are 2^63 or more transitions over a symbol of rank {} and {} states to choose from",
                       alphabet.max_rank(), sizes.states));
  else if (sizes.transitions > *possible)
    refuse(fmt::format("--transitions={} are more than there are over these symbols and --states={}: {}",
                       sizes.transitions, sizes.states, *possible));
  return session.finish(session.compute([&](StopToken stop) {
    return treeauto::automaton_at_random(alphabet, sizes, options.seed, stop);
  }),
                        options.to);
}

}  // namespace

std::vector<Command> making_operations() {
  std::vector<Command> operations;
  operations.push_back(make_command<RandomOptions>(
      {.name = "random",
       .group = CommandGroup::Compute,
       .summary = "a random automaton of a given size",
       .description = "Writes an automaton with exactly so many states, final states and transitions. All choices of "
                      "the transitions are equally likely, and so are those of the final states. It may accept no "
                      "tree, and states may be of no use.",
       .examples = {{"lockwood ta random --symbols=zero:0,s:1,cons:2 --states=8 --transitions=30 --seed=7",
                     "over three symbols"},
                    {"lockwood ta random --over=a.timbuk | lockwood ta included - a.timbuk",
                     "to be compared with another one"}}},
      declare_random, run_random));
  return operations;
}

}  // namespace lockwood::frontend::ta
