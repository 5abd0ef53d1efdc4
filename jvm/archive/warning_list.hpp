#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/text/diagnostic.hpp"

namespace lockwood::jvm {

// Warnings about one archive. A hostile archive can give cause for a million of them, so only the first ones are kept
// and the others counted.
class WarningList {
 public:
  static constexpr std::size_t max_kept = 20;

  explicit WarningList(std::string file) : file_{std::move(file)} {}
  void add(std::string message);
  // About an entry: "entry 'a/B.class' is encrypted; it is left out".
  void leave_out(std::string_view entry, std::string_view reason);
  // Those kept, and a last one that tells how many are not.
  [[nodiscard]] std::vector<Diagnostic> diagnostics() const;

 private:
  std::string file_;
  std::vector<std::string> kept_;
  std::size_t more_ = 0;
};

// An entry's name as messages show it: of one line, and not long.
[[nodiscard]] std::string shown_entry(std::string_view name);

}  // namespace lockwood::jvm
