#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tsl/hopscotch_map.h>

#include <algorithm>

#include "base/process/text_file.hpp"
#include "base/text/json.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/commands/merge_shards.hpp"
#include "frontend/cli/input/batch_input.hpp"
#include "frontend/cli/output/answer_file.hpp"

namespace lockwood::frontend {
namespace {

constexpr std::size_t shown_at_most = 20;

struct MergeOptions {
  CommonOptions common;
  std::vector<std::string> paths;
  std::optional<std::string> expect;
};

void declare(CLI::App& app, MergeOptions& options) {
  app.add_option("FILE", options.paths,
                 "answers that lockwood batch wrote, or reports of shards of explore; - is standard input")
      ->required()
      ->type_name("FILE")
      ->group(section::input);
  app.add_option("--expect", options.expect,
                 "the queries: answers are put into their order, and it is told which of them have none")
      ->type_name("QUERIES")
      ->group(section::input);
  declare_limits(app, options.common.limits);
  declare_output_path(app, options.common.output.path);
  declare_general(app, options.common.general);
}

struct Merged {
  AnswerLine line;
  std::string path;
};
using Answers = tsl::hopscotch_map<std::string, Merged>;  // by id

// Decided answers take the place of others; they must not contradict each other.
class Merger {
 public:
  void add(const std::string& path, const Run& run) {
    AnswerFile file = read_answers(path, run.stop);
    if (file.cut_off) run.note(path + ": the last line is cut off, and does not count");
    if (model_.empty()) {
      model_ = file.model;
      model_path_ = path;
    }
    if (!file.model.empty() && file.model != model_) {
      errors_.push_back({.file = path,
                         .message = fmt::format("these answers are about another model ({}) than those in {} ({})",
                                                file.model, model_path_, model_)});
      return;
    }
    for (AnswerLine& line : file.lines) {
      run.stop.check();
      add({std::move(line), path});
    }
  }

  // Throws InputError if there were contradictions.
  Answers merged() && {
    if (!errors_.empty()) throw InputError{std::move(errors_)};
    return std::move(answers_);
  }

 private:
  void add(Merged answer) {
    const auto [place, is_new] = answers_.try_emplace(answer.line.id, answer);
    if (is_new) return;
    Merged& there = place.value();
    if (const auto contradiction = contradiction_of(answer.line, there.line)) {
      error(answer, fmt::format("{} in {}", *contradiction, there.path));
    } else if (rank(answer.line) > rank(there.line)) {
      there = std::move(answer);
    }
  }

  static int rank(const AnswerLine& line) { return line.decided() ? 2 : line.verdict.empty() ? 0 : 1; }

  void error(const Merged& answer, const std::string& message) {
    if (errors_.size() < shown_at_most)
      errors_.push_back({.file = answer.path, .message = fmt::format("id {}: {}", answer.line.id, message)});
  }

  Answers answers_;
  std::string model_;  // of the answers so far; empty if none tells
  std::string model_path_;
  std::vector<Diagnostic> errors_;
};

// Numbers in their order, then texts in theirs: whatever the order of the files is, the result is the same.
std::vector<std::string> sorted_ids(const Answers& answers, StopToken stop) {
  std::vector<nlohmann::json> ids;
  for (const auto& [id, ignored] : answers) {
    stop.check();
    ids.push_back(nlohmann::json::parse(id));
  }
  std::ranges::sort(
      ids, [](const auto& a, const auto& b) { return a.is_number() != b.is_number() ? a.is_number() : a < b; });
  std::vector<std::string> texts;
  for (const auto& id : ids) texts.push_back(id.dump());
  return texts;
}

std::vector<std::string> ids_of_queries(const std::string& path, const Run& run) {
  BatchInput input{path, run.stop};
  std::vector<std::string> ids;
  while (const auto query = input.next()) ids.push_back(query->id);
  return ids;
}

std::string listed(const std::vector<std::string>& ids) {
  const std::vector<std::string> first{ids.begin(),
                                       ids.begin() + static_cast<std::ptrdiff_t>(std::min(ids.size(), shown_at_most))};
  return fmt::format("{}{}", fmt::join(first, ", "), ids.size() > shown_at_most ? ", …" : "");
}

ExitStatus run(const MergeOptions& options, Run& run) {
  if (options.paths.front() != "-" && is_shard_report(read_text_file(options.paths.front(), run.stop)))
    return merge_shards(options.paths, options.common.output.path, run);
  Merger merger;
  for (const std::string& path : options.paths) merger.add(path, run);
  const Answers answers = std::move(merger).merged();
  const std::vector<std::string> order =
      options.expect ? ids_of_queries(*options.expect, run) : sorted_ids(answers, run.stop);

  std::string text;
  std::vector<std::string> missing;
  tsl::hopscotch_map<std::string, bool> written;
  for (const std::string& id : order) {
    run.stop.check();
    if (!written.try_emplace(id, true).second) continue;
    if (const auto found = answers.find(id); found != answers.end()) {
      text += found->second.line.text + '\n';
    } else {
      missing.push_back(id);
    }
  }
  for (const std::string& id : sorted_ids(answers, run.stop))
    if (!written.contains(id)) throw InputError{answers.at(id).path, fmt::format("id {}: no query has it", id)};
  run.write_answer(options.common.output.path, text);
  if (missing.empty()) return ExitStatus::Nothing;
  run.note(fmt::format("{} queries have no answer: {}", missing.size(), listed(missing)));
  return ExitStatus::GaveUp;
}

}  // namespace

Command merge_command() {
  return make_command<MergeOptions>(
      {.name = "merge",
       .group = CommandGroup::Convert,
       .summary = "put the answers of parts of a batch together",
       .description =
           "Combines files that lockwood batch wrote. A decided answer takes the place of an undecided one or of "
           "an error with the same id; two verdicts that contradict each other are an error. With --expect, "
           "the exit status is 3 if some query has no answer. Reports of lockwood explore --shard --json are put "
           "together as well; the exit status is then that of explore.",
       .examples = {{"lockwood merge part1.jsonl part2.jsonl -o answers.jsonl", "two parts"},
                    {"lockwood merge part*.jsonl --expect queries.jsonl", "and see whether any is missing"}}},
      declare, run);
}

}  // namespace lockwood::frontend
