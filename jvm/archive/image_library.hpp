#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lockwood::jvm {

// The JDK's own library for its image, libjimage.so, which is loaded for compressed contents only: how they are
// compressed is a matter between jlink and this library.
class ImageLibrary {
 public:
  // Loads the library and has it open the image. Throws InputError, in the name of the image, if there is no such
  // library, if it lacks a function, or if it refuses the image.
  ImageLibrary(const std::string& library, const std::string& image);
  ~ImageLibrary();
  ImageLibrary(const ImageLibrary&) = delete;
  ImageLibrary& operator=(const ImageLibrary&) = delete;

  // The decompressed content of a class, of which the size is known. Throws InputError.
  [[nodiscard]] std::vector<std::uint8_t> read(const std::string& module, const std::string& path, std::uint64_t size);

 private:
  struct Functions;
  std::string image_;
  std::unique_ptr<Functions> functions_;
};

}  // namespace lockwood::jvm
