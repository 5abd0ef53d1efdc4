#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "frontend/cli/supervisor.hpp"

namespace lockwood::frontend {

// The place of an answer that is written piece by piece: standard output (`-`) or a file, opened at the first write. A
// file is called FILE.partial until it is complete: a run that is killed keeps its answers there, and what was in FILE
// before stays until there is better. Everything throws OutputError.
class AnswerSink {
 public:
  AnswerSink(std::string path, Supervisor& supervisor);
  ~AnswerSink();
  AnswerSink(const AnswerSink&) = delete;
  AnswerSink& operator=(const AnswerSink&) = delete;

  // The piece is out when this returns.
  void write(std::string_view text);

  // Closing may report a delayed error; a file is made even if nothing was to be written into it.
  void close();

 private:
  void open();
  [[noreturn]] void fail() const;

  std::string path_;
  std::string opened_;  // under this name
  Supervisor& supervisor_;
  std::FILE* file_ = nullptr;
};

}  // namespace lockwood::frontend
