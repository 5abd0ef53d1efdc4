#pragma once

#include <span>
#include <string>
#include <vector>

#include "frontend/java/library/library.hpp"

namespace lockwood::java::library {

struct ModelText {
  std::string file;  // for messages
  std::string text;
};

// Reads models of library classes [docs/java-models.md]. Texts may refer to each other. A class that an earlier text
// has is opened again: its supertypes, states and methods stay, but for the methods that are given anew. Throws
// InputError with all that is wrong.
[[nodiscard]] Library read_library(std::span<const ModelText> texts);

// The models that come with the program.
[[nodiscard]] const std::vector<ModelText>& bundled_models();
// These, and then the user's.
[[nodiscard]] Library library_with(std::vector<ModelText> texts);

}  // namespace lockwood::java::library
