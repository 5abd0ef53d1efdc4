#pragma once

#include "frontend/java/facts/threads.hpp"

namespace lockwood::java {

// By object: only one thread that exists at most once accesses its fields and elements, in code or in models; or each
// of the objects that it stands for stays with the thread that has made it, since it is never where another one could
// find it. Such objects take part in no race.
[[nodiscard]] IdVector<ObjectId, bool> thread_local_objects(const PointsTo& flow, const ThreadFacts& threads);

}  // namespace lockwood::java
