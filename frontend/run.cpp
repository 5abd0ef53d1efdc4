#include "frontend/run.hpp"

#include "base/standard_streams.hpp"

namespace lockwood::frontend {

void Run::warn(const Diagnostic& diagnostic) const {
  if (options.general.quiet) return;
  const Progress::Pause pause{progress};
  put_remark(to_text(diagnostic));
}

void Run::note(std::string_view text) const {
  if (options.general.quiet) return;
  const Progress::Pause pause{progress};
  put_remark("lockwood: ", text, "\n");
}

}  // namespace lockwood::frontend
