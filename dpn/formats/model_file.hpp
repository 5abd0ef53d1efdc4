#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/process/stop.hpp"
#include "base/text/diagnostic.hpp"
#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"

namespace lockwood::dpn {

// What a file of models holds: a network, the questions its author asks about it, and remarks that do not stop anyone
// from using it.
struct ModelFile {
  Network network;
  std::vector<Query> queries;
  std::vector<Diagnostic> warnings;
};

// Reads a model in the text format or in JSON, from a file of this name, `-` for standard input. The format is told by
// the name (`.json`) or else by the text: JSON begins with `{` and a quote. Throws InputError with all problems found.
[[nodiscard]] ModelFile parse_model(std::string_view text, const std::string& path, StopToken stop = {});

// The model in the file; `-` is standard input. Throws InputError, also if the file cannot be read.
[[nodiscard]] ModelFile load_model(const std::string& path, StopToken stop = {});

}  // namespace lockwood::dpn
