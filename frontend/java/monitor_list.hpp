#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/process/stop.hpp"
#include "base/text/diagnostic.hpp"
#include "frontend/java/inventory.hpp"
#include "frontend/java/java_program.hpp"

namespace lockwood::java {

// A monitor in the code of the application.
struct MonitorRow {
  enum class Kind { SynchronizedMethod, Region, Ignored };
  Kind kind = Kind::Region;
  CodeLocation at;
  std::string object;     // what is locked: "this", "class pkg.Main", or the code that computes it
  std::size_t depth = 0;  // monitors of the same method around it
  std::size_t exits = 0;  // of a region
  std::string note;       // why it is ignored
};

struct MonitorList {
  std::vector<MonitorRow> rows;          // in the order of archives, classes, methods and code
  std::size_t unstructured_methods = 0;  // some monitor in them is ignored
  std::vector<Diagnostic> warnings;      // about methods and classes that are left out
};

// All monitors of the application: its synchronized methods, and the regions in their bodies. Ends by Interrupted when
// a stop is requested.
[[nodiscard]] MonitorList monitor_list(JavaProgram& program, StopToken stop = {});

}  // namespace lockwood::java
