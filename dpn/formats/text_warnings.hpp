#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "dpn/formats/text_scanner.hpp"

namespace lockwood::dpn {

// Remarks about a text that do not stop anyone from using it. Beyond a limit they are only counted.
class TextWarnings {
 public:
  // Both must outlive it.
  TextWarnings(std::string_view text, std::string_view file) : text_{text}, file_{file} {}

  void add(Extent where, std::string message, std::string hint = {}) {
    if (++count_ > limit) return;
    warnings_.push_back(diagnostic_at(file_, text_, where.begin, where.width, std::move(message)));
    warnings_.back().severity = Severity::Warning;
    warnings_.back().hint = std::move(hint);
  }
  // What is added from now on is not shown, so its place does not matter.
  [[nodiscard]] bool full() const { return count_ >= limit; }

  [[nodiscard]] std::vector<Diagnostic> take() && {
    if (count_ > limit)
      warnings_.push_back({.severity = Severity::Warning,
                           .file = std::string{file_},
                           .message = std::to_string(count_ - limit) + " more warnings"});
    return std::move(warnings_);
  }

 private:
  static constexpr std::size_t limit = 20;
  std::string_view text_;
  std::string_view file_;
  std::vector<Diagnostic> warnings_;
  std::size_t count_ = 0;
};

}  // namespace lockwood::dpn
