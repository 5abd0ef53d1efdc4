#include "frontend/lsp/server.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <functional>
#include <map>
#include <system_error>
#include <thread>

#include "base/process/output_error.hpp"
#include "base/process/retry_on_bad_alloc.hpp"
#include "base/process/temporary_folder.hpp"
#include "base/process/text_file.hpp"
#include "base/process/threads.hpp"
#include "frontend/lsp/document.hpp"
#include "frontend/lsp/event_queue.hpp"
#include "frontend/lsp/features.hpp"
#include "frontend/lsp/file_uri.hpp"
#include "frontend/lsp/hover.hpp"
#include "frontend/lsp/java_session.hpp"
#include "frontend/lsp/limit.hpp"
#include "frontend/lsp/pages.hpp"
#include "frontend/lsp/protocol.hpp"
#include "frontend/lsp/worker.hpp"
#include "frontend/lsp/workspace_symbols.hpp"

namespace lockwood::lsp {
namespace {

constexpr std::chrono::milliseconds hover_patience{2000};  // somebody holds the mouse still

// What an analysis found, so far or in the end.
struct Analysed {
  std::string uri;
  std::uint64_t edition;
  std::shared_ptr<const Analysis> analysis;
};
// A request that was answered elsewhere.
struct Answered {
  Json id;
  Json message;
};
// What a thread of ours wants to be done by the one that talks to the client.
using Posted = std::function<void()>;
using Event = std::variant<Json, NotJson, EndOfInput, Analysed, Answered, Posted>;
using Events = EventQueue<Event>;

// Does the work of another thread than the server's. What goes wrong there must not end the program, as it would if it
// left the thread, but the conversation: in its own thread, and with its own status.
template <class Work>
void or_fail(Events& events, const Work& work) noexcept {
  try {
    work();
  } catch (...) {
    events.fail(std::current_exception());
  }
}

// Analyses the text, and tells what is found. Whatever goes wrong becomes a remark: it must not end the conversation.
void analyse_and_tell(const std::string& uri, std::uint64_t edition, const Reading& reading, const Decisions& earlier,
                      const Limits& limits, StopSource& source, Events& events) {
  Analysis last;
  const auto tell = [&](const Analysis& analysis) {
    last = analysis;
    events.push(Analysed{uri, edition, std::make_shared<const Analysis>(analysis)});
  };
  const auto report_why_not = [&](Severity severity, std::string message) {
    last.remarks.push_back(
        {.range = {}, .severity = severity, .code = {}, .message = std::move(message), .related = {}});
    tell(Analysis{last});
  };
  const auto give_up = [&](const char* why) {
    report_why_not(Severity::Note, fmt::format("{}: there may be more races and deadlocks than shown", why));
  };
  try {
    const Watchdog watchdog{source, limits};
    StopToken{source}.check();  // a job may be cancelled before it begins
    analyse(reading, earlier, StopToken{source}, tell);
  } catch (const Interrupted& interrupted) {
    if (interrupted.reason() != StopReason::Cancelled) give_up(interrupted.what());
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics())
      last.remarks.push_back(remark_of(diagnostic, reading.lines, reading.text.content()));
    tell(Analysis{last});
  } catch (const std::bad_alloc&) {
    give_up("out of memory");
  } catch (const std::system_error& error) {
    if (lacks_threads(error))
      give_up("the system allows no more threads");
    else
      report_why_not(Severity::Error, fmt::format("internal error: {}", error.what()));
  } catch (const std::exception& error) {
    report_why_not(Severity::Error, fmt::format("internal error: {}", error.what()));
  }
}

class Server {
 public:
  Server(const ServerOptions& options, StopToken stop)
      : options_{options},
        stop_{stop},
        max_diagnostics_{options.max_diagnostics},
        java_{options.java, options.limits,
              [this](Posted work) { or_fail(events_, [&] { events_.push(std::move(work)); }); }} {
    java_.set_most_diagnostics(max_diagnostics_);
  }

  Ending run() {
    // The only thread that may wait for the client. It ends by itself after `exit`, which is the last message.
    const std::jthread reader{
        [this](const std::stop_token& ended) { or_fail(events_, [&] { read_messages(ended); }); }};
    while (!ended_) {
      auto event = events_.next(std::chrono::steady_clock::now());
      if (!event) {  // nothing to do at once: look at what has changed
        read_changed_documents();
        start_due_analyses();
        event = events_.next(next_due());
      }
      if (event) std::visit([this](auto& each) { this->take(each); }, *event);
    }
    return shut_down_ && exit_ ? Ending::InOrder : Ending::Abrupt;
  }

