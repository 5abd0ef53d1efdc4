#include "frontend/findings/find_def_uses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "frontend/findings/analyses/def_uses_on_demand.hpp"
#include "frontend/findings/def_use_finding.hpp"
#include "frontend/findings/narrative/finding_schedule.hpp"
#include "solver/analyses/replay_sample.hpp"

namespace lockwood::findings {
namespace {

class DefUseSearch {
 public:
  DefUseSearch(const SourceTerms& terms, const DefUseOptions& options)
      : terms_{terms},
        options_{options},
        stop_{options.watch.stop},
        focus_{made_focus()},
        uses_{terms.lowered(), options.variable, {.focus = focus_ ? &*focus_ : nullptr, .locations = {.stop = stop_}}} {
  }

  Findings run() && {
    std::vector<AccessId> all = definitions(terms_.lowered(), options_.variable);
    // Findings of other programs are told as they come, in the order of the text; these are told at the end.
    if (!terms_.program().exact) std::ranges::stable_sort(all, {}, [&](AccessId id) { return variable_of(id); });
    std::size_t left_out = 0;  // definitions
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (stop_.stop_requested()) {
        left_out = all.size() - i;
        break;
      }
      options_.watch.report_progress("definition", i + 1, all.size());
      look_at(all[i]);
    }
    finish_merged();
    result_.counts = {{"definitions", all.size()},
                      {"pairs", pairs_},
                      {"feasible", feasible_},
                      {"infeasible", pairs_ - feasible_ - undecided_},
                      {"undecided", undecided_},
                      {"kept_without_locks", kept_without_locks_},
                      {"removed_by_threads", removed_by_threads_},
                      {"removed_by_locks", kept_without_locks_ - feasible_}};
    if (left_out > 0)
      result_.notes.push_back(fmt::format("{} of {} definitions were not looked at", left_out, all.size()));
    result_.complete = undecided_ + left_out == 0 && result_.confirmation.complete();
    return std::move(result_);
  }

 private:
  // Reasons and proofs are about the program's own network.
  [[nodiscard]] std::optional<Focus> made_focus() const {
    if (options_.explain || options_.confirm) return std::nullopt;
    try {
      return Focus{terms_.lowered(), stop_};
    } catch (const Interrupted&) {
      return std::nullopt;
    }
  }

  // What the accesses of one place in the source have to do with each other: there may be several, one for each object.
  struct MergedPair {
    Finding finding;
    bool kept_without_locks;
    AccessId definition;  // the first one
  };

  [[nodiscard]] program::Variable variable_of(AccessId id) const { return access(terms_.lowered(), id).variable; }

  void take(AccessId definition, Finding finding, bool kept_without_locks) {
    if (terms_.program().exact) return result_.add(std::move(finding), options_.watch);
    const auto [at, is_new] = merged_numbers_.emplace(finding.id, merged_.size());
    if (is_new) {
      merged_.push_back({std::move(finding), kept_without_locks, definition});
      return;
    }
    MergedPair& known = merged_[at->second];
    known.kept_without_locks = known.kept_without_locks || kept_without_locks;
    known.definition = std::min(known.definition, definition);
    const auto weight = [](const Finding& each) {
      return each.outcome == Outcome::Found ? 2 : each.outcome == Outcome::Unknown ? 1 : 0;
    };
    if (weight(finding) > weight(known.finding)) known.finding = std::move(finding);
  }
  void finish_merged() {
    if (terms_.program().exact) return;
    std::ranges::stable_sort(merged_, {}, &MergedPair::definition);
    pairs_ = merged_.size();
    feasible_ = undecided_ = kept_without_locks_ = removed_by_threads_ = 0;
    for (MergedPair& pair : merged_) {
      if (pair.finding.outcome == Outcome::Found) ++feasible_;
      if (pair.finding.outcome == Outcome::Unknown)
        ++undecided_;
      else
        ++(pair.kept_without_locks ? kept_without_locks_ : removed_by_threads_);
      result_.add(std::move(pair.finding), options_.watch);
    }
  }

