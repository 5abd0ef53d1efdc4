#include "frontend/lsp/folding.hpp"

#include <algorithm>
#include <optional>

namespace lockwood::lsp {
namespace {

class Folding {
 public:
  explicit Folding(const Text& text) : text_{text}, content_{text.content()} {}

  std::vector<Fold> run() && {
    while (at_ < content_.size()) next();
    end_run();
    std::ranges::sort(folds_);
    return std::move(folds_);
  }

 private:
  void next() {
    const char c = content_[at_];
    if (looking_at("//")) return line_comment();
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at_;
      return;
    }
    end_run();
    if (looking_at("/*")) return block_comment();
    if (c == '"' || c == '\'') return quoted(c);
    if (c == '{') open_.push_back(line(at_));
    if (c == '}' && !open_.empty()) {
      const std::uint32_t end = line(at_);
      if (end > 0) add(open_.back(), end - 1, false);
      open_.pop_back();
    }
    ++at_;
  }

  // Comments on consecutive lines that have nothing else are one.
  void line_comment() {
    const std::uint32_t here = line(at_);
    const std::size_t begin = text_.offset({here, 0});
    const bool alone = content_.find_first_not_of(" \t", begin) == at_;
    if (!alone || !run_ || run_->last + 1 != here) end_run();
    if (alone) run_ = Fold{run_ ? run_->first : here, here, true};
    at_ = std::min(content_.find('\n', at_), content_.size());
  }
  void end_run() {
    if (run_) add(run_->first, run_->last, true);
    run_.reset();
  }

  void block_comment() {
    const std::size_t end = content_.find("*/", at_ + 2);
    const std::size_t behind = end == std::string_view::npos ? content_.size() : end + 2;
    add(line(at_), line(behind), true);
    at_ = behind;
  }
  // In a model: names and labels, which end with the line at the latest.
  void quoted(char mark) {
    ++at_;
    while (at_ < content_.size() && content_[at_] != mark && content_[at_] != '\n')
      at_ += content_[at_] == '\\' && mark == '"' ? 2U : 1U;
    if (at_ < content_.size() && content_[at_] == mark) ++at_;
  }

  void add(std::uint32_t first, std::uint32_t last, bool comment) {
    if (first < last) folds_.push_back({first, last, comment});
  }
  [[nodiscard]] bool looking_at(std::string_view prefix) const { return content_.substr(at_).starts_with(prefix); }
  [[nodiscard]] std::uint32_t line(std::size_t offset) const { return text_.place(offset).line; }

  const Text& text_;
  std::string_view content_;
  std::size_t at_ = 0;
  std::vector<std::uint32_t> open_;  // the lines of the braces that are open
  std::optional<Fold> run_;          // of comments up to here
  std::vector<Fold> folds_;
};

}  // namespace

std::vector<Fold> folds(const Text& text) { return Folding{text}.run(); }

}  // namespace lockwood::lsp
