#include "jvm/archive/source_list.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <unordered_set>

namespace lockwood::jvm {

SourceList::SourceList(std::vector<std::shared_ptr<ClassSource>> sources) : sources_{std::move(sources)} {
  assert(std::ranges::none_of(sources_, [](const auto& source) { return source == nullptr; }));
}

std::optional<ClassBytes> SourceList::find(std::string_view internal_name) {
  for (const auto& source : sources_)
    if (auto found = source->find(internal_name)) return found;
  return std::nullopt;
}

void SourceList::for_each_class(const std::function<void(std::string_view)>& callback) {
  std::unordered_set<std::string> seen;
  for (const auto& source : sources_)
    source->for_each_class([&](std::string_view name) {
      if (seen.emplace(name).second) callback(name);
    });
}

}  // namespace lockwood::jvm
