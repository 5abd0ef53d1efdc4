#include "frontend/api/lockwood.hpp"

#include <algorithm>
#include <utility>

#include "base/process/text_file.hpp"
#include "base/text/suggestion.hpp"
#include "dpn/formats/model_file.hpp"
#include "dpn/formats/schedule_text.hpp"
#include "dpn/formats/text_format.hpp"
#include "frontend/api/proof.hpp"
#include "frontend/findings/find_deadlocks.hpp"
#include "frontend/findings/find_def_uses.hpp"
#include "frontend/findings/find_flows.hpp"
#include "frontend/findings/find_races.hpp"
#include "frontend/findings/narrative/source_places.hpp"
#include "frontend/lw/program_text.hpp"
#include "solver/analyses/solve.hpp"

namespace lockwood {

struct Model::Content {
  // What the model was made of. The terms refer to its neighbours.
  struct Source {
    lw::ProgramText text;
    program::Lowered lowered;
    IdVector<program::SourceFile, std::string> texts;
    findings::SourceTerms terms;
    findings::Suppressions suppressions;

    Source(lw::ProgramText program, program::Lowered model)
        : text{std::move(program)}, lowered{std::move(model)}, texts{text.text}, terms{text.program, lowered, texts} {
      std::vector<findings::Comment> comments;
      for (const lw::LineComment& comment : text.comments)
        comments.push_back({comment.text, comment.at, comment.line, comment.alone});
      suppressions = findings::suppressions(comments, text.path);
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source() = default;
  };

