#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/text/diagnostic.hpp"

namespace lockwood::jvm {

// Where in a class file something is wrong. Parts that are not known are empty.
struct ClassLocation {
  std::string origin;                   // "app.jar"
  std::string class_name;               // "java/lang/String", once it could be read
  std::string method;                   // "run()V"
  std::optional<std::size_t> byte;      // of the class file
  std::optional<std::size_t> bytecode;  // offset in the code of the method
};

// A class file that breaks the rules of the format. The user's input is at fault.
class ClassFormatError : public InputError {
 public:
  ClassFormatError(ClassLocation location, std::string_view message);
  [[nodiscard]] const ClassLocation& location() const { return location_; }

 private:
  ClassLocation location_;
};

// What readers of bytes throw: they know the place in the bytes, and neither class nor method. Whoever knows these
// catches it and throws a ClassFormatError instead.
struct MalformedBytes {
  std::size_t offset;
  std::string message;
};

}  // namespace lockwood::jvm
