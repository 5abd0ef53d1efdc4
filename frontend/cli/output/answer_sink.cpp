#include "frontend/cli/output/answer_sink.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/process/output_error.hpp"
#include "base/process/text_file.hpp"

namespace lockwood::frontend {

AnswerSink::AnswerSink(std::string path, Supervisor& supervisor)
    : path_{std::move(path)},
      opened_{path_ == "-" || is_special_file(path_) ? path_ : path_ + ".partial"},
      supervisor_{supervisor} {}

AnswerSink::~AnswerSink() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void AnswerSink::write(std::string_view text) {
  if (file_ == nullptr) open();
  if (file_ == nullptr || std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0)
    fail();
}

void AnswerSink::close() {
  if (path_ == "-") return;
  write("");
  std::FILE* closing = file_;
  file_ = nullptr;
  if (std::fclose(closing) != 0 || (opened_ != path_ && std::rename(opened_.c_str(), path_.c_str()) != 0)) fail();
  supervisor_.answers_go_to(path_);
}

void AnswerSink::open() {
  file_ = path_ == "-" ? stdout : std::fopen(opened_.c_str(), "we");
  if (file_ == nullptr || opened_ == path_) return;
  if (::fchmod(fileno(file_), mode_of_replacement(path_)) != 0) fail();
  supervisor_.answers_go_to(opened_);
}

void AnswerSink::fail() const {
  const int error = errno;
  if (opened_ != path_) std::remove(opened_.c_str());
  throw OutputError{path_ == "-" ? "standard output" : path_, std::strerror(error)};
}

}  // namespace lockwood::frontend
