#include "jvm/archive/warning_list.hpp"

#include <fmt/format.h>

#include <cassert>

#include "base/text/printable.hpp"

namespace lockwood::jvm {

std::string shown_entry(std::string_view name) {
  // A class is known by the end of its name, so the front is cut.
  constexpr std::size_t limit = 120;
  const std::string shown = printable(name);
  if (shown.size() <= limit) return shown;
  return "…" + printable(shown.substr(shown.size() - limit));
}

void WarningList::add(std::string message) {
  assert(!message.empty());
  if (kept_.size() < max_kept)
    kept_.push_back(std::move(message));
  else
    ++more_;
}

void WarningList::leave_out(std::string_view entry, std::string_view reason) {
  if (kept_.size() < max_kept)
    add(fmt::format("entry '{}' {}; it is left out", shown_entry(entry), reason));
  else
    ++more_;
}

std::vector<Diagnostic> WarningList::diagnostics() const {
  assert(more_ == 0 || kept_.size() == max_kept);
  std::vector<Diagnostic> all;
  const auto append = [&](std::string message) {
    all.push_back(
        {.severity = Severity::Warning, .file = file_, .message = std::move(message), .excerpt = {}, .hint = {}});
  };
  for (const std::string& message : kept_) append(message);
  if (more_ > 0) append(fmt::format("{} more warnings about this archive", more_));
  return all;
}

}  // namespace lockwood::jvm
