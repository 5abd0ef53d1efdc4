#pragma once

#include <set>

#include "frontend/java/facts/facts.hpp"

namespace lockwood::java {

// The classes whose initialisers may as well run before main: without locks and threads, and with accesses to nothing
// but their own static fields and objects that they have made. Nobody can tell when they run.
[[nodiscard]] std::set<jvm::ClassId> simple_initialisers(const Facts& facts);

}  // namespace lockwood::java
