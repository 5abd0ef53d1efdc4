#include "solver/analyses/batch.hpp"

#include <fmt/format.h>
#include <tsl/hopscotch_map.h>
#include <tsl/hopscotch_set.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <new>
#include <system_error>
#include <thread>

#include "base/process/rendering_time.hpp"
#include "base/process/retry_on_bad_alloc.hpp"
#include "base/process/standard_streams.hpp"
#include "base/process/threads.hpp"
#include "base/text/quantity.hpp"
#include "frontend/api/proof.hpp"
#include "frontend/cli/answering/solving.hpp"
#include "frontend/cli/answering/verdict_status.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/batch_input.hpp"
#include "frontend/cli/input/batch_query.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/output/answer_file.hpp"
#include "frontend/cli/output/line_writer.hpp"
#include "frontend/cli/output/work_note.hpp"
#include "frontend/report/json/render_json.hpp"

namespace lockwood::frontend {
namespace {

// The queries with the numbers part, part + count, part + 2 count, …
struct Shard {
  std::size_t part = 1;  // from 1
  std::size_t count = 1;
  [[nodiscard]] bool has(std::size_t number) const { return (number - 1) % count == part - 1; }
};

struct BatchOptions {
  CommonOptions common;
  std::string queries;
  std::string path;
  Shard shard;
  std::optional<std::string> resume;
  std::size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  Limits each;
  solver::Reductions reductions;
  bool schedule = false;
  bool verify = false;
  solver::BatchOrder order = solver::BatchOrder::OfQuestions;
};

Shard shard_in(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) throw CLI::ValidationError("--shard", fmt::format("'{}' is not like 2/8", text));
  const Shard shard{number_in("--shard", text.substr(0, slash)), number_in("--shard", text.substr(slash + 1))};
  if (shard.part == 0 || shard.part > shard.count)
    throw CLI::ValidationError("--shard", fmt::format("there is no part {} of {}", shard.part, shard.count));
  return shard;
}

void declare(CLI::App& app, BatchOptions& options) {
  app.add_option("QUERIES", options.queries, "the queries: a JSON array, or one JSON query a line; - is standard input")
      ->required()
      ->type_name("QUERIES")
      ->group(section::input);
  declare_model(app, options.path, options.common.program);
  app.add_option_function<std::string>(
         "--shard", [&options](const std::string& text) { options.shard = shard_in(text); },
         "only the I-th of N equal parts of the queries")
      ->type_name("I/N")
      ->group(section::input);
  app.add_option("--resume", options.resume,
                 "leave out the queries that this file of answers decides; with the same -o, go on writing there")
      ->type_name("FILE")
      ->group(section::input);
  declare_reductions(app, options.reductions);
  declare_jobs(app, options.jobs, "queries to work on at the same time (default: one for each processor)");
  declare_verify(app, options.verify);
  const auto set_timeout = [&options](const std::string& text) {
    options.each.timeout = parse_duration(text);
    if (!options.each.timeout)
      throw CLI::ValidationError("--query-timeout", fmt::format("'{}' is not a time such as 90s or 2m", text));
  };
  app.add_option_function<std::string>("--query-timeout", set_timeout, "give up a query after this time, and go on")
      ->type_name("TIME")
      ->group(section::limits);
  const auto set_memory = [&options](const std::string& text) {
    options.each.memory = parse_size(text);
    if (!options.each.memory)
      throw CLI::ValidationError("--query-memory", fmt::format("'{}' is not a size such as 512M or 4G", text));
  };
  app.add_option_function<std::string>("--query-memory", set_memory,
                                       "give up the queries under way when the program takes this much, and go on")
      ->type_name("SIZE")
      ->group(section::limits);
  declare_limits(app, options.common.limits);
  app.add_flag("--schedule", options.schedule, "show how what is reachable is reached")->group(section::output);
  app.add_flag_callback(
         "--unordered", [&options] { options.order = solver::BatchOrder::OfAnswers; },
         "write answers as soon as they are ready, not in the order of the queries")
      ->group(section::output);
  declare_output_path(app, options.common.output.path);
  declare_statistics(app, options.common.output);
  declare_verdict(app, options.common.verdict);
  declare_general(app, options.common.general);
}

// The model that answers are about.
struct AskedModel {
  const dpn::Network& network;
  std::string fingerprint;
};

BatchLine line_of(const AskedModel& model, solver::BatchAnswer answer, bool schedule) {
  if (auto* refusal = std::get_if<std::string>(&answer.answer)) return {std::move(answer.id), std::move(*refusal)};
  if (const auto* fault = std::get_if<solver::Fault>(&answer.answer))
    return {std::move(answer.id),
            QueryAnswer{.query = std::move(answer.text),
                        .semantics = *answer.semantics,
                        .verdict = dpn::Verdict::Unknown,
                        .unknown_because = "internal error: " + fault->what,
                        .broken = true},
            model.fingerprint};
  auto& found = std::get<solver::Answer>(answer.answer);
  // Statistics may depend on what other queries left behind: not part of the answer.
  QueryAnswer shown{.query = std::move(answer.text), .semantics = *answer.semantics, .verdict = found.verdict};
  if (found.verdict == dpn::Verdict::Unknown) shown.unknown_because = why_unknown(found);
  if (schedule && found.witness) shown.schedule = Witness{&model.network, std::move(found.witness->schedule)};
  return {std::move(answer.id), std::move(shown), model.fingerprint};
}

// The queries that are to be answered, one by one.
class Questions {
 public:
  Questions(const ModelInput& model, const BatchOptions& options, const Run& run)
      : model_{model}, shard_{options.shard}, input_{options.queries, run.stop} {}

