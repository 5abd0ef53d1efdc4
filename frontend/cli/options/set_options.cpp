#include "frontend/cli/options/set_options.hpp"

#include <memory>
#include <utility>
#include <variant>

#include "frontend/cli/options/options.hpp"
#include "frontend/findings/narrative/source_places.hpp"

namespace lockwood::frontend {

void declare_set_options(CLI::App& app, SetOptions& options) {
  add_choice<sets::Way>(app, "--way", options.way, {{"auto", sets::Way::Automatic}, {"automata", sets::Way::Automata}},
                        "how to decide whether sets are empty: by the engine where it can be asked, or always by "
                        "automata (default auto)")
      ->group(section::analysis);
  add_number(app, "--max-states", options.states, "give up on automata with more states (default 100000)")
      ->group(section::limits);
}

sets::ModelPtr set_model(ModelInput model) {
  if (!model.program) return std::make_shared<const sets::Model>(std::move(model.file.network));
  const auto program = std::make_shared<const ProgramModel>(*std::move(model.program));
  sets::Places places;
  for (const program::LoweredLabel& label : program->lowered.labels) places.labels.push_back(label.name);
  places.symbols_at = [program](const std::string& place) {
    const lw::ProgramText& source = program->source;
    return findings::symbols_at({.program = source.program, .lowered = program->lowered, .path = source.path}, place);
  };
  return std::make_shared<const sets::Model>(std::move(model.file.network), std::move(places));
}

ExitStatus status_of(const sets::Result& result) {
  if (std::holds_alternative<sets::GaveUp>(result.what)) return ExitStatus::GaveUp;
  if (const auto* table = std::get_if<sets::Tabulated>(&result.what))
    return table->because.empty() ? ExitStatus::Nothing : ExitStatus::GaveUp;
  const auto* checked = std::get_if<sets::Checked>(&result.what);
  if (checked == nullptr || checked->outcome == sets::Outcome::Holds) return ExitStatus::Nothing;
  return checked->outcome == sets::Outcome::Fails ? ExitStatus::Finding : ExitStatus::GaveUp;
}

}  // namespace lockwood::frontend
