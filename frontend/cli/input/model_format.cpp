#include "frontend/cli/input/model_format.hpp"

#include "base/process/text_file.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/formats/text_format.hpp"
#include "frontend/cli/options/options.hpp"

namespace lockwood::frontend {

CLI::Option* declare_model_format(CLI::App& app, ModelFormat& format) {
  return add_choice<ModelFormat>(app, "--to", format, {{"dpn", ModelFormat::Dpn}, {"json", ModelFormat::Json}},
                                 "the format to write; without it, JSON for an output *.json and else dpn")
      ->group(section::output);
}

bool is_json(ModelFormat format, const std::string& path) {
  return format == ModelFormat::Json || (format == ModelFormat::ByName && path.ends_with(".json"));
}

void write_model(const dpn::ModelFile& model, ModelFormat format, const std::string& path, Run& run) {
  const std::string text = is_json(format, path) ? dpn::to_json(model.network, model.queries, run.stop)
                                                 : dpn::to_dpn(model.network, model.queries, {}, run.stop);
  run.write_answer(path, text);
}

}  // namespace lockwood::frontend
