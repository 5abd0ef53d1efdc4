#include "base/process/standard_streams.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <span>

namespace lockwood {
namespace {

iovec part_of(std::string_view text) {
  return {.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};  // NOLINT: it is only read
}

// Without the part of that many bytes.
void remove_prefix(std::span<iovec> parts, std::size_t size) {
  for (iovec& part : parts) {
    const std::size_t taken = std::min(size, part.iov_len);
    part = part_of(std::string_view{static_cast<const char*>(part.iov_base), part.iov_len}.substr(taken));
    size -= taken;
  }
}

}  // namespace

void hold_standard_streams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest number that is free is the one that is missing.
    if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

void put_message(std::string_view text) noexcept { put_message(text, {}, {}); }

void put_message(std::string_view first, std::string_view second, std::string_view third) noexcept {
  std::fflush(stderr);
  std::array<iovec, 3> parts{part_of(first), part_of(second), part_of(third)};
  std::size_t left = first.size() + second.size() + third.size();
  while (left > 0) {
    const ssize_t written = ::writev(STDERR_FILENO, parts.data(), parts.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    remove_prefix(parts, static_cast<std::size_t>(written));
    left -= static_cast<std::size_t>(written);
  }
}

}  // namespace lockwood
