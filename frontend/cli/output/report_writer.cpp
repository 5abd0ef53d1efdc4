#include "frontend/cli/output/report_writer.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <set>
#include <utility>

#include "base/process/output_error.hpp"
#include "base/process/text_file.hpp"
#include "base/text/json.hpp"
#include "dpn/model/rule_positions.hpp"
#include "frontend/cli/answering/query_finding.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/input/program_input.hpp"
#include "frontend/cli/output/work_note.hpp"
#include "frontend/findings/analyses/model_view.hpp"
#include "frontend/findings/assumptions.hpp"
#include "frontend/report/html/html_page.hpp"
#include "frontend/report/json/render_json.hpp"
#include "frontend/report/svcomp/violation_witness.hpp"
#include "frontend/report/version.hpp"

namespace lockwood::frontend {
namespace {

// Standard output has room for one answer.
void refuse_shared_screen(const OutputOptions& output) {
  const bool answer = output.path == "-" && (output.json_lines || output.json == "-");
  if ((answer ? 1 : 0) + (output.sarif == "-" ? 1 : 0) + (output.html == "-" ? 1 : 0) > 1)
    throw InputError{"lockwood",
                     "two of --json, --jsonl, --sarif and --html want standard output; write one to a file"};
}

}  // namespace

ReportWriter::ReportWriter(Run& run, Shown shown)
    : run_{run},
      time_{run.stop},
      expectations_{shown.expectations},
      first_{shown.first},
      sink_{run.options.output.path, run.supervisor} {
  report_.subject = std::move(shown.subject);
  const OutputOptions& output = run.options.output;
  const bool to_screen = output.path == "-";
  if (output.json_lines && output.json == "-")
    throw InputError{"lockwood", "--json and --jsonl want the same place; write --json=FILE"};
  if (output.baseline)
    baseline_ = findings::known_findings(read_text_file(*output.baseline, run.stop), *output.baseline);
  text_ = !output.json_lines && output.json != "-";
  refuse_shared_screen(output);
  if (to_screen && (output.sarif == "-" || output.html == "-")) text_ = false;
  report_.command = run.command;
  view_.schedules = shown.schedules;
  view_.details = run.options.general.verbose;
  view_.style = to_screen ? style_for(run.options.general.color, STDOUT_FILENO)
                          : Style{run.options.general.color == ColorMode::Always};
  if (to_screen) view_.width = terminal_width(STDOUT_FILENO);
  view_.sources = &sources_;
}

void ReportWriter::put(const std::string& text) {
  const Progress::Pause pause{run_.progress};
  sink_.write(text);
}

namespace {

constexpr std::size_t lines_of_abridged = 1000;

template <class Element>
void shorten(std::vector<Element>& elements) {
  if (elements.size() > lines_of_abridged) elements.erase(elements.begin() + lines_of_abridged, elements.end());
}

void shorten(PropertyList& /*is short*/) {}
void shorten(Summary& /*is short*/) {}
void shorten(Table& table) { shorten(table.rows); }
void shorten(Listing& listing) { shorten(listing.lines); }
void shorten(Execution& execution) {
  dpn::Schedule& schedule = execution.witness.schedule;
  shorten(schedule.moves);
  shorten(execution.witness.places);
  std::erase_if(schedule.cuts, [&](std::size_t cut) { return cut > schedule.moves.size(); });
}

void abridge(QueryAnswer& answer, StopReason reason) {
  if (!answer.schedule) return;
  answer.schedule.reset();
  answer.explanation.push_back(std::string{"its execution is left out: "} + to_string(reason));
}

void abridge(findings::Finding& finding, StopReason reason) {
  if (finding.schedule.empty()) return;
  finding.schedule.clear();
  finding.threads.clear();
  for (findings::Site& site : finding.sites) {
    site.stack.clear();
    site.step.reset();
  }
  finding.explanation.push_back(std::string{"its schedule is left out: "} + to_string(reason));
}

void abridge(Section& section, StopReason /*is told elsewhere*/) {
  std::visit([](auto& content) { shorten(content); }, section);
}

void abridge(Report& report, StopReason reason) {
  report.stopped = to_string(reason);
  for (Section& section : report.sections) abridge(section, reason);
  if (report.queries)
    for (QueryAnswer& answer : *report.queries) abridge(answer, reason);
  if (report.findings)
    for (findings::Finding& finding : *report.findings) abridge(finding, reason);
  report.background.clear();
}

}  // namespace

// Whoever abridges once may do so again, for another piece.
template <class Render, class Abridge>
auto ReportWriter::within_time(const Render& render, const Abridge& shorten) {
  try {
    return render(time_.token());
  } catch (const Interrupted&) {
    const StopReason reason = *run_.stop.reason();
    if (!std::exchange(run_.abridged, true))
      run_.note(std::string{to_string(reason)} + ": long executions and tables are left out or shortened");
    shorten(reason);
    return render(StopToken{});
  }
}

template <class Part>
std::string ReportWriter::text_of(Part& part) {
  const auto text = [&](StopToken stop) {
    view_.stop = stop;
    return to_text(part, view_);
  };
  return within_time(text, [&](StopReason reason) { abridge(part, reason); });
}

void ReportWriter::write_instead(const std::string& content) {
  text_ = false;
  put(content);
}

double ReportWriter::seconds_since_start() const {
  return std::chrono::duration<double>{std::chrono::steady_clock::now() - run_.start}.count();
}

void ReportWriter::about(ModelIdentity model) { report_.model = std::move(model); }

void ReportWriter::about(const ModelInput& model) {
  about(model.identity);
  model_ = &model;
  network_ = &model.file.network;
  if (!model.text.empty()) sources_.add(model.identity.path, model.text);
  if (!model.program) return;
  program_ = &model.program->source.program;
  lowered_ = &model.program->lowered;
  for (program::SourceFile file : model.program->texts.keys())
    sources_.add(program_->files[file], model.program->texts[file]);
  report_.assumptions = model.program->assumptions;
}

void ReportWriter::about(const ProgramInput& program) {
  about(program.identity);
  network_ = &program.lowered().network;
  program_ = &program.program();
  lowered_ = &program.lowered();
  for (program::SourceFile file : program.texts.keys()) sources_.add(program_->files[file], program.texts[file]);
  report_.assumptions = program.model.assumptions;
}

std::span<const findings::Assumption> ReportWriter::assumptions() const {
  return report_.assumptions ? std::span{*report_.assumptions} : std::span<const findings::Assumption>{};
}

void ReportWriter::locate(Witness& witness) const {
  if (model_ == nullptr || !model_->program || witness.network != &model_->file.network) return;
  const ProgramModel& program = *model_->program;
  for (const dpn::Move& move : witness.schedule.moves)
    witness.places.push_back(program::range_of(program.source.program, program.lowered.rules[move.rule]).begin);
}

void ReportWriter::expect_queries() { report_.queries.emplace(); }

void ReportWriter::expect_findings() { report_.findings.emplace(); }

void ReportWriter::add(findings::Finding finding) {
  if (!report_.findings) report_.findings.emplace();
  if (baseline_) {
    const bool known =
        std::ranges::find(baseline_->open, finding.id, &findings::KnownFinding::id) != baseline_->open.end();
    finding.baseline = known ? findings::BaselineState::Unchanged : findings::BaselineState::New;
  }
  findings::add_assumptions(finding, assumptions());
  if (leaves_out(finding)) return;
  if (text_) put(text_of(finding));
  if (run_.options.output.json_lines)
    put(within_time([&](StopToken stop) { return to_json_line(finding, stop); },
                    [&](StopReason reason) { abridge(finding, reason); }));
  report_.findings->push_back(std::move(finding));
}

// As the options say which findings to write.
bool ReportWriter::leaves_out(findings::Finding& finding) {
  if (finding.outcome != findings::Outcome::Found) return false;
  const OutputOptions& output = run_.options.output;
  if (output.only_executed && !findings::is_certain(finding)) {
    only_possible_.push_back(finding.id);
    return true;
  }
  ++found_;
  if (!output.max_findings || found_ <= *output.max_findings) return false;
  finding.schedule.clear();
  finding.threads.clear();
  unwritten_.push_back(std::move(finding));
  return true;
}

void ReportWriter::report_left_out() const {
  const auto count_text = [](std::size_t number) {
    return number == 1 ? std::string{"1 finding is"} : fmt::format("{} findings are", number);
  };
  if (!only_possible_.empty())
    run_.note(fmt::format("{} only possible and not written (--only=executed)", count_text(only_possible_.size())));
  if (!unwritten_.empty()) run_.note(fmt::format("{} not written (--max-findings)", count_text(unwritten_.size())));
}

void ReportWriter::add(Section section) {
  const std::size_t left_out = unwritten_.size() + only_possible_.size();
  if (auto* summary = std::get_if<Summary>(&section); summary != nullptr && left_out > 0)
    summary->properties.push_back({"not_written", count(left_out)});
  if (auto* execution = std::get_if<Execution>(&section)) locate(execution->witness);
  if (auto* summary = std::get_if<Summary>(&section); summary != nullptr && report_.assumptions) {
    const auto gaps = std::ranges::count_if(*report_.assumptions, &findings::Assumption::is_gap);
    summary->properties.push_back({"assumptions", count(report_.assumptions->size())});
    summary->properties.push_back({"gaps", count(static_cast<std::size_t>(gaps))});
  }
  if (text_) {
    if (view_.width) view_.seconds = seconds_since_start();
    put((report_.sections.empty() ? "" : "\n") + text_of(section));
  }
  report_.sections.push_back(std::move(section));
}

void ReportWriter::add(QueryAnswer answer) {
  if (answer.schedule) locate(*answer.schedule);
  if (!report_.queries) report_.queries.emplace();
  if (text_) put(text_of(answer));
  if (run_.options.output.json_lines)
    put(within_time([&](StopToken stop) { return to_json_line(answer, stop); },
                    [&](StopReason reason) { abridge(answer, reason); }));
  report_.queries->push_back(std::move(answer));
}

void ReportWriter::expect_script() { report_.script.emplace(); }

void ReportWriter::add(sets::Result result) {
  // Whoever looks on is told how long each check took; what is kept is the same in each run, unless that is not wanted.
  const bool kept = run_.options.output.timing || std::holds_alternative<sets::Timed>(result.what);
  const bool told = kept || (view_.width && std::holds_alternative<sets::Checked>(result.what));
  if (!told) result.seconds.reset();
  if (text_) put(to_text(result, view_));
  if (!kept) result.seconds.reset();
  report_.script->push_back(std::move(result));
}

void ReportWriter::add_background(findings::Finding finding) { report_.background.push_back(std::move(finding)); }

std::vector<findings::Finding> ReportWriter::all_findings(StopToken stop) const {
  std::vector<findings::Finding> all = report_.findings.value_or(std::vector<findings::Finding>{});
  if (!report_.queries || model_ == nullptr) return all;
  IdVector<dpn::RuleId, Position> positions;
  if (!model_->text.empty()) positions = dpn::rule_positions(model_->file.network, model_->text);
  for (const QueryAnswer& answer : *report_.queries) {
    all.push_back(query_finding(*model_, answer, positions, stop));
    if (expectations_ && answer.verdict != dpn::Verdict::Unknown)
      all.back().as_expected = !contradicts_expectation(answer);
  }
  return all;
}

// What the earlier report has found and this run, which was looking for it and came to its end, has not.
std::vector<findings::KnownFinding> ReportWriter::absent_findings() const {
  std::vector<findings::KnownFinding> absent;
  if (!baseline_ || report_.stopped || first_ || !report_.findings) return absent;
  for (const findings::KnownFinding& known : baseline_->open) {
    const bool looked_for =
        findings::looks_for(report_.command, known.rule) && (!report_.subject || known.subject == *report_.subject);
    const bool there =
        std::ranges::any_of(*report_.findings,
                            [&](const findings::Finding& finding) {
                              return finding.id == known.id && finding.outcome != findings::Outcome::Excluded;
                            }) ||
        std::ranges::find(unwritten_, known.id, &findings::Finding::id) != unwritten_.end() ||
        std::ranges::find(only_possible_, known.id) != only_possible_.end();
    if (looked_for && !there) absent.push_back(known);
  }
  return absent;
}

// A run that was stopped has no time left, but the page shows the model nevertheless: it is part of what is brought
// into words. Where memory is short, there is nothing to give.
nlohmann::ordered_json ReportWriter::model_view() {
  const reports::ViewedModel model{.network = *network_, .program = program_, .lowered = lowered_};
  return reports::model_view(model, run_.stop.reason() == StopReason::Memory ? run_.stop : time_.token());
}

reports::SarifRun ReportWriter::log_of(const std::vector<findings::Finding>& found) const {
  return {.version = version(),
          .command = report_.command,
          .findings = found,
          .sources = sources_,
          .absent = absent_findings(),
          .assumptions = assumptions(),
          .stopped = report_.stopped.value_or(""),
          .bounds = run_.options.output.sarif_bounds};
}

std::string ReportWriter::page(const std::vector<findings::Finding>& found, const nlohmann::ordered_json& view,
                               StopToken stop) const {
  return reports::html_page(
      {.version = version(),
       .command = report_.command,
       .title = report_.model ? report_.model->path : "",
       .digest = report_.model ? report_.model->sha256.value_or("") : "",
       .findings = found,
       .background = report_.background,
       .sources = sources_,
       .model = view,
       .assumptions = assumptions(),
       .stopped = report_.stopped ? fmt::format("{} after {:.2f} s", *report_.stopped, seconds_since_start()) : ""},
      stop);
}

namespace {

// When the file was written: the same input has the same witnesses, whenever they are made. Of what is no file, the
// beginning of time.
std::string time_of_change(const std::string& path) {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0) status.st_mtime = 0;
  std::tm parts{};
  ::gmtime_r(&status.st_mtime, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

// Each of the runs that were executed, as a file of its own.
void ReportWriter::write_witnesses(const std::string& folder, const std::vector<findings::Finding>& found) const {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw OutputError{folder, failure.message()};
  const reports::WitnessedProgram program{.version = version(),
                                          .path = report_.model->path,
                                          .digest = report_.model->sha256.value_or(""),
                                          .changed = time_of_change(report_.model->path)};
  std::set<std::string> written;
  for (const findings::Finding& finding : found) {
    const auto witness = reports::violation_witness(finding, program);
    if (!witness || !written.insert(finding.id).second) continue;
    write_text_file((std::filesystem::path{folder} / (finding.id + ".graphml")).string(), *witness);
  }
  if (written.empty()) run_.note(folder + ": no race and no failed assertion was executed, so there are no witnesses");
}

// The files besides the text.
void ReportWriter::write_files() {
  const OutputOptions& output = run_.options.output;
  if (!output.sarif && !output.html && !output.svcomp) return;
  std::vector<findings::Finding> found = within_time([&](StopToken stop) { return all_findings(stop); },
                                                     [&](StopReason reason) { abridge(report_, reason); });
  const auto abridge_all = [&](StopReason reason) {
    abridge(report_, reason);
    found = all_findings({});
  };
  if (output.sarif) {
    std::optional<reports::SarifRun> log = log_of(found);
    const auto abridge_log = [&](StopReason reason) {
      abridge_all(reason);
      log.emplace(log_of(found));
    };
    write_text_file(*output.sarif, within_time([&](StopToken stop) { return to_sarif(*log, stop); }, abridge_log));
    for (const std::string& lacking : reports::omissions(*log)) run_.note(*output.sarif + ": " + lacking);
  }
  if (output.svcomp && report_.model) write_witnesses(*output.svcomp, found);
  if (output.html) {
    run_.progress.show("the page");
    const nlohmann::ordered_json view = network_ == nullptr ? nullptr : model_view();
    write_text_file(*output.html, within_time([&](StopToken stop) { return page(found, view, stop); }, abridge_all));
  }
}

// On a terminal, queries are summed up as findings are; elsewhere, each line of the text is an answer.
void ReportWriter::report_summary() {
  if (!report_.queries || report_.queries->empty() || !text_ || !view_.width) return;
  const std::string line = fmt::format("{}, {:.2f} s", summary_of(*report_.queries), seconds_since_start());
  put(view_.style(Tone::Strong, wrapped(line, std::max<std::size_t>(*view_.width, 20), 2)) + '\n');
}

void ReportWriter::finish() {
  const OutputOptions& output = run_.options.output;
  if (const auto reason = run_.stop.reason()) {
    report_.stopped = to_string(*reason);
    run_.note(*report_.stopped + ": there may be more to say");
  }
  const double seconds = seconds_since_start();
  if (output.timing) {
    report_.seconds = seconds;
    if (text_) run_.note(std::to_string(seconds) + " s");
  }
  report_summary();
  report_left_out();
  write_files();
  report_.engine = engine_work(run_);
  report_work(report_, run_);
  if (output.json) {
    const std::string text = within_time([&](StopToken stop) { return to_json(report_, stop); },
                                         [&](StopReason reason) { abridge(report_, reason); });
    if (output.json == "-")
      put(text);
    else
      write_text_file(*output.json, text);
  }
  sink_.close();
  run_.supervisor.answer_is_written();
}

}  // namespace lockwood::frontend
