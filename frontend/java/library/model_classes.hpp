#pragma once

#include <cstdint>
#include <vector>

#include "frontend/java/library/library.hpp"
#include "jvm/archive/class_source.hpp"

namespace lockwood::java::library {

// The classes of the models as class files without code: their supertypes, methods and constants. For programs that are
// read where there is no JDK: a hierarchy that asks this source last knows what the models know. A method whose model
// does not tell its result has result `void` here, so that callers must look for it by its parameters. Wildcards and
// helpers are no methods. The library must outlive the source.
class ModelClassSource : public jvm::ClassSource {
 public:
  explicit ModelClassSource(const Library& library) : library_{library} {}
  [[nodiscard]] std::optional<jvm::ClassBytes> find(std::string_view internal_name) override;
  void for_each_class(const std::function<void(std::string_view internal_name)>& callback) override;

 private:
  const Library& library_;
};

// The class file of one model.
[[nodiscard]] std::vector<std::uint8_t> class_bytes(const ClassModel& model);

}  // namespace lockwood::java::library
