#include "frontend/commands/commands.hpp"

namespace lockwood::frontend {

std::vector<Command> all_commands() {
  return {explore_command(), show_command(),        simulate_command(), convert_command(),
          gen_command(),     completions_command(), help_command()};
}

}  // namespace lockwood::frontend