  // What it decides is not asked. `found` hears of the verdicts when their queries are left out.
  void leave_out(const AnswerFile& answers, const std::string& path, std::function<void(dpn::Verdict)> found) {
    for (const AnswerLine& line : answers.lines)
      if (line.decided()) decided_.insert_or_assign(line.id, line);
    answers_path_ = path;
    found_ = std::move(found);
  }

  // How many queries this part has, if that is known. Throws InputError.
  [[nodiscard]] std::optional<std::size_t> total() {
    const std::optional<std::size_t> all = input_.size();
    if (!all) return std::nullopt;
    return (*all + shard_.count - shard_.part) / shard_.count;
  }
  // Answers that were taken over so far; any thread may ask.
  [[nodiscard]] std::size_t taken_over() const { return taken_over_.load(std::memory_order_relaxed); }

  // Throws InputError if an answer that is to be taken over is one to another query.
  std::optional<solver::BatchQuestion> next() {
    while (auto query = input_.next()) {
      const bool is_new = retry_on_bad_alloc([&] { return ids_.insert(query->id).second; });
      if (!is_new) query->flaw = "another query before has the same id";
      if (!shard_.has(query->number)) continue;
      solver::BatchQuestion asked = question(*query);
      const auto answer = decided_.find(asked.id);
      if (answer == decided_.end() || !is_new) return asked;
      take_over(answer->second, asked);
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] solver::BatchQuestion question(WrittenQuery& query) const {
    try {
      return question_of(model_.file.network, query,
                         [&](const std::string& text) { return with_symbols(model_, text); });
    } catch (const std::bad_alloc&) {
      return {.id = std::move(query.id), .text = {}, .problem = StopReason::Memory};
    }
  }

  void take_over(const AnswerLine& answer, const solver::BatchQuestion& asked) {
    if (answer.query != asked.text && !std::holds_alternative<StopReason>(asked.problem))
      throw InputError{answers_path_, fmt::format("id {}: this answers another query, {}", answer.id, answer.query)};
    found_(answer.verdict == "reachable" ? dpn::Verdict::Reachable : dpn::Verdict::Unreachable);
    taken_over_.fetch_add(1, std::memory_order_relaxed);
  }

  const ModelInput& model_;
  Shard shard_;
  BatchInput input_;
  tsl::hopscotch_map<std::string, AnswerLine> decided_;  // by id
  std::string answers_path_;
  std::function<void(dpn::Verdict)> found_;
  tsl::hopscotch_set<std::string> ids_;
  std::atomic<std::size_t> taken_over_{0};
};

// Answers of another model are worth nothing here.
void check_model(const AnswerFile& answers, const std::string& path, const AskedModel& model, const Run& run) {
  if (!answers.model.empty() && answers.model != model.fingerprint)
    throw InputError{{{.file = path,
                       .message = fmt::format("these answers are about another model ({}, and this one is {})",
                                              answers.model, model.fingerprint),
                       .excerpt = {},
                       .hint = "has the model changed? then begin anew, without --resume"}}};
  if (answers.without_model > 0)
    run.note(fmt::format("{}: {} answers do not tell which model they are about", path, answers.without_model));
}

// Goes on where the answers end, if they are in the file that is written; what a crash left of a line is cut off.
LineWriter writer_for(const BatchOptions& options, const std::optional<AnswerFile>& answers, const Run& run) {
  const std::string& path = options.common.output.path;
  std::error_code ignored;
  const bool same = answers && path != "-" && std::filesystem::equivalent(path, *options.resume, ignored);
  if (same && answers->cut_off) std::filesystem::resize_file(path, *answers->cut_off);
  if (!same && answers && answers->cut_off)
    run.note(*options.resume + ": the last line is cut off, and does not count");
  return {path, same ? LineWriter::Existing::Continued : LineWriter::Existing::Replaced};
}

struct Rendered {
  BatchLine line;
  std::string text;
};

// What an answer becomes if it cannot be written out.
void give_up(BatchLine& line, StopReason reason) {
  if (auto* shown = std::get_if<QueryAnswer>(&line.answer)) {
    shown->schedule.reset();
    shown->verdict = dpn::Verdict::Unknown;
    shown->unknown_because = to_string(reason);
  }
}

// If the limits of a query are too narrow for its schedule, or there is no memory for it, the answer counts as one that
// was not found. If it is the whole batch that is over, there is no line: the query can be asked again.
std::optional<Rendered> rendered(const AskedModel& model, solver::BatchAnswer answer, const BatchOptions& options,
                                 RenderingTime& time, StopToken run) {
  BatchLine line = line_of(model, std::move(answer), options.schedule);
  StopReason reason = StopReason::Memory;
  try {
    StopToken stop = time.token();
    StopSource source;
    std::optional<Watchdog> watchdog;
    if (options.schedule && (options.each.timeout || options.each.memory)) {
      watchdog.emplace(source, options.each, stop);
      stop = StopToken{source};
    }
    std::string text = to_json_line(line, stop);
    return Rendered{std::move(line), std::move(text)};
  } catch (const Interrupted& interrupted) {
    if (run.stop_requested()) return std::nullopt;
    reason = interrupted.reason();
  } catch (const std::bad_alloc&) {
    // Nothing is left of it.
  } catch (const std::system_error& error) {
    if (!lacks_threads(error)) throw;
  }
  std::string text = retry_on_bad_alloc([&] {
    give_up(line, reason);
    return to_json_line(line, {});
  });
  return Rendered{std::move(line), std::move(text)};
}

ExitStatus run(const BatchOptions& options, Run& run) {
  if (options.queries == "-" && options.path == "-")
    throw InputError{"lockwood batch", "queries and model cannot both come from standard input"};
  const VerdictOptions& verdict = options.common.verdict;
  const FailureOptions failures =
      verdict.fail_on.value_or(FailureOptions{.reachable = true, .unexpected = false, .unknown = false});
  const auto status_for = [&](const QueryAnswer& answer) {
    return verdict.exit_zero && !answer.broken ? ExitStatus::Nothing : status_of(answer, failures);
  };
  const ModelInput model = read_model(options.path, run);
  const AskedModel asked{model.file.network, model_fingerprint(model.file.network, run.stop)};
  Questions questions{model, options, run};
  const std::optional<std::size_t> total = questions.total();
  std::optional<AnswerFile> answers;
  ExitStatus earlier = ExitStatus::Nothing;  // of the answers that are taken over
  if (options.resume) {
    answers = read_answers(*options.resume, run.stop);
    check_model(*answers, *options.resume, asked, run);
    questions.leave_out(*answers, *options.resume, [&](dpn::Verdict decided) {
      earlier = combined(earlier, status_for({.query = {}, .verdict = decided}));
    });
  }
  LineWriter writer = writer_for(options, answers, run);
  if (options.common.output.path != "-") run.supervisor.answers_go_to(options.common.output.path);

  ExitStatus status = ExitStatus::Nothing;
  std::size_t answered = 0;
  const auto show_progress = [&] {
    const std::size_t before = questions.taken_over();
    if (total)
      run.progress.show_done("queries answered", before + answered, before, *total);
    else
      run.progress.show(count_text(before + answered) + " queries answered");
  };
  retry_on_bad_alloc(show_progress);
  RenderingTime time{run.stop};
  const auto take = [&](solver::BatchAnswer answer) {
    const auto written = rendered(asked, std::move(answer), options, time, run.stop);
    if (!written) return;
    const auto* shown = std::get_if<QueryAnswer>(&written->line.answer);
    {
      const Progress::Pause pause{run.progress};
      writer.write(written->text);
    }
    if (shown != nullptr && shown->broken) {  // an error, which --quiet does not silence
      const Progress::Pause pause{run.progress};
      put_message("lockwood: ", fmt::format("id {}: {}\n", written->line.id, shown->unknown_because), {});
    }
    status = combined(status, shown == nullptr ? ExitStatus::BadInput : status_for(*shown));
    ++answered;
    retry_on_bad_alloc(show_progress);
  };
  const auto verified = [&](const solver::Problem& problem, const solver::Answer& found, StopToken stop) {
    verify_proof(model.file.network, problem, api::proof_of(model.file.network, problem, found, stop), found.verdict,
                 stop);
  };
  const auto gave_up = [&](const char* why) {
    run.note(fmt::format("{}: {} queries were answered, --resume goes on from there", why, answered));
    return combined(combined(status, earlier), ExitStatus::GaveUp);
  };
  try {
    solver::solve_batch(model.file.network, [&] { return questions.next(); }, take,
                        {.witness = options.schedule ? solver::WitnessChoice::Smallest : solver::WitnessChoice::None,
                         .reductions = options.reductions,
                         .each = options.each,
                         .jobs = options.jobs,
                         .order = options.order,
                         .check = options.verify ? verified : decltype(solver::BatchOptions::check){},
                         .stop = run.stop});
  } catch (const std::bad_alloc&) {  // of the batch itself, not of a query
    return gave_up("out of memory");
  }
  writer.close();
  run.supervisor.answer_is_written();
  report_work(run);
  if (const auto reason = run.stop.reason()) return gave_up(to_string(*reason));
  return combined(status, earlier);
}

}  // namespace

Command batch_command() {
  return make_command<BatchOptions>(
      {.name = "batch",
       .group = CommandGroup::Ask,
       .summary = "answer many queries about a model, as JSON lines",
       .description =
           "Answers the queries of a file or of standard input, several at a time, and writes one JSON object "
           "a line for each, in their order, as soon as it is ready. A query that makes no sense gets an "
           "error on its line, and the exit status 2 at the end. Parts of a batch can be run elsewhere "
           "(--shard, then lockwood merge), and a batch that was interrupted can be resumed.",
       .examples = {{"lockwood batch queries.jsonl model.dpn > answers.jsonl", "all of them"},
                    {"lockwood batch queries.jsonl model.dpn --resume a.jsonl -o a.jsonl",
                     "go on after an interruption"},
                    {"lockwood batch queries.jsonl model.dpn --shard=2/8", "the second of eight parts"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