  std::string path;
  dpn::ModelFile file;
  std::unique_ptr<const Source> source;  // none if it is no program
};

const dpn::Network& Model::network() const { return content_->file.network; }
const std::vector<dpn::Query>& Model::queries() const { return content_->file.queries; }
const std::vector<Diagnostic>& Model::warnings() const { return content_->file.warnings; }
bool Model::is_program() const { return content_->source != nullptr; }

namespace {

program::Lowered lowered(const lw::ProgramText& text, StopToken stop) {
  try {
    return program::lower(text.program, {}, stop);
  } catch (const InputError& error) {
    std::vector<Diagnostic> shown;
    for (const Diagnostic& diagnostic : error.diagnostics()) shown.push_back(lw::with_excerpt(text, diagnostic));
    throw InputError{std::move(shown)};
  }
}

// Has the function work within the limits.
template <class Options, class Function>
auto limited(const Options& options, Function&& function) {
  if (!options.limits.timeout && !options.limits.memory) return function(options.stop);
  StopSource source;
  if (const auto reason = options.stop.reason()) source.request(*reason);  // before the watchdog awakes
  const Watchdog watchdog{source, options.limits, options.stop};
  return function(StopToken{source});
}

std::vector<dpn::Query> read_queries(const Model& model, const std::string& text) {
  if (!model.is_program()) return dpn::parse_queries(model.network(), text, "query");
  const Model::Content& content = model.content();
  const findings::PlacedProgram placed{
      .program = content.source->text.program, .lowered = content.source->lowered, .path = content.path};
  return dpn::parse_queries(model.network(), findings::with_symbols(placed, text), "query");
}

Answer answer(const dpn::Network& network, const dpn::Query& query, bool proofs, StopToken stop) {
  Answer answer{.query = dpn::to_text(network, query), .expected = query.expected};
  const solver::Problem problem = solver::problem_of(query);
  const solver::Answer found = solver::solve(network, problem, {.certify = proofs, .stop = stop});
  try {
    if (found.verdict == dpn::Verdict::Unknown) {
      answer.unknown_because = why_unknown(found);
      return answer;
    }
    if (found.witness) answer.schedule = dpn::schedule_text(network, found.witness->schedule, stop);
    if (proofs) answer.proof = api::proof_of(network, problem, found, stop);
    answer.verdict = found.verdict;
  } catch (const Interrupted& interrupted) {  // a schedule of a million steps takes seconds to write
    answer.unknown_because = std::string{interrupted.what()} + " before the answer was written";
  }
  return answer;
}

std::vector<Answer> answers(const Model& model, const std::vector<dpn::Query>& queries, const AskOptions& options) {
  return limited(options, [&](StopToken stop) {
    std::vector<Answer> all;
    for (const dpn::Query& query : queries) all.push_back(answer(model.network(), query, options.proofs, stop));
    return all;
  });
}

const Model::Content::Source& source_of(const Model& model) {
  if (!model.is_program()) throw InputError{model.content().path, "only programs have such findings; this is a model"};
  return *model.content().source;
}

const program::LoweredLabel& label_named(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  for (const program::LoweredLabel& label : source_of(model).lowered.labels) {
    if (label.name == name) return label;
    known.push_back(label.name);
  }
  throw InputError{{Diagnostic{.file = model.content().path,
                               .message = "the program has no label '" + name + "'",
                               .excerpt = {},
                               .hint = suggestion_hint(name, known)}}};
}

// Calls the analysis with the program and its suppressions, of which it counts the uses.
template <class Analysis>
findings::Findings found(const Model& program, const FindOptions& options, Analysis&& analysis) {
  const Model::Content::Source& source = source_of(program);
  return limited(options, [&](StopToken stop) {
    findings::Suppressions suppressions = source.suppressions;
    findings::Findings result = analysis(source.terms, suppressions, findings::Watch{.stop = stop});
    if (stop.stop_requested()) result.complete = false;
    return result;
  });
}

findings::SettlingBudget settling(const FindOptions& options) { return {.search = options.settle}; }

}  // namespace

Model parse(std::string text, const std::string& name, StopToken stop) {
  if (!lw::is_program(name, text)) {
    dpn::ModelFile file = dpn::parse_model(text, name, stop);
    return Model{std::make_shared<const Model::Content>(Model::Content{shown_path(name), std::move(file), nullptr})};
  }
  lw::ProgramText program = lw::read_program(std::move(text), shown_path(name), stop);
  program::Lowered model = lowered(program, stop);
  dpn::ModelFile file{model.network, {}, {}};
  for (const program::Warning& warning : program.warnings) file.warnings.push_back(lw::to_diagnostic(program, warning));
  for (const Diagnostic& note : model.notes) file.warnings.push_back(lw::with_excerpt(program, note));
  auto source = std::make_unique<const Model::Content::Source>(std::move(program), std::move(model));
  return Model{
      std::make_shared<const Model::Content>(Model::Content{shown_path(name), std::move(file), std::move(source)})};
}

Model load(const std::string& path, StopToken stop) { return parse(read_text_file(path, stop), path, stop); }

std::vector<Answer> ask(const Model& model, const std::string& queries, const AskOptions& options) {
  return answers(model, read_queries(model, queries), options);
}

std::vector<Answer> check(const Model& model, const AskOptions& options) {
  return answers(model, model.queries(), options);
}

std::optional<std::string> rejection_reason(const Model& model, const Answer& answer, StopToken stop) {
  if (answer.verdict == dpn::Verdict::Unknown) return "an unknown verdict has no proof";
  const std::vector<dpn::Query> queries = read_queries(model, answer.query);
  if (queries.size() != 1) return "there should be one query";
  return api::rejection_reason(model.network(), solver::problem_of(queries.front()), answer.proof, answer.verdict,
                               stop);
}

findings::Findings find_races(const Model& program, const FindOptions& options) {
  using findings::RaceOptions;
  return found(program, options, [&](const auto& terms, auto& suppressions, findings::Watch watch) {
    RaceOptions asked{.settling = settling(options), .watch = std::move(watch)};
    if (!options.schedules) asked.max_schedules = 0;
    if (options.explain) asked.reasons = RaceOptions::Reasons::Findings;
    return findings::find_races(terms, suppressions, asked);
  });
}

findings::Findings find_deadlocks(const Model& program, const FindOptions& options) {
  return found(program, options, [&](const auto& terms, auto& suppressions, findings::Watch watch) {
    return findings::find_deadlocks(
        terms, suppressions, {.refuted = options.explain, .settling = settling(options), .watch = std::move(watch)});
  });
}

findings::Findings find_def_uses(const Model& program, const FindOptions& options) {
  return found(program, options, [&](const auto& terms, auto& /*suppressions*/, findings::Watch watch) {
    return findings::find_def_uses(terms, {.explain = options.explain, .watch = std::move(watch)});
  });
}

findings::Findings find_flows(const Model& program, const std::string& from, const std::string& to,
                              const FindOptions& options) {
  const findings::FlowEnds ends{label_named(program, from), label_named(program, to)};
  return found(program, options, [&](const auto& terms, auto& /*suppressions*/, findings::Watch watch) {
    return findings::find_flows(terms, ends, {.settling = settling(options), .watch = std::move(watch)});
  });
}

}  // namespace lockwood
