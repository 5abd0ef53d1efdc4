#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"
#include "dpn/trees/schedule.hpp"

namespace lockwood::dpn {

// For people: a numbered line for each move with the thread's name, its step, and what happens to locks and threads;
// a line before each phase if there are several; at the end where each thread stands and which locks it holds. Steps
// and phases are counted from 1. Requires that the moves are enabled one after the other, lock-insensitively.
//
//       1  main    m1 -- a --> m2  spawns main.1
//       2  main.1  t1 -- a --> t2  acquires x
//     main is at m2
//     main.1 is at t2 and holds x
//
// Both throw Interrupted if asked to stop.
[[nodiscard]] std::string schedule_text(const Network& network, const Schedule& schedule, StopToken stop = {});

// The same for programs: {"phases": n, "steps": [{"step", "phase", "thread", "action", "rule", …}], "threads":
// [{"thread", "ended", "control", "stack" (top first), "holds"}]}. A step may have one of "spawns" (a thread),
// "acquires", "reenters", "releases" (a lock) and "ends" (true). Symbols by their names in the model, except in "rule",
// which is for people.
[[nodiscard]] nlohmann::ordered_json schedule_json(const Network& network, const Schedule& schedule,
                                                   StopToken stop = {});

}  // namespace lockwood::dpn
