#include "frontend/cli/repl/line_editor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cwchar>
#include <filesystem>
#include <utility>
#ifdef LOCKWOOD_LIBEDIT
#include <histedit.h>
#include <langinfo.h>
#endif

#include "base/process/text_file.hpp"
#include "frontend/cli/input/line_reader.hpp"
#include "frontend/report/text/terminal.hpp"

namespace lockwood::frontend {

// As they come. Whoever drops a line on a terminal has it dropped by the terminal.
class LineEditor::Plain {
 public:
  explicit Plain(StopToken stop) : reader_{STDIN_FILENO, stop} {}

  LineEvent next(const std::string& prompt) {
    const bool person = is_terminal(STDIN_FILENO);
    if (person) write_text_file("-", prompt);
    try {
      if (auto line = reader_.next()) return TypedLine{std::move(*line)};
    } catch (const Interrupted&) {
      if (person) write_text_file("-", "\n");
      return DroppedLine{};
    }
    if (person) write_text_file("-", "\n");
    return EndOfLines{};
  }

 private:
  LineReader reader_;
};

#ifdef LOCKWOOD_LIBEDIT
namespace {

constexpr int history_size = 1000;
constexpr int poll_milliseconds = 50;
constexpr std::size_t max_choices_shown = 100;

// Libedit counts characters by the locale; what is typed is UTF-8, whatever the locale says.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view{nl_langinfo(CODESET)} != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

std::string common_beginning(const std::vector<std::string>& words) {
  std::string common = words.front();
  for (const std::string& word : words) {
    const auto end = std::ranges::mismatch(common, word).in1;
    common.erase(end, common.end());
  }
  return common;
}

}  // namespace

class LineEditor::Terminal {
 public:
  explicit Terminal(LineEditorOptions options) : options_{std::move(options)} {
    use_utf8();
    edit_ = el_init("lockwood", stdin, stdout, stderr);
    history_ = history_init();
    HistEvent event;
    history(history_, &event, H_SETSIZE, history_size);
    history(history_, &event, H_SETUNIQUE, 1);
    if (!options_.history.empty()) history(history_, &event, H_LOAD, options_.history.c_str());
    el_set(edit_, EL_CLIENTDATA, this);
    el_set(edit_, EL_PROMPT, &Terminal::prompt);
    el_set(edit_, EL_EDITOR, "emacs");
    el_set(edit_, EL_SIGNAL, 1);  // suspending and resizing; the others are blocked, and the supervisor's
    el_set(edit_, EL_HIST, history, history_);
    el_set(edit_, EL_GETCFN, &Terminal::read_character);
    el_set(edit_, EL_ADDFN, "lockwood-complete", "complete the word", &Terminal::complete);
    el_set(edit_, EL_BIND, "^I", "lockwood-complete", nullptr);
    el_set(edit_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_source(edit_, nullptr);  // the user's own bindings
  }
  ~Terminal() {
    history_end(history_);
    el_end(edit_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  LineEvent next(const std::string& prompt) {
    prompt_ = prompt;
    dropped_ = false;
    // Before the prompt is seen: what is typed to a terminal that is not prepared yet, such as Ctrl-D, gets another
    // meaning.
    el_set(edit_, EL_PREP_TERM, 1);
    int size = 0;
    const char* line = el_gets(edit_, &size);
    if (dropped_) {
      write_text_file("-", "^C\n");
      return DroppedLine{};
    }
    if (line == nullptr || size <= 0) {
      write_text_file("-", "\n");
      return EndOfLines{};
    }
    std::string text{line, static_cast<std::size_t>(size)};
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    return TypedLine{std::move(text)};
  }

  // A history that cannot be written is none.
  void remember(const std::string& text) {
    HistEvent event;
    history(history_, &event, H_ENTER, text.c_str());
    if (options_.history.empty()) return;
    std::error_code problem;
    std::filesystem::create_directories(std::filesystem::path{options_.history}.parent_path(), problem);
    history(history_, &event, H_SAVE, options_.history.c_str());
  }

 private:
  static Terminal& of(EditLine* edit) {
    void* self = nullptr;
    el_get(edit, EL_CLIENTDATA, &self);
    return *static_cast<Terminal*>(self);
  }
  static char* prompt(EditLine* edit) { return of(edit).prompt_.data(); }

  // Like libedit's own, but its waiting ends when a stop is requested.
  static int read_character(EditLine* edit, wchar_t* character) {
    Terminal& self = of(edit);
    std::mbstate_t state{};
    while (true) {
      if (self.options_.stop.stop_requested()) {
        self.dropped_ = true;
        return -1;
      }
      pollfd event{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
      if (::poll(&event, 1, poll_milliseconds) <= 0) continue;
      char byte = 0;
      const ssize_t size = ::read(STDIN_FILENO, &byte, 1);
      if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (size <= 0) return 0;
      const std::size_t result = std::mbrtowc(character, &byte, 1, &state);
      if (result == static_cast<std::size_t>(-2)) continue;  // more bytes belong to it
      if (result == static_cast<std::size_t>(-1)) {
        state = {};
        continue;  // no character: passed over
      }
      return 1;
    }
  }

  static unsigned char complete(EditLine* edit, int) {
    const LineInfo* line = el_line(edit);
    const std::string_view before{line->buffer, static_cast<std::size_t>(line->cursor - line->buffer)};
    const sets::Completion found = of(edit).options_.complete(before);
    if (found.choices.empty()) return CC_ERROR;
    std::string text = common_beginning(found.choices);
    if (found.choices.size() == 1) text += found.ending;
    if (text.size() > found.typed) {
      if (text.starts_with(before.substr(before.size() - found.typed)))
        text.erase(0, found.typed);
      else
        el_deletestr(edit, static_cast<int>(found.typed));
      el_insertstr(edit, text.c_str());
      return CC_REFRESH;
    }
    if (found.choices.size() == 1) return CC_ERROR;
    std::string list = "\n";
    for (std::size_t i = 0; i < found.choices.size() && i < max_choices_shown; ++i)
      list += (i == 0 ? "" : "  ") + found.choices[i];
    if (found.choices.size() > max_choices_shown) list += "  …";
    write_text_file("-", list + '\n');
    return CC_REDISPLAY;
  }

  LineEditorOptions options_;
  EditLine* edit_ = nullptr;
  History* history_ = nullptr;
  std::string prompt_;
  bool dropped_ = false;
};
#else
class LineEditor::Terminal {
 public:
  explicit Terminal(LineEditorOptions) {}
  LineEvent next(const std::string&) { return EndOfLines{}; }
  void remember(const std::string&) {}
};
#endif

LineEditor::LineEditor(LineEditorOptions options) {
#ifdef LOCKWOOD_LIBEDIT
  const char* kind = std::getenv("TERM");
  const bool dumb = kind == nullptr || std::string_view{kind} == "dumb";
  if (is_terminal(STDIN_FILENO) && is_terminal(STDOUT_FILENO) && !dumb) {
    terminal_ = std::make_unique<Terminal>(std::move(options));
    return;
  }
#endif
  plain_ = std::make_unique<Plain>(options.stop);
}

LineEditor::~LineEditor() = default;

LineEvent LineEditor::next(const std::string& prompt) {
  return terminal_ ? terminal_->next(prompt) : plain_->next(prompt);
}

void LineEditor::remember(const std::string& text) {
  if (terminal_) terminal_->remember(text);
}

std::string history_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  // A relative one is to be ignored, says the XDG Base Directory Specification.
  if (state != nullptr && std::filesystem::path{state}.is_absolute())
    folder = state;
  else if (home != nullptr && *home != '\0')
    folder = std::filesystem::path{home} / ".local" / "state";
  else
    return {};
  return (folder / "lockwood" / "history").string();
}

}  // namespace lockwood::frontend
