#pragma once

#include <string>

#include "frontend/python/workspace.hpp"

// The analyses of programs (frontend/findings), as JSON. Each throws InputError if the workspace is no program, and
// Interrupted.
namespace lockwood::python {

// What "race", "deadlock", "defuse" or "flow" finds: {"findings": as in docs/results.schema.json, "counts", "notes",
// "complete"}. Options are a JSON object: "variable", "schedules", "explain", "inter_thread", "from", "to", "settle".
[[nodiscard]] std::string found(const Workspace& workspace, const std::string& analysis, const std::string& options,
                                StopToken stop);

// The page of what it finds, as `--html` writes it.
[[nodiscard]] std::string page(const Workspace& workspace, const std::string& analysis, const std::string& options,
                               StopToken stop);

// {"introduced", "fixed", "undecided", "unchanged"}: lists of findings, of two reports in JSON or SARIF that are called
// so in errors. Throws InputError.
[[nodiscard]] std::string difference(const std::string& before, const std::string& before_name,
                                     const std::string& after, const std::string& after_name);

// {"variables", "additions", "idle", "counts", "notes", "complete"}: which locks protect which variables, and would.
[[nodiscard]] std::string guards(const Workspace& workspace, bool advice, StopToken stop);

// {"id", "variable", "message", "certainty", "sites", "schedule", "tree"} for each race.
[[nodiscard]] std::string races(const Workspace& workspace, StopToken stop);

}  // namespace lockwood::python
