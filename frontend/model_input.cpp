#include "frontend/model_input.hpp"

#include <fmt/format.h>

#include "base/sha256.hpp"
#include "base/text_file.hpp"

namespace lockwood::frontend {

ModelInput read_model(const std::string& path, const Run& run) {
  run.progress.show("reading " + path);
  const std::string text = read_text_file(path);
  ModelInput input{.file = dpn::parse_model(text, path), .identity = {}};
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

std::vector<dpn::Query> selected_queries(const ModelInput& model, const std::vector<std::size_t>& numbers) {
  const auto& all = model.file.queries;
  if (numbers.empty()) return all;
  std::vector<dpn::Query> selected;
  for (std::size_t number : numbers) {
    if (number == 0 || number > all.size())
      throw InputError{model.identity.path, fmt::format("there is no query {}, only {} in all", number, all.size())};
    selected.push_back(all[number - 1]);
  }
  return selected;
}

}  // namespace lockwood::frontend
