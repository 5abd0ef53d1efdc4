#include "frontend/cli/input/program_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>

#include "base/text/suggestion.hpp"
#include "frontend/java/source_comments.hpp"
#include "frontend/lw/text_lines.hpp"

namespace lockwood::frontend {
namespace {

[[noreturn]] void refuse_name(const ProgramInput& input, const std::string& kind, const std::string& name,
                              const std::vector<std::string>& known) {
  throw InputError{{Diagnostic{.file = input.path(),
                               .message = fmt::format("the program has no {} '{}'", kind, name),
                               .excerpt = {},
                               .hint = suggestion_hint(name, known)}}};
}

// With the line of the text that it is about.
Diagnostic with_excerpt(const program::Program& program, const IdVector<program::SourceFile, std::string>& texts,
                        Diagnostic diagnostic) {
  for (program::SourceFile file : texts.keys()) {
    if (!diagnostic.at || program.files[file] != diagnostic.file || texts[file].empty()) continue;
    Diagnostic shown = diagnostic_at(diagnostic.file, texts[file], lw::TextLines{texts[file]}.offset(*diagnostic.at), 1,
                                     diagnostic.message);
    shown.severity = diagnostic.severity;
    shown.hint = std::move(diagnostic.hint);
    return shown;
  }
  return diagnostic;
}

// Those in all sources that were found.
findings::Suppressions suppressions_of(const program::Program& program,
                                       const IdVector<program::SourceFile, std::string>& texts) {
  findings::Suppressions all;
  for (program::SourceFile file : texts.keys()) {
    const std::vector<java::SourceComment> written = java::comments_of(texts[file]);
    std::vector<findings::Comment> comments;
    for (const java::SourceComment& each : written) comments.push_back({each.text, each.at, each.line, each.alone});
    findings::Suppressions some = findings::suppressions(comments, program.files[file]);
    std::ranges::move(some.all, std::back_inserter(all.all));
    std::ranges::move(some.complaints, std::back_inserter(all.complaints));
  }
  return all;
}

}  // namespace

void declare_program(CLI::App& app, std::string& path, ProgramOptions& options) {
  app.add_option("FILE", path,
                 "the program, as .lw text, or in Java: a jar, a folder of classes or sources, or a source; - is "
                 "standard input")
      ->required()
      ->type_name("FILE")
      ->group(section::input);
  declare_program_options(app, options);
}

ProgramInput program_of(ModelInput input, const Run& run) {
  assert(input.program);
  const lw::ProgramText& source = input.program->source;
  IdVector<program::SourceFile, std::string> texts = std::move(input.program->texts);
  std::vector<findings::Comment> comments;
  for (const lw::LineComment& comment : source.comments)
    comments.push_back({comment.text, comment.at, comment.line, comment.alone});
  findings::Suppressions suppressions = input.program->assumptions ? suppressions_of(source.program, texts)
                                                                   : findings::suppressions(comments, source.path);
  for (const Diagnostic& complaint : suppressions.complaints) run.warn(with_excerpt(source.program, texts, complaint));
  return {std::move(*input.program), std::move(input.identity), std::move(texts), std::move(suppressions)};
}

ProgramInput read_program(const std::string& path, const Run& run, const JavaWishes& wishes) {
  ModelInput input = read_model(path, run, wishes);
  if (!input.program) throw InputError{path, "this is a model; here a program is needed"};
  return program_of(std::move(input), run);
}

Diagnostic with_line(const ProgramInput& input, const Diagnostic& warning) {
  return with_excerpt(input.program(), input.texts, warning);
}

const program::LoweredLabel& label_named(const ProgramInput& input, const std::string& name) {
  const auto found = std::ranges::find(input.lowered().labels, name, &program::LoweredLabel::name);
  if (found != input.lowered().labels.end()) return *found;
  std::vector<std::string> known;
  for (const program::LoweredLabel& label : input.lowered().labels) known.push_back(label.name);
  refuse_name(input, "label", name, known);
}

namespace {

// Nested classes are separated by $ in class files, and by dots in sources.
std::string dotted(std::string name) {
  if (name.find('.') != std::string::npos) std::ranges::replace(name, '$', '.');
  return name;
}

}  // namespace

std::vector<program::Variable> variables_named(const ProgramInput& input, const std::string& name) {
  const std::string wanted = dotted(name);
  std::vector<std::string> known;
  std::vector<program::Variable> exact;
  std::map<std::string, std::vector<program::Variable>> shortened;  // by full name
  for (program::Variable variable : input.program().variables.keys()) {
    const program::VariableInfo& info = input.program().variables[variable];
    const std::string shown = dotted(program::shown_name(info));
    if (info.name == name || shown == wanted) exact.push_back(variable);
    if (shown.ends_with('.' + wanted)) shortened[shown].push_back(variable);
    known.push_back(shown);
  }
  if (!exact.empty()) return exact;
  if (shortened.size() == 1) return shortened.begin()->second;
  if (shortened.size() > 1)
    throw InputError{input.path(), fmt::format("'{}' may be {} fields, such as {} and {}", name, shortened.size(),
                                               shortened.begin()->first, std::next(shortened.begin())->first)};
  refuse_name(input, input.is_java() ? "field that several threads can see called" : "shared variable", name, known);
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
