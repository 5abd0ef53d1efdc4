#include "frontend/python/analyses.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/sha256.hpp"
#include "base/text/suggestion.hpp"
#include "dpn/trees/tree_of_execution.hpp"
#include "frontend/findings/analyses/model_view.hpp"
#include "frontend/findings/difference.hpp"
#include "frontend/findings/find_deadlocks.hpp"
#include "frontend/findings/find_def_uses.hpp"
#include "frontend/findings/find_flows.hpp"
#include "frontend/findings/find_races.hpp"
#include "frontend/findings/guard_advice.hpp"
#include "frontend/findings/race_finding.hpp"
#include "frontend/report/html/html_page.hpp"
#include "frontend/report/json/finding_json.hpp"
#include "frontend/report/version.hpp"

namespace lockwood::python {
namespace {

using Json = nlohmann::ordered_json;
using findings::Findings;

// The program of a workspace in terms of its text.
class Program {
 public:
  explicit Program(const Workspace& workspace) : workspace_{workspace} {
    if (!workspace.program) throw InputError{workspace.path, "only programs have such findings; this is a model"};
    const lw::ProgramText& text = workspace.program->text;
    texts_.push_back(text.text);
    std::vector<findings::Comment> comments;
    for (const lw::LineComment& comment : text.comments)
      comments.push_back({comment.text, comment.at, comment.line, comment.alone});
    suppressions_ = findings::suppressions(comments, text.path);
    terms_.emplace(text.program, workspace.program->lowered, texts_);
  }
  Program(const Program&) = delete;  // the terms refer to the texts
  Program& operator=(const Program&) = delete;

  [[nodiscard]] const findings::SourceTerms& terms() const { return *terms_; }
  [[nodiscard]] findings::Suppressions& suppressions() { return suppressions_; }

  [[nodiscard]] program::Variable variable(const std::string& name) const {
    std::vector<std::string> known;
    for (program::Variable each : terms_->program().variables.keys()) {
      if (terms_->program().variables[each].name == name) return each;
      known.push_back(terms_->program().variables[each].name);
    }
    refuse("shared variable", name, known);
  }
  [[nodiscard]] const program::LoweredLabel& label(const std::string& name) const {
    std::vector<std::string> known;
    for (const program::LoweredLabel& each : terms_->lowered().labels) {
      if (each.name == name) return each;
      known.push_back(each.name);
    }
    refuse("label", name, known);
  }

 private:
  [[noreturn]] void refuse(const std::string& kind, const std::string& name,
                           const std::vector<std::string>& known) const {
    throw InputError{{Diagnostic{.file = workspace_.path,
                                 .message = "the program has no " + kind + " '" + name + "'",
                                 .excerpt = {},
                                 .hint = suggestion_hint(name, known)}}};
  }

