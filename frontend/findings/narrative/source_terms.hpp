#pragma once

#include <string>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "dpn/semantics/configuration.hpp"
#include "dpn/trees/schedule.hpp"
#include "frontend/findings/finding.hpp"
#include "frontend/program/lowering/lowering.hpp"

namespace lockwood::findings {

// Where a schedule leads to, and how each thread came to its frames.
struct ScheduleEnd {
  dpn::Configuration configuration;
  // By thread the rules that entered its frames, the outermost first; one less than frames, unless it has ended.
  IdVector<dpn::ThreadId, std::vector<dpn::RuleId>> entries;
};
[[nodiscard]] ScheduleEnd end_of(const dpn::Network& network, const dpn::Schedule& schedule, StopToken stop = {});

// Says what happens in a model in terms of the program that it was made of. Everything given must outlive it.
class SourceTerms {
 public:
  // The texts of the program's files, to quote from.
  SourceTerms(const program::Program& program, const program::Lowered& lowered,
              const IdVector<program::SourceFile, std::string>& texts);

  [[nodiscard]] const program::Program& program() const { return program_; }
  [[nodiscard]] const program::Lowered& lowered() const { return lowered_; }

  [[nodiscard]] SourceSpan place(const program::Access& access) const;
  [[nodiscard]] SourceSpan place(dpn::StackSymbol symbol) const;
  [[nodiscard]] SourceSpan place(const program::LoweredLabel& label) const;
  [[nodiscard]] SourceSpan place(const program::Acquisition& acquisition) const;
  [[nodiscard]] SourceSpan place(program::ProcedureId procedure, program::Point point) const;

  // The steps of the schedule that a reader of the program would call steps. Throws Interrupted if asked to stop.
  [[nodiscard]] std::vector<SourceStep> steps(const dpn::Schedule& schedule, StopToken stop = {}) const;

  // All threads, in the order of their creation.
  [[nodiscard]] std::vector<ThreadAtEnd> threads(const ScheduleEnd& end) const;

  // Where the thread is at the end, and how it came there by calls. Requires that it has not ended.
  [[nodiscard]] Site site(const ScheduleEnd& end, dpn::ThreadId thread, std::string role) const;

  [[nodiscard]] std::string names(const std::vector<dpn::Lock>& locks) const;  // "a, b"

 private:
  [[nodiscard]] SourceSpan place(program::ProcedureId procedure, std::uint32_t statement,
                                 const program::SourceRange& range) const;

  const program::Program& program_;
  const program::Lowered& lowered_;
  const IdVector<program::SourceFile, std::string>& texts_;
  IdVector<program::SourceFile, std::vector<std::size_t>> line_begins_;
};

// "write" or "read".
[[nodiscard]] const char* to_string(program::AccessKind kind);

}  // namespace lockwood::findings
