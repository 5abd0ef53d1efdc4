#include "frontend/model_input.hpp"

#include "base/sha256.hpp"
#include "base/text_file.hpp"
#include "dpn/text_format.hpp"

namespace lockwood::frontend {

ModelInput read_model(const std::string& path, const Run& run) {
  run.progress.show("reading " + path);
  const std::string text = read_text_file(path);
  ModelInput input{.file = dpn::parse_dpn(text, path), .identity = {}};
  for (const Diagnostic& warning : input.file.warnings) run.warn(warning);
  const dpn::Network& network = input.file.network;
  input.identity = {.path = path,
                    .sha256 = sha256(text),
                    .rules = network.rules().size(),
                    .locks = network.locks().size(),
                    .symbols = network.stacks().size()};
  run.stop.check();
  return input;
}

}  // namespace lockwood::frontend
