#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"

namespace lockwood::java {

// A comment of a Java source.
struct SourceComment {
  std::string_view text;  // without the marks that make it one; of the text it was read from
  Position at;
  std::uint32_t line = 1;  // with which it goes: where it begins if something is before it there, else where it ends
  bool alone = false;      // nothing else stands on its lines
};

// All comments of a source, in order. Marks in strings, characters and text blocks are none. Never fails: what is no
// Java has the comments that are found.
[[nodiscard]] std::vector<SourceComment> comments_of(std::string_view source);

}  // namespace lockwood::java
