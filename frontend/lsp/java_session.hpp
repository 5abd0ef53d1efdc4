#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/process/temporary_folder.hpp"
#include "frontend/lsp/java_check.hpp"
#include "frontend/lsp/java_diagnostics.hpp"
#include "frontend/lsp/java_settings.hpp"
#include "frontend/lsp/worker.hpp"

namespace lockwood::lsp {

// The part of a conversation that is about Java programs: when a source is saved, it is compiled, and its program is
// looked at. Findings are told for all sources of the program, open or not. They stay until the next save; editors move
// them while somebody types.
class JavaSession {
 public:
  // `post`: has work done by the thread of the server, which is the only one that talks to the editor.
  using Post = std::function<void(std::function<void()>)>;
  JavaSession(JavaSettings settings, Limits limits, Post post);

  // The commands that `workspace/executeCommand` may name.
  [[nodiscard]] static Json commands();

  // What the editor says about itself, the workspace and its settings. Throws Json::exception.
  void initialize(const Json& parameters);
  // How many diagnostics are told of one source at most; 0: all.
  void set_most_diagnostics(std::size_t most) { max_diagnostics_ = most; }
  // Whether the message is for us; then it is done. Throws Json::exception.
  [[nodiscard]] bool take_notice(const std::string& method, const Json& parameters);
  // The answer, if the request is for us. Throws Json::exception.
  [[nodiscard]] std::optional<Json> answer(const std::string& method, const Json& parameters);

 private:
  void configure(const Json& told);
  void check(const std::string& file);
  [[nodiscard]] JavaRequest request_for(const std::string& file);
  void run(const JavaRequest& request, std::uint64_t number, StopSource& source);
  void begin(std::uint64_t number);
  void report_stage(std::uint64_t number, const std::string& stage);
  void publish(const std::shared_ptr<const JavaDiagnostics>& remarks);
  void end(std::uint64_t number);
  [[nodiscard]] Json code_actions(const std::string& uri, const Json& range) const;
  void show_page(const Json& arguments);

  JavaSettings given_;  // on the command line
  JavaSettings settings_;
  Limits limits_;
  Post post_;
  std::string workspace_;
  std::size_t max_diagnostics_ = 0;
  bool shows_progress_ = false;
  bool shows_documents_ = false;
  TemporaryFolder folder_;                      // of classes and pages
  std::map<std::string, std::string> mains_;    // by root, the class of the source with a main that was saved last
  std::map<std::string, std::string> classes_;  // by root, if the settings name no folder
  std::set<std::string> published_;             // the addresses of the sources that something is said about
  std::shared_ptr<const JavaDiagnostics> remarks_;
  std::optional<JavaRequest> last_;
  std::uint64_t runs_ = 0;
  std::uint64_t pages_ = 0;
  std::shared_ptr<StopSource> running_;
  Worker worker_;  // the last members: their jobs use the others
  Worker pages_worker_;
};

}  // namespace lockwood::lsp
