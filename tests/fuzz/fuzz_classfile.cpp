// Class files: any bytes are a class or are refused, part by part, and the code of its methods keeps its invariants.
#include <memory>
#include <vector>

#include "tests/fuzz/target.hpp"
#include "tests/jvm/read_everything.hpp"

namespace jvm = lockwood::jvm;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto content = std::make_shared<std::vector<std::uint8_t>>(data, data + size);
  const std::span<const std::uint8_t> bytes{*content};
  try {
    const jvm::ClassFile file = jvm::read_class_file({std::move(content), bytes, "input"});
    static_cast<void>(jvm::test::read_everything(file));
  } catch (const lockwood::InputError&) {
    // No class.
  }
  return 0;
}
