#include "base/process/text_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/process/output_error.hpp"
#include "base/text/diagnostic.hpp"

namespace lockwood {
namespace {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_{number} {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > 2) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }
  // Closing may report a delayed write error.
  [[nodiscard]] bool close() {
    const int closing = number_;
    number_ = -1;
    return ::close(closing) == 0;
  }

 private:
  int number_;
};

// The temporary name of the file that is being written, if there is one.
std::atomic<const char*> unfinished{nullptr};

// While this lives, the file is not finished.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path) { unfinished.store(path.c_str()); }
  ~Unfinished() { unfinished.store(nullptr); }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
};

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Whether there is something to read, or an end or error to hear of; waits for it, but not for long.
bool has_more(int descriptor) {
  constexpr int milliseconds = 50;
  pollfd event{.fd = descriptor, .events = POLLIN, .revents = 0};
  return ::poll(&event, 1, milliseconds) != 0;
}

}  // namespace

std::string read_text_file(const std::string& path, StopToken stop) {
  const std::string shown = path == "-" ? "<stdin>" : path;
  Descriptor file{path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number() < 0) throw InputError{shown, std::strerror(errno)};
  struct stat status {};
  if (::fstat(file.number(), &status) == 0 && S_ISDIR(status.st_mode)) throw InputError{shown, "is a directory"};

  std::string content;
  if (S_ISREG(status.st_mode)) content.reserve(static_cast<std::size_t>(status.st_size) + 1);
  std::string chunk(std::size_t{1} << 16U, '\0');
  while (true) {
    stop.check();
    if (!S_ISREG(status.st_mode) && !has_more(file.number())) continue;
    const ssize_t count = ::read(file.number(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError{shown, std::strerror(errno)};
    if (count == 0) return content;
    content.append(chunk, 0, static_cast<std::size_t>(count));
  }
}

mode_t mode_of_replacement(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & 07777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

bool is_special_file(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

void write_text_file(const std::string& path, std::string_view content) {
  if (path == "-") {
    if (!write_all(STDOUT_FILENO, content)) throw OutputError{"standard output", std::strerror(errno)};
    return;
  }
  if (is_special_file(path)) {
    Descriptor special{::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)};
    if (special.number() < 0 || !write_all(special.number(), content) || !special.close())
      throw OutputError{path, std::strerror(errno)};
    return;
  }
  std::string temporary = path + ".XXXXXX";
  Descriptor file{::mkstemp(temporary.data())};
  if (file.number() < 0) throw OutputError{path, std::strerror(errno)};
  const Unfinished here{temporary};
  const bool written = write_all(file.number(), content) && ::fchmod(file.number(), mode_of_replacement(path)) == 0 &&
                       file.close() && std::rename(temporary.c_str(), path.c_str()) == 0;
  if (!written) {
    const int error = errno;
    ::unlink(temporary.c_str());
    throw OutputError{path, std::strerror(error)};
  }
}

void remove_unfinished_file() noexcept {
  if (const char* path = unfinished.load()) ::unlink(path);
}

}  // namespace lockwood