 private:
  void read_messages(const std::stop_token& ended) {
    MessageReader messages{STDIN_FILENO, [&] { return stop_.stop_requested() || ended.stop_requested(); }};
    while (true) {
      Incoming incoming = retry_on_bad_alloc([&] { return messages.next(); });
      const auto* json = std::get_if<Json>(&incoming);
      const bool last = std::holds_alternative<EndOfInput>(incoming) ||
                        (json != nullptr && json->is_object() && json->find("method") != json->end() &&
                         says(*json->find("method"), "exit"));
      std::visit([this](auto& each) { events_.push(std::move(each)); }, incoming);
      if (last) return;
    }
  }

  // ---- Messages

  void take(NotJson& message) { write_message(error_response(nullptr, ErrorCode::ParseError, message.why)); }
  void take(EndOfInput&) { ended_ = true; }
  static void take(Posted& work) { work(); }

  void take(Json& message) {
    if (!message.is_object()) {
      write_message(error_response(nullptr, ErrorCode::InvalidRequest, "a message is an object"));
      return;
    }
    const auto method = message.find("method");
    const auto id = message.find("id");
    const bool request = id != message.end();
    if (method == message.end() && request) return;  // the answer to a request of ours
    try {
      if (method == message.end() || !method->is_string())
        throw Refusal{ErrorCode::InvalidRequest, "a message has a method"};
      const auto parameters = message.find("params");
      const Json nothing = Json::object();
      const Json& given = parameters == message.end() || parameters->is_null() ? nothing : *parameters;
      const std::string& name = method->get_ref<const std::string&>();
      if (request)
        answer(*id, name, given);
      else
        notice(name, given);
    } catch (const Refusal& refusal) {
      refuse(request ? *id : Json{}, request, refusal.code, refusal.message);
    } catch (const Json::exception& error) {
      refuse(request ? *id : Json{}, request, ErrorCode::InvalidParameters, error.what());
    } catch (const OutputError&) {
      throw;
    } catch (const std::exception& error) {
      refuse(request ? *id : Json{}, request, ErrorCode::InternalError, error.what());
    }
  }

  // A notification has no answer; what is wrong with it goes to the client's log.
  static void refuse(const Json& id, bool request, ErrorCode code, const std::string& message) {
    if (request)
      write_message(error_response(id, code, message));
    else
      write_message(notification("window/logMessage", {{"type", 2}, {"message", "lockwood: " + message}}));
  }

  void answer(const Json& id, const std::string& method, const Json& parameters) {
    if (method == "initialize") return write_message(response(id, initialize(parameters)));
    if (!initialized_) throw Refusal{ErrorCode::NotInitialized, "not initialized yet"};
    if (shut_down_) throw Refusal{ErrorCode::InvalidRequest, "shut down already"};
    if (method == "shutdown") {
      shut_down_ = true;
      return write_message(response(id, nullptr));
    }
    if (auto answered = java_.answer(method, parameters)) return write_message(response(id, *std::move(answered)));
    if (method == "textDocument/hover") return start_hover(id, parameters);
    if (method == "workspace/symbol") return start_finding_symbols(id, parameters);
    if (method == "workspace/executeCommand") {
      start_page(parameters);
      return write_message(response(id, nullptr));
    }
    using Feature = Json (*)(const Document&, const Json&);
    static const std::map<std::string, Feature, std::less<>> features{
        {"textDocument/definition", definition},
        {"textDocument/references", references},
        {"textDocument/documentSymbol", document_symbols},
        {"textDocument/completion", completion},
        {"textDocument/codeLens", code_lenses},
        {"textDocument/codeAction", code_actions},
        {"textDocument/documentHighlight", highlights},
        {"textDocument/foldingRange", folding_ranges},
        {"textDocument/semanticTokens/full", semantic_tokens},
        {"textDocument/prepareRename", prepare_rename},
        {"textDocument/rename", rename}};
    const auto feature = features.find(method);
    if (feature == features.end()) throw Refusal{ErrorCode::MethodNotFound, fmt::format("unknown method '{}'", method)};
    Document* document = document_of(parameters);
    if (document == nullptr) return write_message(response(id, nullptr));
    (void)current_reading(*document, options_.reading);
    write_message(response(id, feature->second(*document, parameters)));
  }

