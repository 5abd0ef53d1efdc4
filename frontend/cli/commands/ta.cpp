#include <iterator>

#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/ta/operations.hpp"

namespace lockwood::frontend {

Command ta_command() {
  std::vector<Command> operations;
  for (auto part : {ta::asking_operations, ta::computing_operations, ta::mapping_operations, ta::making_operations,
                    ta::tree_operations, ta::showing_operations})
    for (Command& operation : part()) operations.push_back(std::move(operation));
  return make_command_of(
      {.name = "ta",
       .group = CommandGroup::Research,
       .summary = "compute with tree automata",
       .description =
           "Computes with sets of trees that are given by nondeterministic bottom-up tree automata. They are "
           "read and written in the Timbuk format, as other tools do, or as JSON. An automaton goes to "
           "standard output, and - is standard input, so that operations can be joined by pipes.",
       .examples =
           {{"lockwood ta included a.timbuk b.timbuk", "yes, or a tree that only a accepts"},
            {"lockwood ta intersect a.timbuk b.timbuk | lockwood ta reduce - | lockwood ta count - --size=1..20",
             "how many trees of each size both accept"}},
       .exits = ExitTable::Answer},
      std::move(operations));
}

}  // namespace lockwood::frontend
