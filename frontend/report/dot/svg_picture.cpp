#include "frontend/report/dot/svg_picture.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include "base/process/child_process.hpp"
#include "base/text/diagnostic.hpp"

namespace lockwood::frontend {

std::string to_svg(const std::string& graph, const StopToken& stop) {
  constexpr int not_found = 127;  // what the shell says of a command that is not there
  const auto output = run_on_file("exec dot -Tsvg", "picture.dot", graph, stop);
  stop.check();
  if (output && WIFEXITED(output->status) && WEXITSTATUS(output->status) == 0) return output->text;
  if (output && WIFEXITED(output->status) && WEXITSTATUS(output->status) == not_found)
    throw InputError{{Diagnostic{.file = "--svg",
                                 .message = "this needs the program 'dot' of Graphviz, which is not installed",
                                 .hint = "--dot does without"}}};
  throw InputError{"--svg", "the program 'dot' of Graphviz could not draw the picture"};
}

}  // namespace lockwood::frontend
