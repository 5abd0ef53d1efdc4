#include "frontend/cli/output/line_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/process/output_error.hpp"

namespace lockwood::frontend {
namespace {

int opened(const std::string& path, LineWriter::Existing existing) {
  if (path == "-") return STDOUT_FILENO;
  const int rest = existing == LineWriter::Existing::Continued ? O_APPEND : O_TRUNC;
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | rest, 0666);
}

// The disk is full: what there was room for of a line goes, if it went into a file.
void take_back(int descriptor, std::size_t written) {
  const off_t begin = ::lseek(descriptor, -static_cast<off_t>(written), SEEK_CUR);
  if (begin >= 0 && ::ftruncate(descriptor, begin) != 0) return;  // it stays, and --resume cuts it off
}

}  // namespace

LineWriter::LineWriter(std::string path, Existing existing)
    : path_{std::move(path)}, descriptor_{opened(path_, existing)} {
  if (descriptor_ < 0) fail();
}

LineWriter::~LineWriter() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
}

void LineWriter::write(const std::string& line) {
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      take_back(descriptor_, line.size() - rest.size());
      errno = error;
      fail();
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void LineWriter::close() {
  if (descriptor_ > STDERR_FILENO && ::close(std::exchange(descriptor_, -1)) != 0) fail();
}

void LineWriter::fail() const { throw OutputError{path_ == "-" ? "standard output" : path_, std::strerror(errno)}; }

}  // namespace lockwood::frontend
