#pragma once

#include "frontend/java/facts/threads.hpp"

namespace lockwood::java {

// By object: only one thread that exists at most once accesses its fields and elements, in code or in models. Such
// objects take part in no race.
[[nodiscard]] IdVector<ObjectId, bool> thread_local_objects(const PointsTo& flow, const ThreadFacts& threads);

}  // namespace lockwood::java
