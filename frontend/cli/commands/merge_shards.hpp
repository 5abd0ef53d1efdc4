#pragma once

#include <string>
#include <vector>

#include "base/process/exit_status.hpp"
#include "frontend/cli/run.hpp"

namespace lockwood::frontend {

// Whether the text is a report of `lockwood explore --shard --json`.
[[nodiscard]] bool is_shard_report(const std::string& text);

// The reports of the shards of one search as one report, as JSON: what any of them has found, once; counts added up.
// Complete if all shards are there and none of them has left out anything but what the others visit. Throws InputError:
// not a report of a shard, of another program or number of shards, twice the same shard.
[[nodiscard]] ExitStatus merge_shards(const std::vector<std::string>& paths, const std::string& output, Run& run);

}  // namespace lockwood::frontend
