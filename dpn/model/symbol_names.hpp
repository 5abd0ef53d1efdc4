#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/suggestion.hpp"
#include "dpn/model/network.hpp"

// How symbols are called in queries.
namespace lockwood::dpn {

// The words of a symbol's text that end in a colon, without it: the labels of a program, `sink` in "main:10 sink: read
// x".
[[nodiscard]] std::vector<std::string_view> labels_in(std::string_view text);

// The symbol of this name; or else those whose text is the name or has it as a label, ascending. None if there are
// none.
template <class Key>
[[nodiscard]] std::vector<Key> symbols_called(const Vocabulary<Key>& vocabulary, std::string_view name) {
  if (const auto key = vocabulary.find(name)) return {*key};
  std::vector<Key> found;
  for (Key key : vocabulary.keys()) {
    const auto text = vocabulary.label(key);
    if (!text) continue;
    const auto labels = labels_in(*text);
    if (*text == name || std::ranges::find(labels, name) != labels.end()) found.push_back(key);
  }
  return found;
}

// What may have been meant by a name that calls no symbol: "did you mean 'n3'?", or nothing.
template <class Key>
[[nodiscard]] std::string symbol_hint(const Vocabulary<Key>& vocabulary, std::string_view name) {
  Suggestion suggestion{name};
  for (Key key : vocabulary.keys()) {
    suggestion.consider(vocabulary.name(key));
    if (const auto text = vocabulary.label(key))
      for (std::string_view label : labels_in(*text)) suggestion.consider(label);
  }
  return suggestion.hint();
}

}  // namespace lockwood::dpn
