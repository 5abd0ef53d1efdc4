#include "jvm/archive/image_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cassert>
#include <filesystem>

#include "base/text/diagnostic.hpp"

namespace lockwood::jvm {
namespace {

// The library's interface for programs in C, which has been the same since release 9.
using Open = void* (*)(const char* path, std::int32_t* error);
using Close = void (*)(void* image);
using FindResource = std::int64_t (*)(void* image, const char* module, const char* version, const char* path,
                                      std::int64_t* size);
using GetResource = std::int64_t (*)(void* image, std::int64_t location, char* buffer, std::int64_t size);

// libjimage.so needs libjvm.so, which lies in a folder that the linker does not search unless java starts it. Once it
// is loaded, the linker is content. It is not made to be unloaded, so it stays.
void load_machine(const std::string& library) {
  const std::filesystem::path folder = std::filesystem::path{library}.parent_path();
  for (const char* kind : {"server", "client", "minimal"})
    if (::dlopen((folder / kind / "libjvm.so").c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE) != nullptr) return;
}

}  // namespace

struct ImageLibrary::Functions {
  void* library = nullptr;
  void* image = nullptr;
  Open open = nullptr;
  Close close = nullptr;
  FindResource find = nullptr;
  GetResource get = nullptr;

  Functions() = default;
  Functions(const Functions&) = delete;
  Functions& operator=(const Functions&) = delete;
  ~Functions() {
    if (image != nullptr) close(image);
    if (library != nullptr) ::dlclose(library);
  }
};

ImageLibrary::ImageLibrary(const std::string& library, const std::string& image)
    : image_{image}, functions_{std::make_unique<Functions>()} {
  const auto refuse = [&](std::string_view reason) {
    throw InputError{image_,
                     fmt::format("is compressed, as jlink does if it is asked to, and cannot be decompressed: {}; "
                                 "name the JDK that it was made from by --jdk=DIR",
                                 reason)};
  };
  load_machine(library);
  functions_->library = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (functions_->library == nullptr) {
    const char* const reason = ::dlerror();
    refuse(reason != nullptr ? reason : "its libjimage.so cannot be loaded");
  }
  const auto bind = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(functions_->library, name));
    if (function == nullptr) refuse(fmt::format("{} has no {}", library, name));
  };
  bind(functions_->open, "JIMAGE_Open");
  bind(functions_->close, "JIMAGE_Close");
  bind(functions_->find, "JIMAGE_FindResource");
  bind(functions_->get, "JIMAGE_GetResource");
  std::int32_t error = 0;
  functions_->image = functions_->open(image.c_str(), &error);
  if (functions_->image == nullptr) refuse(fmt::format("{} refuses it with error {}", library, error));
}

ImageLibrary::~ImageLibrary() = default;

std::vector<std::uint8_t> ImageLibrary::read(const std::string& module, const std::string& path, std::uint64_t size) {
  assert(functions_->image != nullptr);
  std::int64_t found_size = 0;
  // The version has only ever been "9.0".
  const std::int64_t location = functions_->find(functions_->image, module.c_str(), "9.0", path.c_str(), &found_size);
  if (location == 0 || found_size < 0 || static_cast<std::uint64_t>(found_size) != size)
    throw InputError{image_, fmt::format("libjimage.so does not find /{}/{} as the image has it", module, path)};
  std::vector<std::uint8_t> content(size);
  const std::int64_t got =
      functions_->get(functions_->image, location, reinterpret_cast<char*>(content.data()), found_size);
  if (got != found_size) throw InputError{image_, fmt::format("libjimage.so cannot decompress /{}/{}", module, path)};
  return content;
}

}  // namespace lockwood::jvm
