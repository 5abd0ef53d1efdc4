#include "frontend/program_input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.hpp"
#include "base/suggestion.hpp"
#include "base/text_file.hpp"

namespace lockwood::frontend {
namespace {

std::vector<program::LoweringOptions::Abstracted> abstracted_bools(const std::vector<std::string>& wishes) {
  std::vector<program::LoweringOptions::Abstracted> result;
  for (const std::string& wish : wishes) {
    const std::size_t dot = wish.find('.');
    if (dot == std::string::npos)
      throw InputError{"--abstract", fmt::format("'{}' is not of the form PROCEDURE.LOCAL", wish)};
    result.push_back({wish.substr(0, dot), wish.substr(dot + 1)});
  }
  return result;
}

std::vector<program::WarningCode> silenced_warnings(const std::vector<std::string>& names) {
  std::vector<program::WarningCode> codes;
  for (const std::string& name : names) {
    const auto code = program::warning_code(name);
    if (!code) throw InputError{"--no-warn", fmt::format("there is no warning '{}'", name)};
    codes.push_back(*code);
  }
  return codes;
}

[[noreturn]] void refuse_name(const ProgramInput& input, const std::string& kind, const std::string& name,
                              const std::vector<std::string>& known) {
  throw InputError{{Diagnostic{.file = input.source.path,
                               .message = fmt::format("the program has no {} '{}'", kind, name),
                               .excerpt = {},
                               .hint = suggestion_hint(name, known)}}};
}

}  // namespace

void declare_program(CLI::App& app, ProgramOptions& options) {
  app.add_option("FILE", options.path, "the program, as .lw text; - is standard input")
      ->required()
      ->type_name("FILE")
      ->group(section::input);
  app.add_option("--no-warn", options.silenced, "do not warn of this, such as unused-lock; can be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->take_all()
      ->group(section::input);
  app.add_option("--abstract", options.abstracted, "let the model forget the value of this bool; can be repeated")
      ->type_name("PROC.LOCAL")
      ->expected(1)
      ->take_all()
      ->group(section::reductions);
}

ProgramInput read_program(const ProgramOptions& options, const Run& run) {
  run.progress.show("reading " + options.path);
  const auto silenced = silenced_warnings(options.silenced);
  lw::ProgramText source = lw::read_program(read_text_file(options.path), options.path);
  for (const program::Warning& warning : source.warnings)
    if (std::ranges::count(silenced, warning.code) == 0) run.warn(lw::to_diagnostic(source, warning));
  program::Lowered lowered = program::lower(source.program, {.abstracted = abstracted_bools(options.abstracted)});
  for (const Diagnostic& note : lowered.notes) run.warn(lw::with_excerpt(source, note));

  std::vector<findings::Comment> comments;
  for (const lw::LineComment& comment : source.comments)
    comments.push_back({comment.text, comment.line, comment.alone});
  findings::Suppressions suppressions = findings::suppressions(comments, source.path);
  for (const Diagnostic& complaint : suppressions.complaints) run.warn(lw::with_excerpt(source, complaint));

  const dpn::Network& network = lowered.network;
  ModelIdentity identity{.path = options.path,
                         .sha256 = sha256(source.text),
                         .rules = network.rules().size(),
                         .locks = network.locks().size(),
                         .symbols = network.stacks().size()};
  IdVector<program::SourceFile, std::string> texts{source.text};
  run.stop.check();
  return {std::move(source), std::move(lowered), std::move(texts), std::move(suppressions), std::move(identity)};
}

std::size_t apply_suppressions(ProgramInput& input, findings::Rule rule, std::vector<findings::Finding>& findings,
                               Extent extent, const Run& run) {
  findings::apply(input.suppressions, findings);
  std::size_t unused = 0;
  if (extent == Extent::Some) return unused;
  for (const findings::Suppression& suppression : input.suppressions.all) {
    if (suppression.rule != rule || suppression.used > 0) continue;
    ++unused;
    run.warn(lw::with_excerpt(input.source,
                              {.severity = Severity::Warning,
                               .file = suppression.file,
                               .at = Position{suppression.written, 1},
                               .message = fmt::format("there is no {} to ignore here", findings::to_string(rule)),
                               .excerpt = {},
                               .hint = {}}));
  }
  return unused;
}

const program::LoweredLabel& label_named(const ProgramInput& input, const std::string& name) {
  const auto found = std::ranges::find(input.lowered.labels, name, &program::LoweredLabel::name);
  if (found != input.lowered.labels.end()) return *found;
  std::vector<std::string> known;
  for (const program::LoweredLabel& label : input.lowered.labels) known.push_back(label.name);
  refuse_name(input, "label", name, known);
}

program::Variable variable_named(const ProgramInput& input, const std::string& name) {
  std::vector<std::string> known;
  for (program::Variable variable : input.program().variables.keys()) {
    if (input.program().variables[variable].name == name) return variable;
    known.push_back(input.program().variables[variable].name);
  }
  refuse_name(input, "shared variable", name, known);
}

}  // namespace lockwood::frontend
