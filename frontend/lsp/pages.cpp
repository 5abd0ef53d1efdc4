#include "frontend/lsp/pages.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/process/child_process.hpp"
#include "base/process/temporary_folder.hpp"
#include "base/process/text_file.hpp"
#include "base/text/json.hpp"
#include "frontend/findings/analyses/model_view.hpp"
#include "frontend/findings/narrative/source_texts.hpp"
#include "frontend/lsp/file_uri.hpp"
#include "frontend/lsp/protocol.hpp"
#include "frontend/report/html/html_page.hpp"

namespace lockwood::lsp {

std::string page_of(const Analysis& analysis, const FindingChoice& choice, const std::string& version, StopToken stop) {
  const auto shown = chosen(analysis, choice);
  if (shown.empty()) return {};
  std::vector<findings::Finding> found;
  found.reserve(shown.size());
  for (const ShownFinding* each : shown) found.push_back(*each->finding);
  const ProgramFacts& facts = *analysis.decisions.program;
  findings::SourceTexts texts;
  texts.add(facts.source().path, facts.source().text);
  const nlohmann::ordered_json model = reports::model_view(
      {.network = facts.lowered().network, .program = &facts.source().program, .lowered = &facts.lowered()}, stop);
  return reports::html_page({.version = version,
                             .command = choice.rule,
                             .title = facts.source().path,
                             .digest = "",
                             .findings = found,
                             .background = {},
                             .sources = texts,
                             .model = model},
                            stop);
}

// The file has a fixed name: what an editor calls it never becomes part of a path or a command.
std::string write_query_page(const std::string& model, std::size_t number, const Limits& limits,
                             const std::string& path, StopToken stop) {
  const TemporaryFolder folder;
  write_text_file(folder.path() + "/model.dpn", model);
  std::vector<std::string> words{"sh",
                                 "-c",
                                 "cd \"$0\" && exec \"$@\"",
                                 folder.path(),
                                 std::filesystem::read_symlink("/proc/self/exe"),
                                 "check",
                                 "model.dpn",
                                 "--config=none",
                                 "--quiet",
                                 fmt::format("--query={}", number),
                                 "--html=" + path};
  if (limits.timeout) words.push_back(fmt::format("--timeout={}ms", limits.timeout->count()));
  if (limits.memory) words.push_back(fmt::format("--max-memory={}", *limits.memory));
  const auto output = run_program(words, stop);
  stop.check();
  std::error_code unknown;
  return output && std::filesystem::exists(path, unknown) ? "" : output ? output->text : "the answer was not found";
}

void show_page(const std::string& id, const std::string& path, const std::string& place, bool shows_documents) {
  if (!shows_documents) return write_message(notification("window/showMessage", {{"type", 3}, {"message", path}}));
  write_message({{"jsonrpc", "2.0"},
                 {"id", id},
                 {"method", "window/showDocument"},
                 {"params", {{"uri", uri_of_path(path) + (place.empty() ? "" : "#" + place)}, {"external", true}}}});
}

void report_failure(const std::string& why) {
  write_message(notification("window/showMessage", {{"type", 1}, {"message", why}}));
}

}  // namespace lockwood::lsp
