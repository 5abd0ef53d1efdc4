#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/java/pointsto/points_to.hpp"
#include "frontend/program/ir/source_range.hpp"

namespace lockwood::java {

// The source files of a program's classes, as far as they are found: class files tell the name and the line.
class Sources {
 public:
  // `roots`: folders that hold the sources by package. `known`: texts of sources, by package and name.
  Sources(const Universe& universe, std::vector<std::string> roots, std::map<std::string, std::string> known)
      : universe_{universe}, roots_{std::move(roots)}, known_{std::move(known)} {}

  // The line of an instruction; the columns of `word` if it stands there once. Without debug information the first line
  // of the file.
  [[nodiscard]] program::SourceRange range(const Procedure& procedure, std::optional<std::uint16_t> line,
                                           std::string_view word = {});

  // A line of the file that has the class; empty if there is none.
  [[nodiscard]] std::string_view line(jvm::ClassId type, std::uint32_t number) {
    return line_of(file_of(type), number);
  }
  // The paths and texts of the files met so far; texts of files that were not found are empty.
  [[nodiscard]] const program::SourceFiles& files() const { return files_; }
  [[nodiscard]] const IdVector<program::SourceFile, std::string>& texts() const { return texts_; }

 private:
  [[nodiscard]] program::SourceFile file_of(jvm::ClassId type);
  [[nodiscard]] std::string_view line_of(program::SourceFile file, std::uint32_t line);

  const Universe& universe_;
  std::vector<std::string> roots_;
  std::map<std::string, std::string> known_;
  program::SourceFiles files_;
  IdVector<program::SourceFile, std::string> texts_;
  IdVector<program::SourceFile, std::vector<std::size_t>> begins_;  // of lines
  std::map<std::string, program::SourceFile> by_name_;
  std::map<jvm::ClassId, program::SourceFile> by_class_;
};

}  // namespace lockwood::java
