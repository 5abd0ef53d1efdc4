#include "frontend/cli/commands/commands.hpp"

namespace lockwood::frontend {

std::vector<Command> all_commands() {
  return {check_command(),    reach_command(),    conflict_command(),    iterate_command(), mhp_command(),
          deadlock_command(), dataflow_command(), race_command(),        defuse_command(),  flow_command(),
          guards_command(),   batch_command(),    explore_command(),     show_command(),    simulate_command(),
          replay_command(),   lsp_command(),      diff_command(),        lower_command(),   convert_command(),
          repro_command(),    merge_command(),    gen_command(),         query_command(),   repl_command(),
          ta_command(),       cross_command(),    completions_command(), manual_command(),  help_command()};
}

}  // namespace lockwood::frontend
