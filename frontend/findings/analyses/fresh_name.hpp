#pragma once

#include <string>
#include <string_view>

#include "dpn/model/network.hpp"

namespace lockwood::findings {

// A name that the vocabulary does not have yet, made of another one and of what is different about it.
template <class Key>
[[nodiscard]] std::string fresh_name(const dpn::Vocabulary<Key>& vocabulary, std::string_view name,
                                     std::string_view difference) {
  std::string fresh{name};
  if (!difference.empty()) fresh.append(" ").append(difference);
  while (vocabulary.find(fresh)) fresh += '\'';
  return fresh;
}

}  // namespace lockwood::findings
