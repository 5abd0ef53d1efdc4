#include "frontend/lsp/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "base/process/watchdog.hpp"
#include "dpn/formats/text_format.hpp"
#include "frontend/findings/analyses/same_model.hpp"
#include "frontend/findings/deadlock_finding.hpp"
#include "frontend/findings/find_deadlocks.hpp"
#include "frontend/findings/find_races.hpp"
#include "frontend/findings/suppressions.hpp"
#include "frontend/lsp/model_names.hpp"
#include "solver/analyses/deadlock.hpp"

namespace lockwood::lsp {
namespace {

using findings::Finding;

// So many races get a schedule of their own; the others are told without one. An editor shows them all at once, and a
// program with more has one reason for most of them.
constexpr std::size_t max_schedules = 100;
constexpr std::size_t max_related = 12;
constexpr std::size_t max_cycles = 200;
constexpr std::chrono::seconds advice_time{5};
// A program that somebody writes has some thousands at most. One of 100,000 lines about one variable has 10^10, which
// no memory holds.
constexpr std::size_t max_conflicts = 2'000'000;

// How many pairs of accesses there are to decide, at most.
std::size_t conflict_count(const program::Lowered& lowered, std::size_t variables) {
  IdVector<program::Variable, std::size_t> accesses(variables);
  for (const program::Access& access : lowered.accesses) ++accesses[access.variable];
  std::size_t pairs = 0;
  for (std::size_t count : accesses) pairs += count * (count + 1) / 2;
  return pairs;
}

class ProgramAnalysis {
 public:
  ProgramAnalysis(const Reading& reading, const Decisions& earlier, StopToken stop,
                  const std::function<void(const Analysis&)>& report)
      : reading_{reading},
        facts_{*reading.program},
        stop_{stop},
        report_{report},
        texts_{facts_.source().text},
        terms_{facts_.source().program, facts_.lowered(), texts_} {
    std::vector<findings::Comment> comments;
    for (const lw::LineComment& comment : facts_.source().comments)
      comments.push_back({comment.text, comment.at, comment.line, comment.alone});
    suppressions_ = findings::suppressions(comments, facts_.source().path);
    if (earlier.program && findings::same_model(earlier.program->lowered(), facts_.lowered()))
      analysis_.decisions = earlier;
    analysis_.decisions.program = reading.program;
  }

  void run() && {
    for (const Diagnostic& complaint : suppressions_.complaints) remark(complaint);
    for (const Diagnostic& note : facts_.lowered().notes) remark(note);
    if (conflict_count(facts_.lowered(), facts_.source().program.variables.size()) <= max_conflicts) {
      races();
      analysis_.races_known = true;
    } else {
      analysis_.remarks.push_back({.range = {},
                                   .severity = Severity::Note,
                                   .code = {},
                                   .message = "too many pairs of accesses to look for races while editing",
                                   .related = {}});
    }
    report_(analysis_);
    if (!analysis_.races_of_variables.empty() && !analysis_.decisions.advice) {
      advice();
      report_(analysis_);
    }
    deadlocks();
    report_(analysis_);
  }

 private:
  void remark(const Diagnostic& diagnostic) {
    analysis_.remarks.push_back(remark_of(diagnostic, reading_.lines, reading_.text.content()));
  }

  // What was decided about an earlier text with the same model is taken over.
  void races() {
    findings::RaceOptions options{.max_schedules = max_schedules, .known = analysis_.decisions.races.get()};
    options.watch.stop = stop_;
    std::vector<findings::ModelRace> decided;
    if (options.known == nullptr)
      options.on_model_races = [&](std::vector<findings::ModelRace> all) { decided = std::move(all); };
    const findings::Findings found = findings::find_races(terms_, suppressions_, options);
    stop_.check();
    if (options.known == nullptr)
      analysis_.decisions.races = std::make_shared<const std::vector<findings::ModelRace>>(std::move(decided));
    std::map<std::pair<std::string, std::uint32_t>, std::vector<SiteOfRace>> lines;
    for (const Finding& race : found.findings) {
      if (!findings::is_open(race)) continue;
      const auto& shown = show(race);
      for (std::size_t i = 0; i < race.sites.size(); ++i)
        lines[{race.subject, race.sites[i].at.begin.line}].push_back({shown.get(), i});
      ++analysis_.races_of_variables[race.subject];
      std::set<std::string> procedures;
      for (const findings::Site& site : race.sites) procedures.insert(site.at.procedure);
      for (const std::string& procedure : procedures) ++analysis_.races_in_procedures[procedure];
    }
    for (const auto& [line, sites] : lines) add(sites);
    for (const Diagnostic& unused : found.unused_suppressions) remark(unused);
  }

