#include "frontend/cli/input/line_reader.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"

namespace lockwood::frontend {
namespace {

constexpr int poll_milliseconds = 50;
constexpr std::size_t longest_line = std::size_t{1} << 20U;

}  // namespace

std::optional<std::string> LineReader::next() {
  std::size_t searched = 0;
  while (true) {
    if (const std::size_t end = pending_.find('\n', searched); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    if (ended_) {
      if (pending_.empty()) return std::nullopt;
      stop_.check();  // what stops us may have stopped the writer in the middle of a line
      return std::exchange(pending_, {});
    }
    searched = pending_.size();
    if (searched > longest_line) throw InputError{shown_path("-"), "line too long"};
    stop_.check();
    pollfd event{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (::poll(&event, 1, poll_milliseconds) == 0) continue;
    std::array<char, 4096> chunk{};
    const ssize_t size = ::read(descriptor_, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) throw InputError{shown_path("-"), std::strerror(errno)};
    if (size == 0) ended_ = true;
    pending_.append(chunk.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace lockwood::frontend
