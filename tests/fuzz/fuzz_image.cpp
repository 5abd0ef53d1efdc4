// Images of JDKs: each class that is listed is read or refused.
#include "base/text/diagnostic.hpp"
#include "jvm/archive/class_name.hpp"
#include "jvm/archive/image.hpp"
#include "tests/fuzz/target.hpp"

namespace fuzz = lockwood::fuzz;
namespace jvm = lockwood::jvm;

namespace {

void read(jvm::Image& image, std::span<const std::uint8_t> whole) {
  image.for_each_class([&](std::string_view name) {
    fuzz::require(jvm::is_class_name(name), "what is listed has the name of a class", name);
    try {
      const auto found = image.find(name);
      fuzz::require(found.has_value(), "what is listed is found", name);
      const bool inside =
          found->bytes.empty() || (found->bytes.data() >= whole.data() && found->bytes.size() <= whole.size() &&
                                   found->bytes.data() + found->bytes.size() <= whole.data() + whole.size());
      fuzz::require(inside, "a class is within the image", name);
    } catch (const lockwood::InputError&) {
      // Refused.
    }
  });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const jvm::SharedBytes bytes = jvm::shared({data, data + size});
  try {
    jvm::Image image{bytes, "input", {}};
    read(image, bytes.bytes);
  } catch (const lockwood::InputError&) {
    // No image.
  }
  return 0;
}
