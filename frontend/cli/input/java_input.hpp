#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/process/temporary_folder.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/java/client/library_client.hpp"
#include "frontend/java/java_program.hpp"
#include "frontend/java/library/library.hpp"

namespace lockwood::frontend {

// A folder of classes or sources, an archive, or a source: what commands take for a Java program.
[[nodiscard]] bool is_java_input(const std::string& path);

// A Java program, and what must live as long as it is used.
struct JavaInput {
  std::shared_ptr<TemporaryFolder> folder;  // of classes that were compiled for it
  java::JavaProgram program;
  std::vector<std::string> source_path;            // where its sources are
  std::optional<java::LibraryClient> client = {};  // if it is a library
};

// Opens it, after having compiled it if it is a source, and makes a client up for it if it is a library. Throws
// InputError.
[[nodiscard]] JavaInput open_java_input(const std::string& path, const Run& run);

// The models of library classes that come with the program, then those of the files of the user, and those of a client.
// Throws InputError.
[[nodiscard]] java::library::Library models_for(const JavaInput& input, const Run& run);

// What is analysed, and from which main on.
[[nodiscard]] java::PointsToOptions analysis_of(const JavaInput& input, const Run& run);

// Reads a Java program and makes its model. Tells what was assumed. Throws InputError.
[[nodiscard]] ProgramModel read_java_model(const std::string& path, const Run& run, const JavaWishes& wishes);

}  // namespace lockwood::frontend
