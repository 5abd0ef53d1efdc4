#include "frontend/lsp/java_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/process/text_file.hpp"
#include "frontend/java/source_files.hpp"
#include "frontend/lsp/file_uri.hpp"
#include "frontend/lsp/limit.hpp"
#include "frontend/lsp/pages.hpp"
#include "frontend/lsp/protocol.hpp"

namespace lockwood::lsp {
namespace fs = std::filesystem;
namespace {

constexpr const char* page_command = "lockwood.showJavaPage";

bool is_java(const std::string& uri) { return uri.ends_with(".java"); }

std::string uri_in(const Json& parameters) {
  return parameters.contains("textDocument") ? parameters.at("textDocument").value("uri", std::string{})
                                             : std::string{};
}

bool says_true(const Json& json, const char* pointer) {
  const Json::json_pointer path{pointer};
  return json.contains(path) && json.at(path) == true;
}

std::string token(std::uint64_t number) { return fmt::format("lockwood-java-{}", number); }

void report_progress(std::uint64_t number, Json value) {
  write_message(notification("$/progress", {{"token", token(number)}, {"value", std::move(value)}}));
}

// The blanks at the beginning of a line of a file, which what is put above it gets, too.
std::string indentation(const std::string& file, std::uint32_t line) {
  try {
    const Text text{read_text_file(file)};
    const std::string& content = text.content();
    const std::size_t begin = text.offset({line, 0});
    return content.substr(begin, std::min(content.find_first_not_of(" \t", begin), content.size()) - begin);
  } catch (const InputError&) {
    return {};
  }
}

Json ignoring(const JavaFinding& finding, const JavaFinding::Line& at) {
  const std::string uri = uri_of_path(at.file);
  const Json place{{"line", at.line}, {"character", 0}};
  const std::string subject = finding.subject.substr(finding.subject.rfind('.') + 1);
  const bool clear = finding.rule == "race" && subject.find_first_of(" ,()[]") == std::string::npos;
  const Json edit{{"range", {{"start", place}, {"end", place}}},
                  {"newText", fmt::format("{}// lockwood: ignore {}{} -- say why\n", indentation(at.file, at.line),
                                          finding.rule, clear ? "(" + subject + ")" : "")}};
  return {{"title", fmt::format("Ignore this {}", finding.rule)},
          {"kind", "quickfix"},
          {"edit", {{"changes", {{uri, Json::array({edit})}}}}}};
}

// The first of them, by severity, and a note about the rest.
Json limited(const Json& diagnostics, std::size_t most) {
  if (most == 0 || diagnostics.size() <= most) return diagnostics;
  std::vector<const Json*> order;
  for (const Json& each : diagnostics) order.push_back(&each);
  std::ranges::stable_sort(order, {}, [](const Json* each) { return each->at("severity").get<int>(); });
  Json kept = Json::array();
  for (std::size_t i = 0; i + 1 < most; ++i) kept.push_back(*order[i]);
  kept.push_back({{"range", to_json(Text{""}, TextRange{})},
                  {"severity", 3},
                  {"source", "lockwood"},
                  {"message", left_out_text(diagnostics.size() - kept.size(), most)}});
  return kept;
}

Json showing(const JavaFinding& finding) {
  const std::string title = fmt::format("Show the schedule of this {} as a page", finding.rule);
  return {{"title", title},
          {"kind", "quickfix"},
          {"command",
           {{"title", title},
            {"command", page_command},
            {"arguments", Json::array({{{"rule", finding.rule}, {"id", finding.id}}})}}}};
}

}  // namespace

JavaSession::JavaSession(JavaSettings settings, Limits limits, Post post)
    : given_{std::move(settings)},
      settings_{given_},
      limits_{limits},
      post_{std::move(post)},
      workspace_{fs::current_path().string()} {}

Json JavaSession::commands() { return Json::array({page_command}); }

void JavaSession::initialize(const Json& parameters) {
  if (const auto root = parameters.find("rootUri"); root != parameters.end() && root->is_string())
    if (const auto path = path_of_uri(root->get<std::string>())) workspace_ = *path;
  shows_progress_ = says_true(parameters, "/capabilities/window/workDoneProgress");
  shows_documents_ = says_true(parameters, "/capabilities/window/showDocument/support");
  if (const auto options = parameters.find("initializationOptions");
      options != parameters.end() && options->is_object() && options->contains("java"))
    configure(options->at("java"));
}

void JavaSession::configure(const Json& told) {
  JavaSettings settings = given_;
  take_settings(settings, told);
  settings_ = std::move(settings);
}

bool JavaSession::take_notice(const std::string& method, const Json& parameters) {
  if (method == "workspace/didChangeConfiguration") {
    const Json::json_pointer ours{"/settings/lockwood/java"};
    if (parameters.contains(ours)) {
      configure(parameters.at(ours));
      if (last_) check(last_->file);
    }
    return true;
  }
  const std::string uri = uri_in(parameters);
  if (!is_java(uri)) return false;
  const auto file = path_of_uri(uri);
  // What is open already is a part of the program that was looked at.
  if (file && (method == "textDocument/didSave" || (method == "textDocument/didOpen" && !last_))) check(*file);
  return true;
}

std::optional<Json> JavaSession::answer(const std::string& method, const Json& parameters) {
  if (method == "workspace/executeCommand" && parameters.value("command", std::string{}) == page_command) {
    show_page(parameters.at("arguments").at(0));
    return Json{};
  }
  if (method != "textDocument/codeAction" || !is_java(uri_in(parameters))) return std::nullopt;
  return code_actions(uri_in(parameters), parameters.at("range"));
}

JavaRequest JavaSession::request_for(const std::string& file) {
  const std::string text = read_text_file(file);
  JavaRequest request{.file = file,
                      .workspace = workspace_,
                      .root = java::source_root(file, text),
                      .classes = {},
                      .main_class = settings_.main_class,
                      .settings = settings_,
                      .limits = limits_};
  if (has_main(text)) {
    const std::string package = java::package_of(text);
    mains_[request.root] = (package.empty() ? "" : package + ".") + fs::path{file}.stem().string();
  }
  if (request.main_class.empty())
    if (const auto known = mains_.find(request.root); known != mains_.end()) request.main_class = known->second;
  if (!settings_.output_folder.empty()) {
    const fs::path output{settings_.output_folder};
    request.classes = output.is_absolute() ? output.string() : workspace_ + '/' + output.string();
  } else {
    const auto [own, is_new] = classes_.try_emplace(request.root);
    if (is_new) own->second = fmt::format("{}/{}", folder_.path(), classes_.size());
    request.classes = own->second;
  }
  // Where the program begins, there is all of it; else javac is told of all sources at first.
  std::error_code unknown;
  request.all_sources = !has_main(text) && fs::is_empty(request.classes, unknown);
  if (settings_.compile_command.empty()) fs::create_directories(request.classes, unknown);
  return request;
}

void JavaSession::check(const std::string& file) {
  if (running_) running_->request(StopReason::Cancelled);
  try {
    last_ = request_for(file);
  } catch (const InputError&) {
    return;  // an editor may name a source that is not on the disk yet
  }
  const std::uint64_t number = ++runs_;
  begin(number);
  running_ = worker_.start([this, request = *last_, number](StopSource& source) { run(request, number, source); });
}

void JavaSession::run(const JavaRequest& request, std::uint64_t number, StopSource& source) {
  const auto tell = [&](const JavaDiagnostics& remarks) {
    post_([this, number, known = std::make_shared<const JavaDiagnostics>(remarks)] {
      if (number == runs_) publish(known);
    });
  };
  const auto on_stage = [&](const std::string& stage) {
    post_([this, number, stage] { report_stage(number, stage); });
  };
  try {
    StopToken{source}.check();
    check_java(request, {.on_stage = on_stage, .on_remarks = tell}, StopToken{source});
  } catch (const Interrupted&) {  // by a new save
  } catch (const std::exception& error) {
    JavaDiagnostics remarks;
    remarks.add({{.severity = Severity::Error, .message = error.what(), .excerpt = {}}}, request.file, request.root,
                {});
    tell(remarks);
  }
  post_([this, number] { end(number); });
}

void JavaSession::begin(std::uint64_t number) {
  if (!shows_progress_) return;
  write_message({{"jsonrpc", "2.0"},
                 {"id", token(number)},
                 {"method", "window/workDoneProgress/create"},
                 {"params", {{"token", token(number)}}}});
  report_progress(number, {{"kind", "begin"}, {"title", "Lockwood"}, {"message", "compiling"}});
}

void JavaSession::report_stage(std::uint64_t number, const std::string& stage) {
  if (shows_progress_) report_progress(number, {{"kind", "report"}, {"message", stage}});
}

void JavaSession::end(std::uint64_t number) {
  if (shows_progress_) report_progress(number, {{"kind", "end"}});
}

void JavaSession::publish(const std::shared_ptr<const JavaDiagnostics>& remarks) {
  remarks_ = remarks;
  std::set<std::string> before = std::move(published_);
  published_.clear();
  const auto tell = [](const std::string& uri, const Json& diagnostics) {
    write_message(notification("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", diagnostics}}));
  };
  if (last_) before.insert(uri_of_path(last_->file));  // that nothing was found is told, too
  for (const auto& [file, diagnostics] : remarks->by_file()) {
    const std::string uri = uri_of_path(file);
    tell(uri, limited(diagnostics, max_diagnostics_));
    published_.insert(uri);
    before.erase(uri);
  }
  for (const std::string& uri : before) tell(uri, Json::array());
}

