#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "base/process/stop.hpp"
#include "base/text/json.hpp"

namespace lockwood::frontend {

// A query of a batch as it is written.
struct WrittenQuery {
  std::size_t number = 0;           // from 1
  std::string id;                   // as JSON; the number if none is given
  nlohmann::json value;             // null if it is no JSON
  std::optional<std::string> flaw;  // what is wrong with it
};

// The queries of a file, `-` from standard input: a JSON array, or one JSON value a line. Lines are read as they
// arrive; empty ones do not count.
class BatchInput {
 public:
  // Throws InputError if the file cannot be read.
  BatchInput(const std::string& path, StopToken stop);

  // How many queries there are in all, if that is known without waiting for somebody who writes them. Throws InputError
  // as `next` does.
  [[nodiscard]] std::optional<std::size_t> size();

  // The next query, nothing at the end or once a stop is requested. What is no JSON, or has no proper id, is given as
  // an error, and reading goes on. Throws InputError if an array is not well-formed. After std::bad_alloc the same
  // query can be asked for again.
  [[nodiscard]] std::optional<WrittenQuery> next();

 private:
  void begin();
  [[nodiscard]] std::optional<std::string> next_line();
  [[nodiscard]] WrittenQuery numbered(nlohmann::json&& value);

  std::string path_;
  std::function<std::optional<std::string>()> lines_;
  std::optional<std::string> first_;                 // read ahead, to see what the input is
  std::optional<std::deque<nlohmann::json>> array_;  // if it is one: what is left of it
  bool begun_ = false;
  std::size_t count_ = 0;
  std::optional<std::size_t> size_;
};

}  // namespace lockwood::frontend
