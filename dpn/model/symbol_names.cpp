#include "dpn/model/symbol_names.hpp"

namespace lockwood::dpn {

std::vector<std::string_view> labels_in(std::string_view text) {
  std::vector<std::string_view> labels;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (word.size() > 1 && word.back() == ':') labels.push_back(word.substr(0, word.size() - 1));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return labels;
}

}  // namespace lockwood::dpn
