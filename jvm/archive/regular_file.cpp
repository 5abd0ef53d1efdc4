#include "jvm/archive/regular_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "base/text/diagnostic.hpp"

namespace lockwood::jvm {
namespace {

// An open regular file and its size.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      // Opening a pipe waits for its writer unless told not to; regular files do not care.
      : descriptor_{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)} {
    if (descriptor_ < 0) throw InputError{path, std::strerror(errno)};
    struct stat status {};
    const bool known = ::fstat(descriptor_, &status) == 0;
    if (!known || !S_ISREG(status.st_mode)) {
      ::close(descriptor_);
      throw InputError{path, S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file"};
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { ::close(descriptor_); }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace

SharedBytes shared(std::vector<std::uint8_t> bytes) {
  auto owner = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
  const std::span<const std::uint8_t> view{*owner};
  return {std::move(owner), view};
}

SharedBytes read_regular_file(const std::string& path, std::uint64_t max_bytes) {
  const OpenFile file{path};
  if (file.size() > max_bytes)
    throw InputError{path,
                     fmt::format("has {}; the limit for a file is {}", bytes_text(file.size()), bytes_text(max_bytes))};
  std::vector<std::uint8_t> content(file.size());
  std::size_t filled = 0;
  while (filled < content.size()) {
    const ssize_t count = ::read(file.descriptor(), content.data() + filled, content.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError{path, std::strerror(errno)};
    if (count == 0) break;  // somebody has made it shorter since
    filled += static_cast<std::size_t>(count);
    assert(filled <= content.size());
  }
  content.resize(filled);
  return shared(std::move(content));
}

SharedBytes map_regular_file(const std::string& path) {
  const OpenFile file{path};
  const std::size_t size = file.size();
  if (size == 0) return {};
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (address == MAP_FAILED) throw InputError{path, std::strerror(errno)};
  std::shared_ptr<const void> owner{address, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); }};
  return {std::move(owner), {static_cast<const std::uint8_t*>(address), size}};
}

}  // namespace lockwood::jvm
