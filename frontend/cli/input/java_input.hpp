#pragma once

#include <string>
#include <vector>

#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/java/library/library.hpp"

namespace lockwood::frontend {

// The models of library classes that come with the program, and then those of the files. Throws InputError.
[[nodiscard]] java::library::Library read_library_models(const std::vector<std::string>& paths);

// Reads a Java program and makes its model. Tells what was assumed. Throws InputError.
[[nodiscard]] ProgramModel read_java_model(const std::string& path, const Run& run);

}  // namespace lockwood::frontend