  void look_at(AccessId definition) {
    if (uses(terms_.lowered(), access(terms_.lowered(), definition).variable).empty()) return;
    const auto [with, without] = uses_.uses_of(definition);
    std::vector<std::pair<Finding, bool>> found;  // and whether it is kept without locks
    for (std::size_t i = 0; i < with.uses.size(); ++i) {
      const DefUsePair pair{.definition = definition,
                            .use = with.uses[i].use,
                            .with_locks = with.uses[i],
                            .without_locks = without.uses[i],
                            .inter_thread = options_.inter_thread};
      ++pairs_;
      if (pair.kept_without_locks()) ++kept_without_locks_;
      if (!pair.feasible() && (with.stopped || without.stopped)) {
        ++undecided_;
        found.emplace_back(undecided_def_use_finding(terms_, pair, to_string(*stop_.reason())),
                           pair.kept_without_locks());
        continue;
      }
      if (!pair.kept_without_locks()) ++removed_by_threads_;
      found.emplace_back(decided(pair), pair.kept_without_locks());
    }
    for (auto& [finding, kept] : found) take(definition, std::move(finding), kept);
  }

  Finding decided(const DefUsePair& pair) {
    Finding finding = def_use_finding(terms_, pair);
    if (pair.feasible()) ++feasible_;
    try {
      substantiate(finding, pair);
    } catch (const Interrupted&) {
      // The verdict stands: there was no time for more.
    }
    return finding;
  }
  // By a schedule or a reason, and by proofs, as far as they are asked for.
  void substantiate(Finding& finding, const DefUsePair& pair) {
    const bool drawn = pair.feasible() && !options_.schedules && !options_.confirm && sample_.draws(one_replayed_in);
    if (!options_.confirm && !drawn && !(pair.feasible() ? options_.schedules : options_.explain)) return;
    const DefinitionQuestion question{uses_.model_of(pair.definition), pair.definition};
    confirm(question, pair);
    if (pair.feasible()) {
      // Even to put the question takes its time, and there may be thousands when there is none left.
      if (stop_.stop_requested() || !(options_.schedules || drawn)) return;
      const Reader reader = pair.with_locks.by_other ? Reader::Other : Reader::Same;
      const solver::Answer answer = question.witness(pair.use, reader, stop_);
      if (answer.witness && !options_.schedules) {
        sample_.count_replayed();  // solve has done it
        return;
      }
      if (answer.witness)
        add_value_schedule(finding, terms_, answer.witness->schedule,
                           {.definition = access(terms_.lowered(), pair.definition),
                            .defining_phase = 1,
                            .readers = access(terms_.lowered(), pair.use).before,
                            .reader = reader});
    } else if (options_.explain) {
      try {
        finding.explanation = def_use_explanation(terms_, question, pair, stop_);
      } catch (const Interrupted& interrupted) {
        finding.explanation.push_back(std::string{"no explanation: "} + interrupted.what());
      }
    }
  }

  // Asks about the use once more, by itself, and has the proof of the answer checked.
  void confirm(const DefinitionQuestion& question, const DefUsePair& pair) {
    if (!options_.confirm) return;
    for (Reader reader : {Reader::Other, Reader::Same}) {
      if (pair.inter_thread && reader == Reader::Same) continue;
      result_.confirmation +=
          options_.confirm(question.network(), question.problem(pair.use, reader), "definition and use",
                           pair.with_locks.by(reader) ? dpn::Verdict::Reachable : dpn::Verdict::Unreachable);
    }
  }

  static constexpr std::size_t one_replayed_in = 512;

  const SourceTerms& terms_;
  const DefUseOptions& options_;
  StopToken stop_;
  std::optional<Focus> focus_;
  DefUsesOnDemand uses_;
  std::size_t pairs_ = 0;
  std::size_t feasible_ = 0;
  std::size_t kept_without_locks_ = 0;
  std::size_t removed_by_threads_ = 0;
  std::vector<MergedPair> merged_;
  std::map<std::string, std::size_t> merged_numbers_;  // by the id of the finding
  std::size_t undecided_ = 0;
  solver::ReplaySample sample_{terms_.lowered().accesses.size()};  // of pairs without schedules
  Findings result_;
};

}  // namespace

Findings find_def_uses(const SourceTerms& program, const DefUseOptions& options) {
  return DefUseSearch{program, options}.run();
}

}  // namespace lockwood::findings
