#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/text/json.hpp"

// JSON-RPC 2.0 over streams: each message is headers, an empty line, and as many bytes of JSON as Content-Length says.
namespace lockwood::lsp {

using Json = nlohmann::ordered_json;

// No message is larger; a text of a million lines is not.
inline constexpr std::size_t largest_message = std::size_t{1} << 30U;

struct NotJson {  // a message that cannot be read, though its end is known
  std::string why;
};
struct EndOfInput {};
using Incoming = std::variant<Json, NotJson, EndOfInput>;

class MessageReader {
 public:
  // Reads from the file descriptor until its end, or until `ended` says so, which is asked a few times a second.
  MessageReader(int descriptor, std::function<bool()> ended) : descriptor_{descriptor}, ended_{std::move(ended)} {}

  // The next message. Lines that are no headers are passed over, so that one is found again after rubbish.
  [[nodiscard]] Incoming next();

 private:
  [[nodiscard]] bool fill();  // more bytes into the buffer; false at the end
  [[nodiscard]] std::optional<std::string> line();

  int descriptor_;
  std::function<bool()> ended_;
  std::string buffer_;
  std::size_t at_ = 0;  // of the buffer: what is before has been read
};

// Writes the message to standard output at once. Throws OutputError.
void write_message(const Json& message);

}  // namespace lockwood::lsp
