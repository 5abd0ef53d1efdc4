#include "base/process/standard_streams.hpp"
#include "frontend/cli/command_line.hpp"

int main(int argc, char** argv) {
  lockwood::hold_standard_streams();
  return lockwood::frontend::run_command_line(argc > 0 ? std::vector<std::string>{argv + 1, argv + argc}
                                                       : std::vector<std::string>{});
}
