#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/process/stop.hpp"
#include "base/text/diagnostic.hpp"
#include "frontend/java/java_program.hpp"

namespace lockwood::java {

// How much there is in an archive of the application.
struct ArchiveCounts {
  std::size_t classes = 0;  // and interfaces
  std::size_t methods = 0;
  std::size_t bodies = 0;  // of methods: neither abstract nor native
  std::size_t instructions = 0;
  std::size_t synchronized_methods = 0;
  std::size_t monitor_enters = 0;
  std::size_t unread = 0;  // classes that are left out, with a warning
};

// A place in the code of the application.
struct CodeLocation {
  std::string method;  // pkg.Main.run()
  std::optional<std::uint32_t> line;
  std::string source;  // Main.java; may be empty
};

// A class that java can start.
struct MainClass {
  std::string name;  // pkg.Main
  std::string archive;
  bool named_by_manifest = false;
};

// A call that starts a thread, or hands work to one.
struct ThreadStart {
  CodeLocation at;
  std::string callee;  // java.lang.Thread.start
};

// A class that the application refers to, and that is nowhere.
struct MissingClass {
  std::string name;
  std::size_t used_by = 0;  // classes
  std::string first_use;    // the first of them
};

// What is in a program.
struct Inventory {
  IdVector<jvm::ArchiveId, ArchiveCounts> archives;
  std::vector<MainClass> mains;
  std::vector<ThreadStart> starts;    // in the order of archives, classes and code
  std::vector<MissingClass> missing;  // by name; without those of a JDK, if there is no JDK
  std::size_t jdk_classes = 0;        // of the JDK that the application refers to, found or not
  std::vector<Diagnostic> warnings;   // about classes that are left out

  [[nodiscard]] ArchiveCounts total() const;
};

// Reads every class of the application once. A class that is broken is left out, with a warning. Ends by Interrupted
// when a stop is requested.
[[nodiscard]] Inventory inventory(JavaProgram& program, StopToken stop = {});

// The class belongs to a JDK by its name: java.*, javax.*, jdk.*, sun.*, com.sun.*.
[[nodiscard]] bool is_jdk_class(std::string_view internal_name);

}  // namespace lockwood::java
