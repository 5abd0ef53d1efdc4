#include "base/process/text_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
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

std::string shown_path(const std::string& path) { return path == "-" ? "<stdin>" : path; }

std::string read_text_file(const std::string& path, StopToken stop) {
  const std::string shown = shown_path(path);
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

namespace {

// What a symbolic link says; nothing if there is no link of this name.
std::optional<std::string> link_text(const std::string& path) {
  std::string text(PATH_MAX, '\0');
  const ssize_t length = ::readlink(path.c_str(), text.data(), text.size());
  if (length < 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(length));
  return text;
}

// Up to the last slash, inclusively.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// The links there are names for open files: what they say need not be what they lead to.
bool is_in_proc(const std::string& path) {
  constexpr decltype(statfs::f_type) proc_magic = 0x9fa0;
  struct statfs status {};
  const std::string folder = folder_of(path);
  return ::statfs(folder.empty() ? "." : folder.c_str(), &status) == 0 && status.f_type == proc_magic;
}

}  // namespace

std::optional<std::string> replaceable_file(const std::string& path) {
  constexpr int max_chain = 40;  // as in the kernel
  std::string file = path;
  for (int length = 0; length < max_chain; ++length) {
    const auto link = link_text(file);
    if (!link) {
      struct stat status {};
      if (::lstat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return std::nullopt;
      return file;
    }
    if (is_in_proc(file)) return std::nullopt;
    file = link->starts_with('/') ? *link : folder_of(file) + *link;
  }
  return std::nullopt;  // a cycle: opening it tells so
}

int open_new_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return -1;
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat one {};
  struct stat other {};
  return ::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0 && S_ISREG(one.st_mode) &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

void write_text_file(const std::string& path, std::string_view content) {
  if (path == "-") {
    if (!write_all(STDOUT_FILENO, content)) throw OutputError{"standard output", std::strerror(errno)};
    return;
  }
  const auto target = replaceable_file(path);
  if (!target) {
    Descriptor special{::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)};
    if (special.number() < 0 || !write_all(special.number(), content) || !special.close())
      throw OutputError{path, std::strerror(errno)};
    return;
  }
  std::string temporary = *target + ".XXXXXX";
  Descriptor file{::mkstemp(temporary.data())};
  if (file.number() < 0) throw OutputError{path, std::strerror(errno)};
  const Unfinished here{temporary};
  const bool written = write_all(file.number(), content) &&
                       ::fchmod(file.number(), mode_of_replacement(*target)) == 0 && file.close() &&
                       std::rename(temporary.c_str(), target->c_str()) == 0;
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
