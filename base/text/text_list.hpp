#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lockwood {

// A list of texts as an alternative of a variant, for which std::vector<std::string> will not do: libstdc++ 12 takes a
// variant of nothing but numbers, strings, vectors and pointers for one that has a value at any time. When a copy of it
// fails for want of memory, it destroys the value that is not there, which ends the program.
struct TextList : std::vector<std::string> {
  using std::vector<std::string>::vector;
  TextList(std::vector<std::string> texts) : std::vector<std::string>{std::move(texts)} {}
};

}  // namespace lockwood
