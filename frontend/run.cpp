#include "frontend/run.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace lockwood::frontend {

void Run::warn(const Diagnostic& diagnostic) const {
  if (options.general.quiet) return;
  const Progress::Pause pause{progress};
  fmt::print(stderr, "{}", to_text(diagnostic));
}

void Run::note(std::string_view text) const {
  if (options.general.quiet) return;
  const Progress::Pause pause{progress};
  fmt::print(stderr, "lockwood: {}\n", text);
}

}  // namespace lockwood::frontend
