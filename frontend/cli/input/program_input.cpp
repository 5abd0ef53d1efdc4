#include "frontend/cli/input/program_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/text/suggestion.hpp"

namespace lockwood::frontend {
namespace {

[[noreturn]] void refuse_name(const ProgramInput& input, const std::string& kind, const std::string& name,
                              const std::vector<std::string>& known) {
  throw InputError{{Diagnostic{.file = input.path(),
                               .message = fmt::format("the program has no {} '{}'", kind, name),
                               .excerpt = {},
                               .hint = suggestion_hint(name, known)}}};
}

}  // namespace

void declare_program(CLI::App& app, std::string& path, ProgramOptions& options) {
  app.add_option("FILE", path, "the program: .lw text, or a folder or jar of Java classes; - is standard input")
      ->required()
      ->type_name("FILE")
      ->group(section::input);
  declare_program_options(app, options);
}

ProgramInput program_of(ModelInput input, const Run& run) {
  assert(input.program);
  std::vector<findings::Comment> comments;
  const lw::ProgramText& source = input.program->source;
  for (const lw::LineComment& comment : source.comments)
    comments.push_back({comment.text, comment.at, comment.line, comment.alone});
  findings::Suppressions suppressions = findings::suppressions(comments, source.path);
  for (const Diagnostic& complaint : suppressions.complaints) run.warn(lw::with_excerpt(source, complaint));
  IdVector<program::SourceFile, std::string> texts = std::move(input.program->texts);
  return {std::move(*input.program), std::move(input.identity), std::move(texts), std::move(suppressions)};
}

ProgramInput read_program(const std::string& path, const Run& run) {
  ModelInput input = read_model(path, run);
  if (!input.program) throw InputError{path, "this is a model; here a program is needed"};
  return program_of(std::move(input), run);
}

std::size_t unused_suppressions(const ProgramInput& input, findings::Rule rule, Extent extent, const Run& run) {
  if (extent == Extent::Some) return 0;
  const std::vector<Diagnostic> unused = findings::unused(input.suppressions, rule);
  for (const Diagnostic& warning : unused) run.warn(lw::with_excerpt(input.model.source, warning));
  return unused.size();
}

const program::LoweredLabel& label_named(const ProgramInput& input, const std::string& name) {
  const auto found = std::ranges::find(input.lowered().labels, name, &program::LoweredLabel::name);
  if (found != input.lowered().labels.end()) return *found;
  std::vector<std::string> known;
  for (const program::LoweredLabel& label : input.lowered().labels) known.push_back(label.name);
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