  void deadlocks() {
    findings::DeadlockOptions options{.max_cycles = max_cycles, .known = analysis_.decisions.deadlocks.get()};
    options.watch.stop = stop_;
    if (options.known == nullptr)
      options.on_model_deadlocks = [&](const solver::Deadlocks& all) {
        if (all.stopped) throw Interrupted{*all.stopped};
        analysis_.decisions.deadlocks = std::make_shared<const solver::Deadlocks>(all);
      };
    const findings::Findings found = findings::find_deadlocks(terms_, suppressions_, options);
    stop_.check();
    for (const Finding& deadlock : found.findings)
      if (findings::is_open(deadlock)) add(*show(deadlock));
    for (const Diagnostic& unused : found.unused_suppressions) remark(unused);
  }

  [[nodiscard]] TextRange bytes(const findings::SourceSpan& place) const {
    const auto offset = [&](Position position) { return static_cast<std::uint32_t>(reading_.lines.offset(position)); };
    return {offset(place.begin), offset(place.end)};
  }

  static std::string standing(const findings::Site& site) {
    std::string text = site.role;
    if (!site.thread.empty()) text += " by " + site.thread;
    if (!site.holds.empty()) text += fmt::format(", holding {}", fmt::join(site.holds, ", "));
    return text;
  }

  // Which lock would remove the races of each variable. Deadlocks are not to wait for long: without time for all
  // variables, it is said of some.
  void advice() {
    if (!analysis_.decisions.races) return;
    findings::ConflictVerdicts verdicts;
    for (const findings::ModelRace& race : *analysis_.decisions.races) verdicts.racing.push_back(race.conflict);
    std::vector<findings::VariableAdvice> known;
    try {
      StopSource source;
      const Watchdog watchdog{source, {.timeout = advice_time, .memory = {}}, stop_};
      findings::LockAdvice advice{facts_.source().program, facts_.lowered(), verdicts, StopToken{source}};
      for (findings::VariableAdvice each : advice.racing_variables()) {
        each.addition = advice.addition(each);
        known.push_back(std::move(each));
      }
    } catch (const Interrupted&) {
    }
    stop_.check();
    analysis_.decisions.advice = std::make_shared<const std::vector<findings::VariableAdvice>>(std::move(known));
  }

  const std::shared_ptr<const Finding>& show(const Finding& finding) {
    ShownFinding shown{std::make_shared<const Finding>(finding), {}};
    for (const findings::Site& site : finding.sites) shown.sites.push_back(bytes(site.at));
    return analysis_.findings.emplace_back(std::move(shown)).finding;
  }

  static std::string with_certainty(std::string message, const Finding& finding) {
    if (finding.certainty) message += fmt::format(" ({})", findings::to_string(*finding.certainty));
    return message;
  }

  static Remark::Told told_of(const Finding& finding) {
    return {finding.id, finding.certainty ? findings::to_string(*finding.certainty) : ""};
  }

  // What led to the finding, as far as there is room for it.
  void add_schedule(Remark& remark, const Finding& finding) const {
    for (const findings::SourceStep& step : finding.schedule)
      if (const std::string event = findings::event_text(step); !event.empty() && remark.related.size() < max_related)
        remark.related.push_back({bytes(step.at), fmt::format("{}: {}, {}", step.thread, step.what, event)});
  }

