#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "frontend/findings/finding.hpp"

namespace lockwood::findings {

// The texts of the files that findings are about, to quote from.
class SourceTexts {
 public:
  void add(std::string path, std::string text);

  [[nodiscard]] bool empty() const { return files_.empty(); }
  [[nodiscard]] std::vector<std::string> paths() const;
  // The whole text, if the file is known.
  [[nodiscard]] std::optional<std::string_view> text(const std::string& path) const;
  // Without the ends of lines. Requires that the file is known.
  [[nodiscard]] std::vector<std::string_view> lines(const std::string& path) const;

  // The line of a place as a remark, with the place underlined up to the end of the line; without the line if the file
  // or the line is not known.
  [[nodiscard]] Diagnostic remark(const SourceSpan& place, Severity severity, std::string message) const;

  // The position with its column counted in characters instead of bytes.
  [[nodiscard]] Position in_characters(const std::string& path, Position position) const;

 private:
  struct File {
    std::string text;
    std::vector<std::size_t> begins;  // of lines
  };
  [[nodiscard]] static std::string_view line(const File& file, std::size_t number);  // from 1
  std::map<std::string, File> files_;
};

}  // namespace lockwood::findings