  const Workspace& workspace_;
  IdVector<program::SourceFile, std::string> texts_;
  findings::Suppressions suppressions_;
  std::optional<findings::SourceTerms> terms_;
};

void add_summary(Json& object, const Findings& found) {
  object["counts"] = Json::object();
  for (const auto& [name, number] : found.counts) object["counts"][name] = number;
  object["notes"] = found.notes;
  object["complete"] = found.complete;
}

findings::SettlingBudget settling(const Json& options) { return {.search = options.value("settle", true)}; }

Findings ask(Program& program, const std::string& analysis, const Json& options, const findings::Watch& watch) {
  if (analysis == "race") {
    findings::RaceOptions asked{.settling = settling(options), .watch = watch};
    if (options.contains("variable")) asked.variables = {program.variable(options.at("variable"))};
    if (!options.value("schedules", true)) asked.max_schedules = 0;
    if (options.value("background", false)) asked.reasons = findings::RaceOptions::Reasons::Background;
    if (options.value("explain", false)) asked.reasons = findings::RaceOptions::Reasons::Findings;
    return findings::find_races(program.terms(), program.suppressions(), asked);
  }
  if (analysis == "deadlock")
    return findings::find_deadlocks(
        program.terms(), program.suppressions(),
        {.refuted = options.value("explain", false), .settling = settling(options), .watch = watch});
  if (analysis == "defuse") {
    findings::DefUseOptions asked{.inter_thread = options.value("inter_thread", false),
                                  .explain = options.value("explain", false),
                                  .watch = watch};
    if (options.contains("variable")) asked.variable = program.variable(options.at("variable"));
    return findings::find_def_uses(program.terms(), asked);
  }
  if (analysis == "flow")
    return findings::find_flows(program.terms(), {program.label(options.at("from")), program.label(options.at("to"))},
                                {.settling = settling(options), .watch = watch});
  throw InputError{"analysis", "there is no analysis '" + analysis + "'"};
}

Json place_json(const findings::SourceSpan& place) {
  return {{"file", place.file}, {"line", place.begin.line}, {"column", place.begin.column}, {"text", place.text}};
}

Json lock_names(const findings::SourceTerms& terms, const std::vector<dpn::Lock>& locks) {
  Json names = Json::array();
  for (dpn::Lock lock : locks) names.push_back(terms.lowered().network.locks().shown(lock));
  return names;
}

Json json_of(const findings::SourceTerms& terms, const findings::VariableGuards& guards) {
  Json accesses = Json::array();
  for (const findings::GuardedAccess& guarded : guards.accesses) {
    const program::Access& access = findings::access(terms.lowered(), guarded.access);
    accesses.push_back({{"access", findings::to_string(access.kind)},
                        {"at", place_json(terms.place(access))},
                        {"always", lock_names(terms, guarded.held.always)},
                        {"sometimes", lock_names(terms, guarded.held.sometimes)},
                        {"races", guarded.racing},
                        {"breaks_rule", guarded.breaks_rule}});
  }
  Json object{{"variable", terms.program().variables[guards.variable].name},
              {"protected_by", lock_names(terms, guards.protecting)}};
  if (guards.rule) object["usually_by"] = terms.lowered().network.locks().shown(*guards.rule);
  object["accesses"] = std::move(accesses);
  return object;
}

}  // namespace

std::string found(const Workspace& workspace, const std::string& analysis, const std::string& options, StopToken stop) {
  Program program{workspace};
  const Findings found = ask(program, analysis, Json::parse(options), {.stop = stop});
  stop.check();
  Json object{{"findings", Json::array()}};
  for (const findings::Finding& finding : found.findings)
    object["findings"].push_back(findings::to_json(finding, stop));
  add_summary(object, found);
  return object.dump();
}

std::string page(const Workspace& workspace, const std::string& analysis, const std::string& options, StopToken stop) {
  Program program{workspace};
  Json asked = Json::parse(options);
  asked["background"] = true;  // the page tells why pairs do not race without being asked
  const Findings found = ask(program, analysis, asked, {.stop = stop});
  stop.check();
  const ProgramSource& source = *workspace.program;
  findings::SourceTexts texts;
  texts.add(source.text.path, source.text.text);
  const Json view = reports::model_view(
      {.network = workspace.model->network, .program = &source.text.program, .lowered = &source.lowered}, stop);
  return reports::html_page({.version = std::string{frontend::version()},
                             .command = analysis,
                             .title = workspace.path,
                             .digest = sha256(source.text.text),
                             .findings = found.findings,
                             .background = found.background,
                             .sources = texts,
                             .model = view},
                            stop);
}

std::string difference(const std::string& before, const std::string& before_name, const std::string& after,
                       const std::string& after_name) {
  const findings::Difference found =
      findings::difference(findings::known_findings(before, before_name), findings::known_findings(after, after_name));
  const auto listed = [](const std::vector<findings::KnownFinding>& all) {
    Json list = Json::array();
    for (const auto& [id, rule, subject, message] : all)
      list.push_back({{"id", id}, {"rule", rule}, {"subject", subject}, {"message", message}});
    return list;
  };
  return Json{{"introduced", listed(found.introduced)},
              {"fixed", listed(found.fixed)},
              {"undecided", listed(found.undecided)},
              {"unchanged", listed(found.unchanged)}}
      .dump();
}

std::string guards(const Workspace& workspace, bool advice, StopToken stop) {
  const Program program{workspace};
  const findings::SourceTerms& terms = program.terms();
  const findings::GuardAdvice given = findings::guard_advice(terms, {.advice = advice, .watch = {.stop = stop}});
  stop.check();
  Json object{{"variables", Json::array()}};
  for (const findings::VariableGuards& each : *given.variables) object["variables"].push_back(json_of(terms, each));
  if (given.additions) {
    object["additions"] = Json::array();
    for (const auto& [variable, races, addition] : *given.additions) {
      Json entry{{"variable", terms.program().variables[variable].name}, {"races", Json::array()}};
      for (const findings::Conflict& race : races) entry["races"].push_back(findings::race_id(terms, race));
      if (addition) {
        entry["lock"] = terms.lowered().network.locks().shown(addition->lock);
        entry["around"] = Json::array();
        for (const auto& [statement, at] : addition->around)
          entry["around"].push_back(place_json(terms.place(findings::access(terms.lowered(), at))));
        entry["adds_deadlock"] = addition->adds_deadlock;
      }
      object["additions"].push_back(std::move(entry));
    }
    object["idle"] = lock_names(terms, *given.idle);
  }
  add_summary(object, given.summary);
  return object.dump();
}

std::string races(const Workspace& workspace, StopToken stop) {
  Program program{workspace};
  const findings::SourceTerms& terms = program.terms();
  std::map<std::string, findings::ModelRace> by_id;
  const auto remember = [&](std::vector<findings::ModelRace> all) {
    for (findings::ModelRace& race : all) by_id.try_emplace(findings::race_id(terms, race.conflict), std::move(race));
  };
  const Findings found =
      findings::find_races(terms, program.suppressions(), {.on_model_races = remember, .watch = {.stop = stop}});
  stop.check();
  const dpn::Network& network = workspace.model->network;
  Json races = Json::array();
  for (const findings::Finding& race : found.findings) {
    const auto known = by_id.find(race.id);
    if (race.outcome != findings::Outcome::Found || known == by_id.end()) continue;
    Json entry{{"id", race.id}, {"variable", race.subject}, {"message", race.message}};
    if (race.certainty) entry["certainty"] = findings::to_string(*race.certainty);
    entry["sites"] = Json::array();
    for (const findings::Site& site : race.sites) {
      Json at{{"role", site.role}};
      at.update(place_json(site.at));
      at.update({{"thread", site.thread}, {"holds", site.holds}});
      entry["sites"].push_back(std::move(at));
    }
    const dpn::Schedule& schedule = *known->second.schedule;
    entry["tree"] = tree_json(*workspace.model, dpn::tree_of_execution(network, schedule.moves, schedule.cuts));
    entry["schedule"] = schedule_json(*workspace.model, schedule);
    races.push_back(std::move(entry));
  }
  return races.dump();
}

}  // namespace lockwood::python