  void notice(const std::string& method, const Json& parameters) {
    if (method == "exit") {
      exit_ = true;
      ended_ = true;
    } else if (!initialized_ || shut_down_) {
      return;
    } else if (method == "workspace/didChangeConfiguration") {
      configure(parameters, "/settings/lockwood/maxDiagnostics");
      (void)java_.take_notice(method, parameters);
      for (auto& [uri, document] : documents_) publish(document);
    } else if (java_.take_notice(method, parameters)) {
      return;
    } else if (method == "textDocument/didOpen") {
      open(parameters);
    } else if (method == "textDocument/didChange") {
      if (Document* document = document_of(parameters)) {
        change(*document, parameters);
        cancel(*document);
        document->analysis_due = std::chrono::steady_clock::now() + options_.pause;
      }
    } else if (method == "textDocument/didSave") {
      // Unless what is saved was analysed as it is, or is being.
      if (Document* document = document_of(parameters); document != nullptr && document->analysis_due)
        document->analysis_due = std::chrono::steady_clock::now();
    } else if (method == "textDocument/didClose") {
      close(parameters);
    } else if (method == "$/cancelRequest") {
      const auto pending = pending_.find(parameters.at("id").dump());
      if (pending != pending_.end()) pending->second->request(StopReason::Cancelled);
    }
  }

