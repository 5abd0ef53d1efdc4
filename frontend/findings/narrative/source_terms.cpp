#include "frontend/findings/narrative/source_terms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dpn/semantics/small_step.hpp"
#include "frontend/findings/narrative/step_effect.hpp"

namespace lockwood::findings {
namespace {

// The range of the text on one line: blanks and ends of lines are single spaces, a long text is clipped.
std::string quoted(const std::string& text, const std::vector<std::size_t>& line_begins,
                   const program::SourceRange& range) {
  constexpr std::size_t longest = 60;
  if (range.begin.line < 1 || range.begin.line > line_begins.size()) return {};
  std::size_t offset = line_begins[range.begin.line - 1];
  std::string result;
  Position here{range.begin.line, 1};
  for (; offset < text.size() && here < range.end; ++offset) {
    const char c = text[offset];
    if (here >= range.begin) {
      const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
      if (!blank) result += c;
      if (blank && !result.ends_with(' ')) result += ' ';
      if (result.size() > longest) break;
    }
    here = c == '\n' ? Position{here.line + 1, 1} : Position{here.line, here.column + 1};
  }
  while (result.ends_with(' ')) result.pop_back();
  if (result.size() <= longest) return result;
  // Not in the middle of a character.
  result.resize(longest);
  while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xC0U) == 0x80U) result.pop_back();
  if (!result.empty() && static_cast<unsigned char>(result.back()) >= 0xC0U) result.pop_back();
  return result + "…";
}

// Which of the frames of each thread were entered by steps that a reader sees.
class SeenFrames {
 public:
  [[nodiscard]] std::size_t depth(dpn::ThreadId thread) {
    const std::vector<std::size_t>& depths = of(thread);
    return depths.empty() ? 0 : depths.back();
  }
  void enter(dpn::ThreadId thread, bool seen) { of(thread).push_back(depth(thread) + (seen ? 1 : 0)); }
  void leave(dpn::ThreadId thread) {
    if (!of(thread).empty()) of(thread).pop_back();
  }

 private:
  std::vector<std::size_t>& of(dpn::ThreadId thread) {
    if (!depths_.contains(thread)) depths_.resize(thread.index() + 1);
    return depths_[thread];
  }
  IdVector<dpn::ThreadId, std::vector<std::size_t>> depths_;  // of each frame: it and those below that are seen
};

// What a model of a program without values does to keep track of itself: a choice, or which object is singled out. The
// branch that the choice stands for is told as a guess.
bool is_model_only(const std::string& what) { return what == "choose" || what == "skip" || what.starts_with("set "); }

// The body of a thread of a library that is modelled, as java.lang.Thread.$thread.
bool is_thread_body(const std::string& procedure) {
  const std::size_t dot = procedure.substr(0, procedure.find('(')).rfind('.');
  return dot != std::string::npos && procedure.substr(dot).starts_with(".$");
}

}  // namespace

ScheduleEnd end_of(const dpn::Network& network, const dpn::Schedule& schedule, StopToken stop) {
  ScheduleEnd end{.configuration = dpn::initial_configuration(network), .entries = {}};
  for (const dpn::Move& move : schedule.moves) {
    stop.check();
    end.entries.resize(end.configuration.threads.size());
    auto& entries = end.entries[move.thread];
    const dpn::Rule& rule = network.rule(move.rule);
    if (dpn::entry_of(rule)) entries.push_back(move.rule);
    if (rule.kind() == dpn::RuleKind::Return && !entries.empty()) entries.pop_back();
    dpn::apply(network, end.configuration, move);
  }
  end.entries.resize(end.configuration.threads.size());
  return end;
}

const char* to_string(program::AccessKind kind) { return kind == program::AccessKind::Write ? "write" : "read"; }

SourceTerms::SourceTerms(const program::Program& program, const program::Lowered& lowered,
                         const IdVector<program::SourceFile, std::string>& texts)
    : program_{program}, lowered_{lowered}, texts_{texts} {
  for (const std::string& text : texts) {
    std::vector<std::size_t> begins{0};
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') begins.push_back(i + 1);
    line_begins_.push_back(std::move(begins));
  }
}

SourceSpan SourceTerms::place(program::ProcedureId procedure, std::uint32_t statement,
                              const program::SourceRange& range) const {
  return {.file = program_.files[range.file],
          .begin = range.begin,
          .end = range.end,
          .procedure = program_.procedures[procedure].name,
          .statement = statement,
          .text = quoted(texts_[range.file], line_begins_[range.file], range)};
}

SourceSpan SourceTerms::place(program::ProcedureId procedure, program::Point point) const {
  const program::Node& node = program_.procedures[procedure].points[point];
  return place(procedure, node.statement, node.range);
}

