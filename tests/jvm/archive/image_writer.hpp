#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockwood::jvm {

// A class in an image that is to be written.
struct WrittenClass {
  std::string module;
  std::string name;  // java/lang/Object
  std::string content;
  std::uint64_t compressed_size = 0;  // says that it is compressed, which it is not
};

enum class ByteOrder { Little, Big };

// The image of a JDK with these classes, of different names, and the packages that they are in: written from the
// description of the format, with a perfect hash table.
[[nodiscard]] std::vector<std::uint8_t> written_image(const std::vector<WrittenClass>& classes, ByteOrder order);

}  // namespace lockwood::jvm
