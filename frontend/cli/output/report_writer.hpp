#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "base/process/rendering_time.hpp"
#include "frontend/cli/output/answer_sink.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/findings/difference.hpp"
#include "frontend/findings/narrative/source_texts.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "frontend/report/report.hpp"
#include "frontend/report/sarif/sarif.hpp"
#include "frontend/report/text/render_text.hpp"

namespace lockwood::frontend {

struct ModelInput;
struct ProgramInput;

// Where a command's answer goes, and in which format, is decided here and nowhere else. Text and JSON lines are written
// piece by piece and flushed, so that a run that is killed keeps its answers; JSON is written at the end. Everything
// throws OutputError if it cannot be written.
class ReportWriter {
 public:
  // Which parts of answers the text shows is the command's choice; colours and width are found out here.
  struct Shown {
    bool schedules = false;
    std::optional<std::string> subject = {};  // of the findings that were looked for, if not for all
    bool expectations = false;                // what contradicts the model's author is at fault, and nothing else
    bool first = false;                       // the search ends with the first finding
  };
  explicit ReportWriter(Run& run) : ReportWriter{run, Shown{}} {}
  ReportWriter(Run& run, Shown shown);
  ReportWriter(const ReportWriter&) = delete;
  ReportWriter& operator=(const ReportWriter&) = delete;

  // What the results are about; for JSON, and only before finish().
  void about(ModelIdentity model);
  // The same, and executions added from now on know their places in the program, if the model was made of one. The
  // model must outlive the writer.
  void about(const ModelInput& model);
  // The same for a program. It must outlive the writer.
  void about(const ProgramInput& program);
  // The command answers queries, even if it turns out that there are none.
  void expect_queries();
  // The command runs scripts, even if nothing comes of it.
  void expect_script();
  // The command looks for findings, even if it turns out that there are none.
  void expect_findings();
  void add(Section section);
  void add(findings::Finding finding);
  // For the picture of it all (`--html`) only.
  void add_background(findings::Finding finding);
  void add(QueryAnswer answer);
  // The times of statements are left out, unless asked for by the user or by the statement.
  void add(sets::Result result);
  [[nodiscard]] const std::vector<QueryAnswer>& answers() const { return *report_.queries; }
  [[nodiscard]] const std::vector<findings::Finding>& findings() const { return *report_.findings; }
  // What was found and is not written because there were enough: without schedules.
  [[nodiscard]] const std::vector<findings::Finding>& unwritten() const { return unwritten_; }

  // Something else, such as a picture, takes the place of the text: what is added from now on is for the files.
  void write_instead(const std::string& content);

  // Writes the rest. Nothing may be added afterwards.
  void finish();

 private:
  void put(const std::string& text);
  // What `render` makes of the whole, or, if a stop leaves no time for that, of what `abridge` has left of it.
  template <class Render, class Abridge>
  [[nodiscard]] auto within_time(const Render& render, const Abridge& abridge);
  template <class Part>
  [[nodiscard]] std::string text_of(Part& part);
  [[nodiscard]] std::span<const findings::Assumption> assumptions() const;
  void locate(Witness& witness) const;
  [[nodiscard]] std::vector<findings::Finding> all_findings(StopToken stop) const;
  [[nodiscard]] std::vector<findings::KnownFinding> absent_findings() const;
  [[nodiscard]] double seconds_since_start() const;
  [[nodiscard]] nlohmann::ordered_json model_view();
  [[nodiscard]] reports::SarifRun log_of(const std::vector<findings::Finding>& found) const;
  [[nodiscard]] std::string page(const std::vector<findings::Finding>& found, const nlohmann::ordered_json& view,
                                 StopToken stop) const;
  [[nodiscard]] bool leaves_out(findings::Finding& finding);
  void report_left_out() const;
  void write_files();
  void write_witnesses(const std::string& folder, const std::vector<findings::Finding>& found) const;
  void report_summary();

  Run& run_;
  RenderingTime time_;
  const ModelInput* model_ = nullptr;
  const dpn::Network* network_ = nullptr;
  const program::Program* program_ = nullptr;
  const program::Lowered* lowered_ = nullptr;
  bool expectations_;
  bool first_;
  findings::SourceTexts sources_;
  std::optional<findings::KnownFindings> baseline_;
  Report report_;
  std::vector<findings::Finding> unwritten_;
  std::size_t found_ = 0;                   // findings that are written, or are not for want of room
  std::vector<std::string> only_possible_;  // ids of findings that are not written because of that
  TextView view_;
  bool text_;  // else JSON, JSON lines or a picture take the text's place
  AnswerSink sink_;
};

}  // namespace lockwood::frontend
