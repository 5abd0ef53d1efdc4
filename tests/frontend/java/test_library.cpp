#include <doctest/doctest.h>

#include "frontend/java/library/model_printer.hpp"
#include "frontend/java/library/model_reader.hpp"

namespace library = lockwood::java::library;

TEST_CASE("models that are printed are read as they were") {
  const library::Library models = library::library_with({});
  const std::string text = library::to_text(models);
  const std::vector<library::ModelText> printed{{"printed", text}};
  const library::Library again = library::read_library(printed);
  CHECK(library::to_text(again) == text);
}
