#include "frontend/cli/run.hpp"

#include "base/process/standard_streams.hpp"
#include "base/process/text_file.hpp"

namespace lockwood::frontend {

void Run::warn(const Diagnostic& diagnostic) const {
  if (options.general.quiet) return;
  const Progress::Pause pause{progress};
  put_message(to_text(diagnostic));
}

void Run::note(std::string_view text) const {
  if (options.general.quiet) return;
  const Progress::Pause pause{progress};
  put_message("lockwood: ", text, "\n");
}

void Run::write_answer(const std::string& path, std::string_view text) const {
  write_text_file(path, text);
  supervisor.answer_is_written();
}

}  // namespace lockwood::frontend
