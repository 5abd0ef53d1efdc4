#pragma once

#include <string>

#include "base/ids/id.hpp"
#include "base/ids/id_vector.hpp"
#include "base/text/diagnostic.hpp"

namespace lockwood::program {

using SourceFile = Id<struct SourceFileTag>;
using SourceFiles = IdVector<SourceFile, std::string>;  // their paths

// A piece of a program's text, from the first byte to the one after the last.
struct SourceRange {
  SourceFile file{0};
  Position begin;
  Position end;
  friend auto operator<=>(const SourceRange&, const SourceRange&) = default;
};

[[nodiscard]] inline bool contains(const SourceRange& outer, const SourceRange& inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

}  // namespace lockwood::program