  Json initialize(const Json& parameters) {
    if (initialized_) throw Refusal{ErrorCode::InvalidRequest, "initialized already"};
    initialized_ = true;
    refreshes_lenses_ = says_true(parameters, "/capabilities/workspace/codeLens/refreshSupport");
    shows_documents_ = says_true(parameters, "/capabilities/window/showDocument/support");
    if (const auto root = parameters.find("rootUri"); root != parameters.end() && root->is_string())
      folder_ = path_of_uri(root->get<std::string>()).value_or("");
    configure(parameters, "/initializationOptions/maxDiagnostics");
    java_.initialize(parameters);
    Json commands = JavaSession::commands();
    commands.push_back(findings_page_command);
    return {{"capabilities",
             {{"positionEncoding", "utf-16"},
              {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
              {"hoverProvider", true},
              {"definitionProvider", true},
              {"referencesProvider", true},
              {"documentHighlightProvider", true},
              {"documentSymbolProvider", true},
              {"workspaceSymbolProvider", true},
              {"foldingRangeProvider", true},
              {"renameProvider", {{"prepareProvider", true}}},
              {"semanticTokensProvider", {{"legend", colour_legend()}, {"full", true}}},
              {"codeLensProvider", {{"resolveProvider", false}}},
              {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
              {"executeCommandProvider", {{"commands", std::move(commands)}}},
              {"completionProvider", Json::object()}}},
            {"serverInfo", {{"name", "lockwood"}, {"version", options_.version}}}};
  }

  static bool says_true(const Json& json, const char* pointer) {
    const Json::json_pointer path{pointer};
    return json.contains(path) && json.at(path) == true;
  }

  // What the editor has set itself; null: as on the command line. Throws Json::exception.
  void configure(const Json& parameters, const char* pointer) {
    const Json::json_pointer path{pointer};
    if (!parameters.contains(path)) return;
    const Json& told = parameters.at(path);
    max_diagnostics_ = told.is_null() ? options_.max_diagnostics
                                      : static_cast<std::size_t>(std::max<std::int64_t>(0, told.get<std::int64_t>()));
    java_.set_most_diagnostics(max_diagnostics_);
  }

  // ---- Documents

  Document* document_of(const Json& parameters) {
    const auto found = documents_.find(parameters.at("textDocument").at("uri").get<std::string>());
    return found == documents_.end() ? nullptr : &found->second;
  }

  void open(const Json& parameters) {
    auto document = opened(parameters);
    if (!document) return;
    if (const auto before = documents_.find(document->uri); before != documents_.end()) forget(before->second);
    document->edition = ++editions_;
    document->analysis_due = std::chrono::steady_clock::now();
    std::string uri = document->uri;
    documents_.insert_or_assign(std::move(uri), std::move(*document));
  }

  void close(const Json& parameters) {
    Document* document = document_of(parameters);
    if (document == nullptr) return;
    forget(*document);
    write_message(
        notification("textDocument/publishDiagnostics", {{"uri", document->uri}, {"diagnostics", Json::array()}}));
    documents_.erase(document->uri);
  }

  // Whatever is still said about it is not about a later document with its address.
  void forget(Document& document) {
    cancel(document);
    editions_ = std::max(editions_, document.edition);
  }

  static void cancel(std::shared_ptr<StopSource>& work) {
    if (work) work->request(StopReason::Cancelled);
    work.reset();
  }
  static void cancel(Document& document) {
    cancel(document.running);
    cancel(document.computing);
  }

  void read_changed_documents() {
    for (auto& [uri, document] : documents_) {
      if (document.reading) continue;
      (void)current_reading(document, options_.reading);
      publish(document);
    }
  }

  // What is wrong with the text, and what the solver said last: while somebody types, findings stay where they were.
  void publish(Document& document) {
    const Reading& reading = current_reading(document, options_.reading);
    std::vector<Remark> all = reading.remarks;
    if (document.analysis) all.insert(all.end(), document.analysis->remarks.begin(), document.analysis->remarks.end());
    Json remarks = Json::array();
    for (const Remark& remark : limited(std::move(all), max_diagnostics_))
      remarks.push_back(to_json(document.uri, reading.text, remark));
    write_message(
        notification("textDocument/publishDiagnostics",
                     {{"uri", document.uri}, {"version", document.version}, {"diagnostics", std::move(remarks)}}));
  }

  // ---- What takes long

  [[nodiscard]] std::optional<Time> next_due() const {
    std::optional<Time> next;
    for (const auto& [uri, document] : documents_)
      if (document.analysis_due) next = next ? std::min(*next, *document.analysis_due) : *document.analysis_due;
    return next;
  }

  void start_due_analyses() {
    const Time now = std::chrono::steady_clock::now();
    for (auto& [uri, document] : documents_) {
      if (!document.analysis_due || *document.analysis_due > now) continue;
      document.analysis_due.reset();
      (void)current_reading(document, options_.reading);
      if (!document.reading->program && !document.reading->model) continue;
      cancel(document.running);
      document.running = analyses_.start([this, uri = uri, edition = document.edition, reading = document.reading,
                                          earlier = document.analysis ? document.analysis->decisions
                                                                      : Decisions{}](StopSource& source) {
        or_fail(events_, [&] { analyse_and_tell(uri, edition, *reading, earlier, options_.limits, source, events_); });
      });
    }
  }

  void take(Analysed& analysed) {
    const auto found = documents_.find(analysed.uri);
    if (found == documents_.end() || found->second.edition != analysed.edition) return;
    Document& document = found->second;
    document.analysis = std::move(analysed.analysis);
    document.analysed = analysed.edition;
    publish(document);
    if (refreshes_lenses_)
      write_message({{"jsonrpc", "2.0"},
                     {"id", fmt::format("refresh-{}", ++requests_)},
                     {"method", "workspace/codeLens/refresh"}});
  }

  // One thread computes what hovers tell; another one waits for it, but not for ever.
  void start_hover(const Json& id, const Json& parameters) {
    Document* document = document_of(parameters);
    if (document == nullptr) return write_message(response(id, nullptr));
    const std::size_t offset = document->text.offset(place_of(parameters.at("position")));
    (void)current_reading(*document, options_.reading);
    document->computing = computing_.start([this, offset, reading = document->reading](StopSource& source) {
      or_fail(events_, [&] {
        const Watchdog watchdog{source, options_.limits};
        compute_hover(*reading, offset, StopToken{source});
      });
    });
    const auto deadline = std::chrono::steady_clock::now() + hover_patience;
    start_answering(id, [offset, deadline, reading = document->reading](StopToken stop) -> Json {
      const std::string text = hover(*reading, offset, deadline, stop);
      if (text.empty()) return {};
      return {{"contents", {{"kind", "markdown"}, {"value", text}}}};
    });
  }

  void start_finding_symbols(const Json& id, const Json& parameters) {
    std::vector<OpenReading> open;
    for (auto& [uri, document] : documents_) {
      (void)current_reading(document, options_.reading);
      open.push_back({uri, document.last_good});
    }
    start_answering(id, [this, open = std::move(open), query = parameters.value("query", std::string{})](
                            StopToken stop) { return symbols_.find(folder_, open, query, stop); });
  }

  // Answers a request in another thread. The result of `work` is what the client gets, unless it cancels the request.
  template <class Work>
  void start_answering(const Json& id, Work work) {
    pending_[id.dump()] = answering_.start([this, id, work = std::move(work)](StopSource& source) {
      or_fail(events_, [&] { events_.push(Answered{id, answer_of(id, work, StopToken{source})}); });
    });
  }
  template <class Work>
  static Json answer_of(const Json& id, const Work& work, StopToken stop) {
    const auto cancelled = [&] { return error_response(id, ErrorCode::RequestCancelled, "cancelled"); };
    try {
      Json result = work(stop);
      return stop.reason() == StopReason::Cancelled ? cancelled() : response(id, std::move(result));
    } catch (const Interrupted&) {
      return cancelled();
    } catch (const std::exception& error) {
      return error_response(id, ErrorCode::InternalError, error.what());
    }
  }

  // The command behind lenses and actions: a page of findings, in a browser.
  void start_page(const Json& parameters) {
    if (parameters.value("command", std::string{}) != findings_page_command)
      throw Refusal{ErrorCode::InvalidParameters,
                    fmt::format("unknown command '{}'", parameters.value("command", std::string{}))};
    const Json& argument = parameters.at("arguments").at(0);
    const FindingChoice choice = choice_of(argument);
    const auto found = documents_.find(argument.at("uri").get<std::string>());
    if (found != documents_.end() && choice.rule == "query") return start_query_page(found->second, choice.subject);
    const auto analysis = found == documents_.end() ? nullptr : found->second.analysis;
    if (!analysis || chosen(*analysis, choice).empty())
      throw Refusal{ErrorCode::RequestFailed, "these findings are not there any more"};
    start_writing_page(chosen(*analysis, choice).front()->finding->id,
                       [this, analysis, choice](const std::string& path, StopToken stop) -> std::string {
                         write_text_file(path, page_of(*analysis, choice, options_.version, stop));
                         return {};
                       });
  }

  void start_query_page(Document& document, const std::string& number) {
    const Reading& reading = current_reading(document, options_.reading);
    std::size_t query = 0;
    (void)std::from_chars(number.data(), number.data() + number.size(), query);
    if (!reading.model || query == 0 || query > reading.model->queries.size())
      throw Refusal{ErrorCode::RequestFailed, "this query is not there any more"};
    start_writing_page("", [this, model = document.text.content(), query](const std::string& path, StopToken stop) {
      return write_query_page(model, query, options_.limits, path, stop);
    });
  }

  // `write` says why there is no page, or nothing. The editor shows it at the place of this name.
  template <class Write>
  void start_writing_page(const std::string& place, Write write) {
    const std::string path = fmt::format("{}/page-{}.html", pages_folder_.path(), ++pages_);
    writing_.start([this, write, place, path, id = fmt::format("page-{}", pages_)](StopSource& source) {
      or_fail(events_, [&] {
        std::string failure;
        try {
          const Watchdog watchdog{source, options_.limits};
          failure = write(path, StopToken{source});
        } catch (const std::exception& error) {
          failure = error.what();
        }
        events_.push([this, id, path, place, failure] {
          if (failure.empty())
            show_page(id, path, place, shows_documents_);
          else
            report_failure("there is no page: " + failure);
        });
      });
    });
  }

  void take(Answered& answered) {
    pending_.erase(answered.id.dump());
    write_message(answered.message);
  }

  const ServerOptions& options_;
  StopToken stop_;
  bool initialized_ = false;
  bool shut_down_ = false;
  bool exit_ = false;
  bool ended_ = false;
  bool refreshes_lenses_ = false;
  bool shows_documents_ = false;
  std::string folder_;  // of the workspace; empty if there is none
  std::size_t max_diagnostics_;
  std::map<std::string, Document> documents_;
  std::map<std::string, std::shared_ptr<StopSource>> pending_;  // what others answer, by the id of the request
  std::uint64_t editions_ = 0;
  std::uint64_t requests_ = 0;
  std::uint64_t pages_ = 0;
  TemporaryFolder pages_folder_;
  WorkspaceSymbols symbols_;  // of the thread that answers
  Events events_;
  Worker analyses_;  // the workers are the last members: their jobs use the others
  Worker computing_;
  Worker answering_;
  Worker writing_;
  JavaSession java_;
};

}  // namespace

Ending serve(const ServerOptions& options, StopToken stop) { return Server{options, stop}.run(); }

}  // namespace lockwood::lsp
