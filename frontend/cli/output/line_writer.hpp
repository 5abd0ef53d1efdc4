#pragma once

#include <string>

namespace lockwood::frontend {

// Lines that are complete as soon as they are written: each goes out at once and as one piece, so that a run that is
// killed leaves whole lines. Everything throws OutputError.
class LineWriter {
 public:
  enum class Existing { Replaced, Continued };  // what becomes of a file that is there

  // `-` is standard output.
  LineWriter(std::string path, Existing existing);
  ~LineWriter();
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  // The line ends in a newline.
  void write(const std::string& line);
  // Nothing may be written afterwards. Closing may report a delayed error.
  void close();

 private:
  [[noreturn]] void fail() const;
  std::string path_;
  int descriptor_;
};

}  // namespace lockwood::frontend
