#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jvm/archive/archive_limits.hpp"
#include "jvm/archive/class_source.hpp"
#include "jvm/archive/image_index.hpp"
#include "jvm/archive/image_library.hpp"
#include "jvm/archive/regular_file.hpp"

namespace lockwood::jvm {

// The classes in the image of a JDK, lib/modules, from release 9 on. The image is mapped into memory: opening it reads
// nothing but its header, and a class is a view of the bytes that are there.
class Image final : public ClassSource {
 public:
  // Maps the file. The library is libjimage.so, loaded when a compressed class is asked for. Throws InputError.
  [[nodiscard]] static std::unique_ptr<Image> open(const std::string& path, std::string library,
                                                   const ArchiveLimits& limits);
  // An image in memory; compressed classes are refused, since libjimage.so reads files.
  Image(SharedBytes bytes, std::string name, const ArchiveLimits& limits);

  [[nodiscard]] std::optional<ClassBytes> find(std::string_view internal_name) override;
  void for_each_class(const std::function<void(std::string_view)>& callback) override;

  // The modules with a package of this name (java/lang). Usually one; an image tells also of modules where the package
  // has no class but other files.
  [[nodiscard]] std::vector<std::string_view> modules_of(std::string_view package) const;

 private:
  [[nodiscard]] std::optional<ImageLocation> locate(std::string_view internal_name) const;
  [[nodiscard]] ClassBytes decompressed(const ImageLocation& location, std::string origin);

  SharedBytes bytes_;
  std::string name_;
  std::string library_;  // the path of libjimage.so; empty if the image is no file
  ArchiveLimits limits_;
  ImageIndex index_;
  std::unique_ptr<ImageLibrary> loaded_;
};

}  // namespace lockwood::jvm