Json JavaSession::code_actions(const std::string& uri, const Json& range) const {
  Json actions = Json::array();
  const auto file = path_of_uri(uri);
  if (!remarks_ || !file) return actions;
  const auto first = place_of(range.at("start")).line;
  const auto last = place_of(range.at("end")).line;
  for (const JavaFinding& finding : remarks_->findings())
    for (const JavaFinding::Line& at : finding.lines)
      if (at.file == *file && first <= at.line && at.line <= last) {
        actions.push_back(ignoring(finding, at));
        actions.push_back(showing(finding));
        break;
      }
  return actions;
}

void JavaSession::show_page(const Json& arguments) {
  if (!last_) return;
  const std::string page = fmt::format("{}/page-{}.html", folder_.path(), ++pages_);
  const auto show = [this, page, id = arguments.at("id").get<std::string>()](const std::string& why_not) {
    if (why_not.empty())
      lsp::show_page(fmt::format("java-page-{}", pages_), page, id, shows_documents_);
    else
      report_failure(why_not);
  };
  pages_worker_.start(
      [this, request = *last_, page, show, rule = arguments.at("rule").get<std::string>()](StopSource& source) {
        std::string why_not;
        try {
          why_not = write_java_page(request, rule, page, StopToken{source});
        } catch (const std::exception& error) {
          why_not = error.what();
        }
        post_([show, why_not] { show(why_not); });
      });
}

}  // namespace lockwood::lsp
