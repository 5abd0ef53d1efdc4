#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/text/diagnostic.hpp"

namespace lockwood::java {

// What javac is to do: nothing is executed that a source brings along, such as annotation processors.
struct Compilation {
  std::vector<std::string> sources;
  std::vector<std::string> source_path;  // where the sources of other classes are
  std::vector<std::string> class_path;
  std::string output;  // the folder of the classes
};

// The javac of this JDK; without one, that of JAVA_HOME, or on the path. Nothing if there is none.
[[nodiscard]] std::optional<std::string> find_javac(const std::optional<std::string>& jdk);

// The command line.
[[nodiscard]] std::vector<std::string> command_of(const std::string& javac, const Compilation& compilation);

// The errors that javac has printed, with their files as it was given them.
[[nodiscard]] std::vector<Diagnostic> errors_of_javac(const std::string& printed);

}  // namespace lockwood::java
