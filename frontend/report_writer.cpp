#include "frontend/report_writer.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/output_error.hpp"
#include "base/text_file.hpp"
#include "frontend/model_input.hpp"
#include "frontend/render_json.hpp"

namespace lockwood::frontend {

// The place of the answer: standard output or a file, opened at the first write.
class ReportWriter::Sink {
 public:
  explicit Sink(std::string path) : path_{std::move(path)} {}
  ~Sink() {
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  }
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  void write(const std::string& text) {
    if (file_ == nullptr) file_ = path_ == "-" ? stdout : std::fopen(path_.c_str(), "we");
    if (file_ == nullptr || std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0)
      fail();
  }

  // Closing may report a delayed error; a file is made even if nothing was to be written into it.
  void close() {
    if (path_ == "-") return;
    write("");
    std::FILE* closing = file_;
    file_ = nullptr;
    if (std::fclose(closing) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const { throw OutputError{path_ == "-" ? "standard output" : path_, std::strerror(errno)}; }

  std::string path_;
  std::FILE* file_ = nullptr;
};

ReportWriter::ReportWriter(Run& run, Shown shown) : run_{run}, sink_{std::make_unique<Sink>(run.options.output.path)} {
  const OutputOptions& output = run.options.output;
  const bool to_screen = output.path == "-";
  if (output.json_lines && output.json == "-")
    throw InputError{"lockwood", "--json and --jsonl want the same place; write --json=FILE"};
  text_ = !output.json_lines && output.json != "-";
  report_.command = run.command;
  view_.schedules = shown.schedules;
  view_.details = run.options.general.verbose;
  view_.style = to_screen ? style_for(run.options.general.color, STDOUT_FILENO)
                          : Style{run.options.general.color == ColorMode::Always};
  if (to_screen) view_.width = terminal_width(STDOUT_FILENO);
}

ReportWriter::~ReportWriter() = default;

void ReportWriter::put(const std::string& text) {
  const Progress::Pause pause{run_.progress};
  sink_->write(text);
}

void ReportWriter::about(ModelIdentity model) { report_.model = std::move(model); }

void ReportWriter::about(const ModelInput& model) {
  about(model.identity);
  model_ = &model;
}

void ReportWriter::locate(Witness& witness) const {
  if (model_ == nullptr || !model_->program || witness.network != &model_->file.network) return;
  const auto& [source, lowered] = *model_->program;
  for (const dpn::Move& move : witness.schedule.moves)
    witness.places.push_back(program::range_of(source.program, lowered.rules[move.rule]).begin);
}

void ReportWriter::expect_queries() { report_.queries.emplace(); }

void ReportWriter::expect_findings() { report_.findings.emplace(); }

void ReportWriter::add(findings::Finding finding) {
  if (!report_.findings) report_.findings.emplace();
  if (text_) put(to_text(finding, view_));
  if (run_.options.output.json_lines) put(to_json_line(finding));
  report_.findings->push_back(std::move(finding));
}

void ReportWriter::add(Section section) {
  if (auto* execution = std::get_if<Execution>(&section)) locate(execution->witness);
  if (text_) put((report_.sections.empty() ? "" : "\n") + to_text(section, view_));
  report_.sections.push_back(std::move(section));
}

void ReportWriter::add(QueryAnswer answer) {
  if (answer.schedule) locate(*answer.schedule);
  if (!report_.queries) report_.queries.emplace();
  if (text_) put(to_text(answer, view_));
  if (run_.options.output.json_lines) put(to_json_line(answer));
  report_.queries->push_back(std::move(answer));
}

void ReportWriter::expect_script() { report_.script.emplace(); }

void ReportWriter::add(sets::Result result) {
  if (!run_.options.output.timing && !std::holds_alternative<sets::Timed>(result.what)) result.seconds.reset();
  if (text_) put(to_text(result, view_));
  report_.script->push_back(std::move(result));
}

void ReportWriter::finish() {
  run_.supervisor.computation_ended();
  const OutputOptions& output = run_.options.output;
  if (const auto reason = run_.stop.reason()) report_.stopped = to_string(*reason);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - run_.start;
  if (output.timing) {
    report_.seconds = elapsed.count();
    if (text_) run_.note(std::to_string(elapsed.count()) + " s");
  }
  if (output.json == "-") put(to_json(report_));
  if (output.json && output.json != "-") write_text_file(*output.json, to_json(report_));
  sink_->close();
}

}  // namespace lockwood::frontend
