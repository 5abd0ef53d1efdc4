#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockwood::jvm {

// The bytes of a class file, and where they come from.
struct ClassBytes {
  std::shared_ptr<const void> owner;  // keeps the bytes alive: a buffer, or an image that is mapped into memory
  std::span<const std::uint8_t> bytes;
  std::string origin;  // for messages: "app.jar", "lib/modules:java.base"
};

// A place that classes are read from: a folder, an archive, the image of a JDK, or several of them in a row.
// Classes are named as class files name them: java/lang/String.
class ClassSource {
 public:
  ClassSource() = default;
  ClassSource(const ClassSource&) = delete;
  ClassSource& operator=(const ClassSource&) = delete;
  virtual ~ClassSource();

  // The class of this name, or nothing if this place has none. A class that is here but cannot be read (a broken or
  // hostile archive) is an InputError that names the archive and the entry. The bytes are read at each call.
  [[nodiscard]] virtual std::optional<ClassBytes> find(std::string_view internal_name) = 0;

  // Calls back with each name that `find` knows, once, in an order that depends on the input only. module-info and
  // package-info are files and not classes: they are left out here, and `find` gives them.
  virtual void for_each_class(const std::function<void(std::string_view internal_name)>& callback) = 0;
};

}  // namespace lockwood::jvm