SourceSpan SourceTerms::place(const program::Access& access) const {
  return place(access.procedure, access.statement, access.range);
}
SourceSpan SourceTerms::place(dpn::StackSymbol symbol) const {
  const program::SymbolOrigin& origin = lowered_.symbols[symbol];
  return place(origin.procedure, origin.point);
}
SourceSpan SourceTerms::place(const program::LoweredLabel& label) const {
  return place(label.procedure, program_.procedures[label.procedure].points[label.point].statement, label.range);
}
SourceSpan SourceTerms::place(const program::Acquisition& acquisition) const {
  return place(acquisition.procedure, acquisition.point);
}

std::vector<SourceStep> SourceTerms::steps(const dpn::Schedule& schedule, StopToken stop) const {
  std::vector<SourceStep> steps;
  const dpn::Network& network = lowered_.network;
  dpn::Configuration configuration = dpn::initial_configuration(network);
  SeenFrames frames;
  std::size_t phase = 0;
  for (std::size_t i = 0; i < schedule.moves.size(); ++i) {
    stop.check();
    while (phase < schedule.cuts.size() && schedule.cuts[phase] <= i) ++phase;
    const dpn::Move& move = schedule.moves[i];
    const program::RuleOrigin& origin = lowered_.rules[move.rule];
    const program::SymbolRole role = lowered_.symbols[network.rule(move.rule).from.top].role;
    StepEffect effect = effect_of(network, configuration, move);
    // To look at what a call has left behind is no step of the program.
    const bool event =
        effect.kind != StepKind::Base && effect.kind != StepKind::Call && effect.kind != StepKind::Return;
    const bool seen =
        (role == program::SymbolRole::Before && !(is_model_only(origin.what) && !program_.exact)) || event;
    if (seen)
      steps.push_back({.phase = phase + 1,
                       .thread = dpn::thread_name(configuration, move.thread),
                       .at = place(origin.procedure, origin.point),
                       .what = origin.what,
                       .kind = effect.kind,
                       .object = std::move(effect.object),
                       .depth = frames.depth(move.thread)});
    if (dpn::entry_of(network.rule(move.rule))) frames.enter(move.thread, seen);
    if (network.rule(move.rule).kind() == dpn::RuleKind::Return) frames.leave(move.thread);
    dpn::apply(network, configuration, move);
  }
  return steps;
}

Site SourceTerms::site(const ScheduleEnd& end, dpn::ThreadId thread, std::string role) const {
  const dpn::Thread& standing = end.configuration.threads[thread];
  const program::SymbolOrigin& top = lowered_.symbols[standing.stack.back().symbol];
  Site site{.role = std::move(role),
            .at = place(top.procedure, top.point),
            .thread = dpn::thread_name(end.configuration, thread),
            .holds = {},
            .stack = {{program::describe(program_, top.procedure, top.point), place(top.procedure, top.point)}}};
  for (dpn::Lock lock : dpn::held_locks(standing)) site.holds.emplace_back(lowered_.network.locks().shown(lock));
  const auto& entries = end.entries[thread];
  for (std::size_t i = entries.size(); i-- > 0;) {
    const program::SymbolRole entered_from = lowered_.symbols[lowered_.network.rule(entries[i]).from.top].role;
    const program::RuleOrigin& origin = lowered_.rules[entries[i]];
    const program::Procedure& procedure = program_.procedures[origin.procedure];
    // After a wait, the region is what it was before.
    const bool again = entered_from == program::SymbolRole::Waiting;
    if (!again && entered_from != program::SymbolRole::Before) continue;  // nothing that was written
    const program::Point point = again ? procedure.regions[*procedure.points[origin.point].region].enter : origin.point;
    const bool region = std::holds_alternative<program::Enter>(procedure.points[point].instruction);
    StackEntry entry{fmt::format("{} {}", region ? "inside of" : "by",
                                 again ? program::describe(program_, origin.procedure, point) : origin.what),
                     place(origin.procedure, point)};
    // What the library does there happens where the program has started the thread.
    if (!program_.exact && is_thread_body(entry.at.procedure)) {
      if (i == 0) entry.what = "in the thread that is started";
      entry.at.procedure.clear();
    }
    site.stack.push_back(std::move(entry));
  }
  return site;
}

std::vector<ThreadAtEnd> SourceTerms::threads(const ScheduleEnd& end) const {
  std::vector<ThreadAtEnd> standing;
  for (dpn::ThreadId thread : end.configuration.threads.keys()) {
    if (end.configuration.threads[thread].ended()) {
      standing.push_back({.thread = dpn::thread_name(end.configuration, thread)});
      continue;
    }
    Site here = site(end, thread, {});
    standing.push_back(
        {.thread = std::move(here.thread), .stack = std::move(here.stack), .holds = std::move(here.holds)});
  }
  return standing;
}

std::string SourceTerms::names(const std::vector<dpn::Lock>& locks) const {
  std::vector<std::string_view> names;
  for (dpn::Lock lock : locks) names.push_back(lowered_.network.locks().shown(lock));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace lockwood::findings
