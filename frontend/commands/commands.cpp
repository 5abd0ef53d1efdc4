#include "frontend/commands/commands.hpp"

namespace lockwood::frontend {

std::vector<Command> all_commands() {
  return {check_command(),    reach_command(),    conflict_command(),    iterate_command(), mhp_command(),
          deadlock_command(), dataflow_command(), batch_command(),       explore_command(), show_command(),
          simulate_command(), convert_command(),  merge_command(),       gen_command(),     query_command(),
          ta_command(),       cross_command(),    completions_command(), help_command()};
}

}  // namespace lockwood::frontend
