#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "dpn/network.hpp"
#include "dpn/query.hpp"

namespace lockwood::dpn {

// What a file of models holds: a network, the questions its author asks about it, and remarks that do not stop anyone
// from using it.
struct ModelFile {
  Network network;
  std::vector<Query> queries;
  std::vector<Diagnostic> warnings;
};

// Reads a model in the text format or in JSON; `-` is standard input. The format is told by the name (`.json`) or else
// by the text: JSON begins with `{` and a quote. Throws InputError with all problems found.
[[nodiscard]] ModelFile load_model(const std::string& path);

}  // namespace lockwood::dpn
