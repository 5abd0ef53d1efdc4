#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "jvm/archive/archive_limits.hpp"
#include "jvm/archive/class_source.hpp"

namespace lockwood::jvm {

// Where to look for a JDK, in this order.
struct JdkSearch {
  std::optional<std::string> named;      // by the user: --jdk=DIR
  std::optional<std::string> java_home;  // the environment's JAVA_HOME
  std::optional<std::string> path;       // the environment's PATH, on which `java` may be
};

// With what the environment says.
[[nodiscard]] JdkSearch jdk_search(std::optional<std::string> named);

// The classes of a JDK, or of a JRE, which has the same.
struct Jdk {
  std::string home;
  int release = 0;  // 8, 17, …
  std::unique_ptr<ClassSource> classes;
  std::vector<Diagnostic> warnings;
};

// Finds and opens a JDK. That there is none is no error, unless the user has named one: then it must be there. A
// JAVA_HOME without a JDK is passed over, with a warning in `passed_over`. Throws InputError.
[[nodiscard]] std::optional<Jdk> find_jdk(const JdkSearch& search, const ArchiveLimits& limits,
                                          std::vector<Diagnostic>& passed_over);

// Opens the JDK in this folder: lib/modules from release 9 on, lib/rt.jar or jre/lib/rt.jar for release 8. Throws
// InputError, also if there is neither.
[[nodiscard]] Jdk open_jdk(const std::string& home, const ArchiveLimits& limits);

// The release that a `release` file tells: 17 for JAVA_VERSION="17.0.15", 8 for "1.8.0_292"; nothing if it does not.
[[nodiscard]] std::optional<int> release_of(std::string_view release_file);

}  // namespace lockwood::jvm
