#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/program/ir/source_range.hpp"
#include "jvm/hierarchy/class_hierarchy.hpp"

namespace lockwood::java {

// Where values come from, or where they must not get.
enum class ValueRole : std::uint8_t { Source, Sink };

// An end of flows, as a method or a field has it: a row of a table of whoever asks.
struct FieldEnd {
  std::size_t row;
  ValueRole role;
  bool written = false;  // a source: what is written to the field, not what is read from it
};
struct MethodEnd {
  std::size_t row;
  ValueRole role;
  bool result = false;                         // what the method returns; else its arguments
  std::optional<std::uint32_t> argument = {};  // the receiver is 0, the others begin with 1; none: all but the receiver
};

// Which values somebody asks about. The lowering of code asks this about each call, access and line.
class ValueEnds {
 public:
  ValueEnds() = default;
  ValueEnds(const ValueEnds&) = delete;
  ValueEnds& operator=(const ValueEnds&) = delete;
  virtual ~ValueEnds() = default;
  [[nodiscard]] virtual std::vector<MethodEnd> of_method(jvm::ClassId owner, std::string_view name,
                                                         std::string_view descriptor) const = 0;
  [[nodiscard]] virtual std::vector<FieldEnd> of_field(jvm::ClassId owner, std::string_view name) const = 0;
  // The line of a source file of this class. Sources: what the line makes; sinks: what it uses.
  [[nodiscard]] virtual std::vector<FieldEnd> of_line(jvm::ClassId owner, std::uint32_t line) const = 0;
};

// A place of the program where values of such an end are: points of the model with Node::mark point here.
struct ValueMark {
  std::size_t row;  // of the table of whoever asked
  ValueRole role;
  std::string place;  // "pkg.Main.run(), Main.java:12"
  program::SourceRange range;
};

}  // namespace lockwood::java
