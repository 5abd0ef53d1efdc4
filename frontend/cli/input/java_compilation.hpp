#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/process/temporary_folder.hpp"
#include "frontend/cli/run.hpp"

namespace lockwood::frontend {

// Classes that were made of sources. They go when this does.
struct CompiledSources {
  std::shared_ptr<TemporaryFolder> folder;
  std::string root;                      // of the packages among the sources
  std::optional<std::string> main = {};  // the class that the source is named after, if it is one source
};

// A source, or a folder with sources and without classes.
[[nodiscard]] bool is_java_source(const std::string& path);

// Compiles them with `javac -g` into a folder of their own; what one source refers to is compiled with it. Annotation
// processors do not run: to look at a program must not start it. Throws InputError with what javac says, and
// Interrupted if asked to stop.
[[nodiscard]] CompiledSources compile_java(const std::string& path, const Run& run);

}  // namespace lockwood::frontend
