#include "frontend/cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "base/process/standard_streams.hpp"
#include "base/process/watchdog.hpp"
#include "base/text/quantity.hpp"
#include "frontend/report/text/terminal.hpp"

namespace lockwood::frontend {
namespace {

using namespace std::chrono_literals;
constexpr auto first_after = 500ms;
constexpr auto rewrite_every = 200ms;
constexpr auto line_every = 10s;

}  // namespace

Progress::Progress(ProgressMode mode, StopSource& source) : source_{source}, rewritten_{mode == ProgressMode::Auto} {
  if (mode == ProgressMode::None || (rewritten_ && !is_terminal(STDERR_FILENO))) return;
  thread_ = std::jthread{[this](const std::stop_token& ended) { run(ended); }};
}

Progress::~Progress() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  erase();
}

void Progress::show(std::string activity) {
  const std::lock_guard lock{mutex_};
  if (activity_.empty()) start_ = std::chrono::steady_clock::now();
  activity_ = std::move(activity);
  source_.forget_work();
  searches_ = false;
  total_ = 0;
}

void Progress::show_search(std::string activity) {
  show(std::move(activity));
  const std::lock_guard lock{mutex_};
  searches_ = true;
  began_ = std::chrono::steady_clock::now();
}

void Progress::show(std::string_view kind, std::size_t number, std::size_t total) {
  const std::lock_guard lock{mutex_};
  last_done_ = std::chrono::steady_clock::now();
  if (number <= 1) began_ = last_done_;
  activity_ = fmt::format("{} {} of {}", kind, number, total);
  source_.forget_work();
  searches_ = false;
  done_ = number > 0 ? number - 1 : 0;
  total_ = total;
}

void Progress::show_done(std::string_view what, std::size_t done, std::size_t before, std::size_t total) {
  const std::lock_guard lock{mutex_};
  last_done_ = std::chrono::steady_clock::now();
  if (done <= before) began_ = last_done_;
  activity_ = fmt::format("{} of {} {}", count_text(done), count_text(total), what);
  source_.forget_work();
  searches_ = false;
  done_ = done - std::min(done, before);
  total_ = total - std::min(total, before);
}

void Progress::print() {
  const std::lock_guard lock{mutex_};
  erase();
  put_message("lockwood: ", status(), "\n");
}

Progress::Pause::Pause(Progress& progress) : lock_{progress.mutex_} { progress.erase(); }

void Progress::run(const std::stop_token& ended) {
  std::unique_lock lock{mutex_};
  auto pause = rewritten_ ? std::chrono::milliseconds{first_after} : std::chrono::milliseconds{line_every};
  while (true) {
    woken_.wait_for(lock, ended, pause, [] { return false; });
    if (ended.stop_requested()) return;
    if (activity_.empty()) continue;
    if (rewritten_) pause = rewrite_every;
    // In a dialogue, each input begins anew: what is quick shows nothing, whenever this thread happens to look.
    if (rewritten_ && std::chrono::steady_clock::now() - start_ < first_after) continue;
    try {
      report();
    } catch (const std::bad_alloc&) {
      // Whoever works will notice, too.
    }
  }
}

// As long as those before took, each, less what the one under way has had already. One that takes longer than the
// others does not make the rest of them longer.
std::chrono::milliseconds Progress::estimated_rest(std::chrono::steady_clock::time_point now) const {
  using std::chrono::milliseconds;
  const auto each = std::chrono::duration_cast<milliseconds>(last_done_ - began_) / static_cast<std::int64_t>(done_);
  const auto under_way = std::chrono::duration_cast<milliseconds>(now - last_done_);
  return each * static_cast<std::int64_t>(total_ - done_) - std::min<milliseconds>(each, under_way);
}

void Progress::report() {
  if (!rewritten_) return put_message("lockwood: ", status(), "\n");
  const std::size_t width = std::max<std::size_t>(2, terminal_width(STDERR_FILENO).value_or(80)) - 1;
  put_message("\r\x1b[K", clipped(status(), width), {});
  on_screen_ = true;
}

std::string Progress::status() const {
  using std::chrono::milliseconds;
  const auto now = std::chrono::steady_clock::now();
  const auto elapsed = std::chrono::duration_cast<milliseconds>(now - start_);
  std::string rest;
  if (done_ > 0 && done_ < total_) {
    rest = fmt::format(", about {} left", duration_text(estimated_rest(now)));
  }
  const ReportedWork work = source_.work();
  std::string found = work.contexts == 0 ? "" : fmt::format(", {} contexts, {} facts", work.contexts, work.facts);
  if (searches_ && work.contexts > 0) {
    const double seconds = std::chrono::duration<double>(now - began_).count();
    found = fmt::format(", {} states, {} waiting, {:.0f} states/s", work.contexts, work.facts,
                        static_cast<double>(work.contexts) / std::max(seconds, 0.001));
  }
  return fmt::format("{}{}, {}{}, {}", activity_.empty() ? "working" : activity_, found, duration_text(elapsed), rest,
                     size_text(resident_memory()));
}

void Progress::erase() {
  if (on_screen_) put_message("\r\x1b[K");
  on_screen_ = false;
}

}  // namespace lockwood::frontend