  // A remark at each of the places, which refers to the others and to what led there.
  void add(const Finding& finding) {
    std::vector<TextRange> said;
    for (std::size_t i = 0; i < finding.sites.size(); ++i) {
      const TextRange here = bytes(finding.sites[i].at);
      if (std::ranges::any_of(said, [&](TextRange other) { return other.begin == here.begin; })) continue;
      said.push_back(here);
      Remark remark{.range = here,
                    .severity = findings::severity_of(finding),
                    .code = findings::to_string(finding.rule),
                    .message = with_certainty(finding.message, finding),
                    .related = {},
                    .group = fmt::format("{} {}", findings::to_string(finding.rule), finding.subject),
                    .findings = {told_of(finding)}};
      for (std::size_t other = 0; other < finding.sites.size(); ++other)
        if (other != i || finding.sites.size() == 1)
          remark.related.push_back({bytes(finding.sites[other].at), standing(finding.sites[other])});
      add_schedule(remark, finding);
      analysis_.remarks.push_back(std::move(remark));
    }
  }

  // One side of a race.
  struct SiteOfRace {
    const Finding* race;
    std::size_t site;
    [[nodiscard]] const findings::Site& here() const { return race->sites[site]; }
    [[nodiscard]] const findings::Site& other() const { return race->sites[1 - site]; }
  };

  // One remark for all races on a variable that a line takes part in: at its first access, with the other sides of all.
  // The surest race is the one that is told.
  void add(std::vector<SiteOfRace> sites) {
    std::ranges::stable_sort(sites, {}, [](const SiteOfRace& each) {
      return std::pair{each.race->certainty, each.race->schedule.size()};
    });
    const Finding& told = *sites.front().race;
    const auto first = std::ranges::min_element(sites, {}, [](const SiteOfRace& each) { return each.here().at.begin; });
    Remark remark{.range = bytes(first->here().at),
                  .severity = findings::severity_of(told),
                  .code = findings::to_string(told.rule),
                  .message = told.message,
                  .related = {},
                  .group = fmt::format("{} {}", findings::to_string(told.rule), told.subject)};
    std::set<Position> others;
    for (const SiteOfRace& each : sites) {
      if (!others.insert(each.other().at.begin).second || remark.related.size() >= max_related) continue;
      remark.related.push_back({bytes(each.other().at), standing(each.other())});
    }
    std::set<const Finding*> races;
    for (const SiteOfRace& each : sites)
      if (races.insert(each.race).second) remark.findings.push_back(told_of(*each.race));
    if (races.size() > 1)
      remark.message +=
          fmt::format("; {} more {} with this line", races.size() - 1, races.size() == 2 ? "race" : "races");
    remark.message = with_certainty(std::move(remark.message), told);
    add_schedule(remark, told);
    analysis_.remarks.push_back(std::move(remark));
  }

