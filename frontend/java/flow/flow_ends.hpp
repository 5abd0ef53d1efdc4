#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/java/lowering/sources.hpp"
#include "frontend/java/lowering/value_ends.hpp"
#include "frontend/java/pointsto/universe.hpp"

namespace lockwood::java {

// Where flows of a Java program begin and end, as somebody asks for them. The text says where, in one of these forms:
//
//     pkg.Login.password          what is read from the field, or what the method returns; to: what is written, or all
//                                 arguments
//     pkg.Login.password=         from: what is written to the field
//     pkg.Login.check(1)          the first argument; (*) all of them, (0) the receiver, () the result
//     Login.java:12               from: what the line makes; to: what it uses
//     key                         what a comment `// lockwood: source key` or `// lockwood: sink key` says
struct WantedEnd {
  ValueRole role;
  std::string text;
  std::string level = {};  // of the lattice; empty: higher than all (a source), lower than all (a sink)
};

// Levels of secrecy, with the pairs of which the first is lower. What comes from a level may get to the same level and
// to all higher ones.
class Levels {
 public:
  // Throws std::invalid_argument if two levels would be lower than each other.
  void add(const std::string& lower, const std::string& higher);
  [[nodiscard]] bool allows(const std::string& from, const std::string& to) const;
  [[nodiscard]] bool knows(const std::string& level) const;

 private:
  std::set<std::pair<std::string, std::string>> lower_;  // transitive
};

// What a file of sources and sinks says:
//
//     {"levels": [["public", "secret"]],
//      "sources": [{"at": "pkg.Login.password", "level": "secret"}],
//      "sinks": [{"at": "java.io.PrintStream.println(*)", "level": "public"}]}
struct EndsFile {
  std::vector<WantedEnd> ends;
  Levels levels;
};
// Throws InputError.
[[nodiscard]] EndsFile read_ends_file(std::string_view text, const std::string& path);

// Answers the questions of the lowering: from what somebody wants, from comments in the sources, and from annotations
// named Source and Sink, of any package.
class FlowEnds : public ValueEnds {
 public:
  // `noted`: comments and annotations count, too. Throws InputError for a text of none of the forms.
  FlowEnds(const Universe& universe, std::vector<WantedEnd> wanted, bool noted, std::vector<std::string> source_path);

  // The table that the rows are of. Grows while the program is lowered.
  [[nodiscard]] const std::vector<WantedEnd>& ends() const { return ends_; }

  [[nodiscard]] std::vector<MethodEnd> of_method(jvm::ClassId owner, std::string_view name,
                                                 std::string_view descriptor) const override;
  [[nodiscard]] std::vector<FieldEnd> of_field(jvm::ClassId owner, std::string_view name) const override;
  [[nodiscard]] std::vector<FieldEnd> of_line(jvm::ClassId owner, std::uint32_t line) const override;

 private:
  struct Pattern {
    std::size_t row;
    std::string owner;  // pkg.Login, or the name of a file
    std::string member;
    bool is_line = false;
    bool is_field_write = false;
    bool has_arguments = false;  // with parentheses
    bool is_result = false;      // ()
    std::optional<std::uint32_t> argument;
    std::uint32_t line = 0;
  };
  [[nodiscard]] std::size_t row(ValueRole role, const std::string& text, const std::string& level) const;
  [[nodiscard]] bool fits(const Pattern& pattern, jvm::ClassId owner, std::string_view name) const;
  void add_annotated(std::vector<MethodEnd>& ends, jvm::ClassId owner, std::string_view name,
                     std::string_view descriptor) const;

  const Universe& universe_;
  mutable std::vector<WantedEnd> ends_;
  std::vector<Pattern> patterns_;
  std::map<std::pair<ValueRole, std::string>, std::size_t> keys_;  // of comments
  bool noted_;
  mutable Sources sources_;
  mutable std::map<std::pair<jvm::ClassId, std::uint32_t>, std::vector<FieldEnd>> lines_;
};

}  // namespace lockwood::java
