#pragma once

#include <vector>

#include "frontend/cli/command.hpp"

// Every command of the program, each in the file of its name.
namespace lockwood::frontend {

[[nodiscard]] Command batch_command();
[[nodiscard]] Command check_command();
[[nodiscard]] Command completions_command();
[[nodiscard]] Command conflict_command();
[[nodiscard]] Command convert_command();
[[nodiscard]] Command dataflow_command();
[[nodiscard]] Command deadlock_command();
[[nodiscard]] Command defuse_command();
[[nodiscard]] Command diff_command();
[[nodiscard]] Command cross_command();
[[nodiscard]] Command explore_command();
[[nodiscard]] Command flow_command();
[[nodiscard]] Command gen_command();
[[nodiscard]] Command guards_command();
[[nodiscard]] Command help_command();
[[nodiscard]] Command iterate_command();
[[nodiscard]] Command lower_command();
[[nodiscard]] Command lsp_command();
[[nodiscard]] Command manual_command();
[[nodiscard]] Command merge_command();
[[nodiscard]] Command mhp_command();
[[nodiscard]] Command query_command();
[[nodiscard]] Command race_command();
[[nodiscard]] Command reach_command();
[[nodiscard]] Command repl_command();
[[nodiscard]] Command replay_command();
[[nodiscard]] Command repro_command();
[[nodiscard]] Command show_command();
[[nodiscard]] Command simulate_command();
[[nodiscard]] Command ta_command();

// In the order in which help lists them within a group.
[[nodiscard]] std::vector<Command> all_commands();

}  // namespace lockwood::frontend
