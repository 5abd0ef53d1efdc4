#include "frontend/cli/output/answer_sink.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/process/output_error.hpp"
#include "base/process/text_file.hpp"

namespace lockwood::frontend {

AnswerSink::AnswerSink(std::string path, Supervisor& supervisor) : path_{std::move(path)}, supervisor_{supervisor} {
  if (path_ != "-") target_ = replaceable_file(path_);
  opened_ = target_ ? *target_ + ".partial" : path_;
}

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
  if (std::fclose(closing) != 0 || (target_ && std::rename(opened_.c_str(), target_->c_str()) != 0)) fail();
  supervisor_.answers_go_to(path_);
}

void AnswerSink::open() {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  if (!target_) {
    file_ = std::fopen(opened_.c_str(), "we");
    return;
  }
  const int descriptor = open_new_file(opened_);
  if (descriptor < 0) throw OutputError{path_, std::strerror(errno)};  // what is there is not ours
  file_ = ::fdopen(descriptor, "w");
  if (file_ == nullptr) {
    const int error = errno;
    ::close(descriptor);
    errno = error;
    return;
  }
  if (::fchmod(descriptor, mode_of_replacement(*target_)) != 0) fail();
  supervisor_.answers_go_to(opened_);
}

void AnswerSink::fail() const {
  const int error = errno;
  if (target_) std::remove(opened_.c_str());
  throw OutputError{path_ == "-" ? "standard output" : path_, std::strerror(error)};
}

}  // namespace lockwood::frontend
