#include "frontend/lsp/message_stream.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "base/process/output_error.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/json_text.hpp"

namespace lockwood::lsp {
namespace {

constexpr int look_up_every = 200;  // milliseconds
constexpr std::size_t longest_line = 4096;
constexpr std::string_view length_header = "Content-Length:";

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

// The length that the header tells, if it is one of that name and tells one.
std::optional<std::size_t> told_length(std::string_view line) {
  if (line.size() < length_header.size() || !equal_ignoring_case(line.substr(0, length_header.size()), length_header))
    return std::nullopt;
  line.remove_prefix(length_header.size());
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with(' ')) line.remove_suffix(1);
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), length);
  if (error != std::errc{} || end != line.data() + line.size() || length > largest_message) return std::nullopt;
  return length;
}

}  // namespace

bool MessageReader::fill() {
  if (at_ > 0) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  while (!ended_()) {
    pollfd waited{.fd = descriptor_, .events = POLLIN, .revents = 0};
    const int ready = poll(&waited, 1, look_up_every);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    if (ready < 0) return false;
    std::array<char, 65536> chunk;
    const ssize_t count = read(descriptor_, chunk.data(), chunk.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return false;
    buffer_.append(chunk.data(), static_cast<std::size_t>(count));
    return true;
  }
  return false;
}

// Without its end. What is longer than any header comes in pieces, so that rubbish does not fill the memory.
std::optional<std::string> MessageReader::line() {
  while (true) {
    const std::size_t end = buffer_.find('\n', at_);
    if (end != std::string::npos) {
      std::string found = buffer_.substr(at_, end - at_);
      at_ = end + 1;
      if (found.ends_with('\r')) found.pop_back();
      return found;
    }
    if (buffer_.size() - at_ > longest_line) {
      std::string piece = buffer_.substr(at_);
      at_ = buffer_.size();
      return piece;
    }
    if (!fill()) return std::nullopt;
  }
}

Incoming MessageReader::next() {
  std::optional<std::size_t> length;
  while (true) {
    const auto header = line();
    if (!header) return EndOfInput{};
    if (header->empty() && length) break;
    if (const auto told = told_length(*header)) length = told;
  }
  while (buffer_.size() - at_ < *length)
    if (!fill()) return EndOfInput{};
  const std::string_view body = std::string_view{buffer_}.substr(at_, *length);
  at_ += *length;
  try {
    return parse_json_text(body, "message");
  } catch (const InputError& error) {
    return NotJson{error.diagnostics().front().message};
  }
}

void write_message(const Json& message) {
  // What is not UTF-8, in the name of a file for example, must not end the conversation.
  const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string frame = fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
  if (std::fwrite(frame.data(), 1, frame.size(), stdout) != frame.size() || std::fflush(stdout) != 0)
    throw OutputError{"standard output", std::strerror(errno)};
}

}  // namespace lockwood::lsp