  const Reading& reading_;
  const ProgramFacts& facts_;
  StopToken stop_;
  const std::function<void(const Analysis&)>& report_;
  IdVector<program::SourceFile, std::string> texts_;
  findings::SourceTerms terms_;
  findings::Suppressions suppressions_;
  Analysis analysis_;
};

void analyse_queries(const Reading& reading, StopToken stop, Analysis& analysis) {
  const dpn::ModelFile& model = *reading.model;
  for (std::size_t i = 0; i < model.queries.size(); ++i) {
    const dpn::Query& query = model.queries[i];
    const TextRange line = line_of(query, reading.lines, reading.text.content());
    const solver::Answer answer =
        solver::solve(model.network, solver::problem_of(query), {.witness = solver::WitnessChoice::None, .stop = stop});
    stop.check();
    if (answer.verdict == dpn::Verdict::Unknown) {
      analysis.remarks.push_back(
          {.range = line, .severity = Severity::Error, .code = {}, .message = why_unknown(answer), .related = {}});
      continue;
    }
    analysis.verdicts.push_back(
        {line, to_string(answer.verdict), FindingChoice{.rule = "query", .subject = std::to_string(i + 1)}});
    if (query.expected && *query.expected != answer.verdict)
      analysis.remarks.push_back(
          {.range = line,
           .severity = Severity::Warning,
           .code = "unexpected",
           .message = fmt::format("{}, expected {}", to_string(answer.verdict), to_string(*query.expected)),
           .related = {}});
  }
}

void analyse_cycles(const Reading& reading, StopToken stop, Analysis& analysis) {
  const dpn::Network& network = reading.model->network;
  const auto cycles = solver::find_deadlocks(
      network, {.max_cycles = max_cycles,
                .solving = solver::SolveOptions{.witness = solver::WitnessChoice::None, .stop = stop}});
  if (cycles.stopped) throw Interrupted{*cycles.stopped};
  const auto names = model_names(reading.text.content());
  for (const solver::LockCycle& cycle : cycles.cycles) {
    if (cycle.answer.verdict != dpn::Verdict::Reachable) continue;
    Remark remark{.range = {}, .severity = Severity::Error, .code = "deadlock", .message = "deadlock:", .related = {}};
    remark.message += ' ' + findings::cycle_text(network, cycle.shape);
    for (std::size_t i = 0; i < cycle.shape.size(); ++i) {
      const TextRange at = declaration(names, network.locks().name(cycle.shape.locks[i]));
      if (i == 0)
        remark.range = at;
      else
        remark.related.push_back({at, fmt::format("lock {}", network.locks().shown(cycle.shape.locks[i]))});
    }
    analysis.remarks.push_back(std::move(remark));
  }
}

}  // namespace

void analyse(const Reading& reading, const Decisions& earlier, StopToken stop,
             const std::function<void(const Analysis&)>& report) {
  if (reading.program) return ProgramAnalysis{reading, earlier, stop, report}.run();
  Analysis analysis;
  analyse_queries(reading, stop, analysis);
  report(analysis);
  analyse_cycles(reading, stop, analysis);
  report(analysis);
}

void move(Analysis& analysis, const lw::TextEdit& edit) {
  const auto moved = [&](TextRange& range) {
    if (range.end <= edit.replaced.begin) return true;
    if (range.begin < edit.replaced.end) return false;
    const std::uint32_t end = edit.replaced.begin + edit.length;
    range.begin = range.begin - edit.replaced.end + end;
    range.end = range.end - edit.replaced.end + end;
    return true;
  };
  std::erase_if(analysis.remarks, [&](Remark& remark) { return !moved(remark.range); });
  for (Remark& remark : analysis.remarks)
    std::erase_if(remark.related, [&](Remark::Related& related) { return !moved(related.range); });
  for (ShownFinding& shown : analysis.findings)
    std::erase_if(shown.sites, [&](TextRange& site) { return !moved(site); });
}

std::vector<Lens> lenses(const Reading& reading, const Analysis& analysis) {
  if (!reading.program) return analysis.verdicts;
  std::vector<Lens> shown;
  const lw::ProgramText& source = reading.program->source();
  const auto add = [&](lw::NameId name, const std::map<std::string, std::size_t>& races, FindingChoice choice) {
    const lw::Name& written = source.tree.names[name];
    const auto found = races.find(written.text);
    const std::size_t count = found == races.end() ? 0 : found->second;
    Lens lens{written.range, analysis.races_known ? fmt::format("races: {}", count) : "races: unknown"};
    if (count > 0) lens.findings = std::move(choice);
    shown.push_back(std::move(lens));
  };
  for (const lw::Declaration& declaration : source.tree.declarations) {
    if (const auto* variables = std::get_if<lw::SharedVariables>(&declaration)) {
      for (const auto& item : variables->items)
        add(item.name, analysis.races_of_variables, {.rule = "race", .subject = source.tree.names[item.name].text});
    } else if (const auto* procedure = std::get_if<lw::ProcedureDeclaration>(&declaration)) {
      add(procedure->name, analysis.races_in_procedures,
          {.rule = "race", .procedure = source.tree.names[procedure->name].text});
    }
  }
  return shown;
}

std::vector<const ShownFinding*> chosen(const Analysis& analysis, const FindingChoice& choice) {
  std::vector<const ShownFinding*> found;
  for (const ShownFinding& shown : analysis.findings) {
    const Finding& finding = *shown.finding;
    if (findings::to_string(finding.rule) != choice.rule) continue;
    if (!choice.subject.empty() && finding.subject != choice.subject) continue;
    const bool there = choice.procedure.empty() || std::ranges::any_of(finding.sites, [&](const findings::Site& site) {
                         return site.at.procedure == choice.procedure;
                       });
    if (there) found.push_back(&shown);
  }
  return found;
}

}  // namespace lockwood::lsp
