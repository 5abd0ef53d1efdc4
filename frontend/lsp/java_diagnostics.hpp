#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "frontend/lsp/message_stream.hpp"
#include "frontend/lsp/text.hpp"

namespace lockwood::lsp {

// A finding of a Java program, as far as code actions need it.
struct JavaFinding {
  struct Line {
    std::string file;
    std::uint32_t line;  // from 0
  };
  std::string id;
  std::string rule;
  std::string subject;
  std::vector<Line> lines;  // of its sites
};

// What is said about the sources of a Java program: by file, diagnostics of the protocol. Sources are read from the
// disk, since the protocol counts columns by their characters.
class JavaDiagnostics {
 public:
  // The findings of a report of `race` or `deadlock` that are open.
  void add_report(const Json& report);
  // Of a compiler: columns count as in the protocol. Those without a place are said at the beginning of `file`;
  // relative paths are below `folder`.
  void add(const std::vector<Diagnostic>& diagnostics, const std::string& file, const std::string& folder,
           const std::string& code);

  [[nodiscard]] const std::map<std::string, Json>& by_file() const { return by_file_; }
  [[nodiscard]] const std::vector<JavaFinding>& findings() const { return findings_; }

 private:
  // What is said of all races of a line on one field: the first of them, and how many more there are.
  struct OfLine {
    std::size_t index;  // of the diagnostic
    std::string message;
    std::string certainty;
    std::size_t more = 0;
  };

  void add_finding(const Json& finding);
  static void add_race(Json& diagnostic, const Json& related, int severity, const OfLine& line);
  [[nodiscard]] const Text* source(const std::string& file);
  // A place of a report as the protocol has it; null if its source cannot be read.
  [[nodiscard]] Json location(const Json& place);

  std::map<std::string, Json> by_file_;
  std::map<std::tuple<std::string, std::uint32_t, std::string>, OfLine> races_;  // by file, line and field
  std::vector<JavaFinding> findings_;
  std::map<std::string, std::shared_ptr<const Text>> sources_;
};

}  // namespace lockwood::lsp
