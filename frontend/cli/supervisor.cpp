#include "frontend/cli/supervisor.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <new>
#include <system_error>
#include <utility>

#include "base/process/exit_status.hpp"
#include "base/process/standard_streams.hpp"
#include "base/process/started_process.hpp"
#include "base/process/temporary_folder.hpp"
#include "base/process/text_file.hpp"
#include "base/process/watchdog.hpp"

namespace lockwood::frontend {
namespace {

using namespace std::chrono_literals;
constexpr auto poll_every = 50ms;
// So that with the time until somebody looks, all ends within a second. A person who is waiting waits less.
constexpr auto grace_after_signal = 600ms;
constexpr auto grace_after_limit = 750ms;

// How long a computation could have worked since this was made. Time in which it would have, but had no processor, does
// not count, nor time in which nobody looked, because the whole process was held up: on a busy machine, what is known
// is worth waiting for.
class WorkingTime {
 public:
  void look() {
    const auto now = Clock::now();
    watched_ += std::min<Clock::duration>(now - looked_, 2 * poll_every);
    looked_ = now;
  }
  [[nodiscard]] std::chrono::nanoseconds so_far() const { return watched_ - (waited_for_processor() - waited_); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point looked_ = Clock::now();
  Clock::duration watched_{};  // in all
  std::chrono::nanoseconds waited_ = waited_for_processor();
};

int valid(int descriptor) {
  if (descriptor < 0) throw std::system_error{errno, std::generic_category(), "cannot watch signals"};
  return descriptor;
}

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaddset(&set, signal);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);  // nohup ignores it
  return set;
}

}  // namespace

void block_watched_signals() {
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Supervisor::Supervisor(StopSource& source, std::function<void()> on_status)
    : source_{source}, on_status_{std::move(on_status)} {
  const sigset_t set = watched_signals();
  signals_ = valid(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  ended_ = valid(::eventfd(0, EFD_CLOEXEC));
  thread_ = std::thread{[this] { run(); }};
}

Supervisor::~Supervisor() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(ended_, &one, sizeof one);
  thread_.join();
  ::close(signals_);
  ::close(ended_);
}

std::optional<int> Supervisor::signal() const {
  const int signal = signal_.load();
  return signal == 0 ? std::nullopt : std::optional{signal};
}

Supervisor::Interruption::Interruption(Supervisor& supervisor, StopSource& source, Dialogue dialogue)
    : supervisor_{supervisor} {
  const std::lock_guard lock{supervisor_.mutex_};
  supervisor_.interruptible_ = &source;
  supervisor_.survives_interrupts_ = dialogue == Dialogue::WithPerson;
}

Supervisor::Interruption::~Interruption() {
  const std::lock_guard lock{supervisor_.mutex_};
  supervisor_.interruptible_ = nullptr;
  supervisor_.survives_interrupts_ = false;
}

void Supervisor::answers_go_to(std::string path) {
  const std::lock_guard lock{mutex_};
  partial_ = std::move(path);
}

// No destructor may run, since the others still work; and no memory is needed, since it may be lacking.
void Supervisor::cut_off(StopReason reason, int signal) {
  const std::lock_guard lock{mutex_};
  kill_started_processes();
  remove_temporary_folders();
  remove_unfinished_file();
  if (::isatty(STDERR_FILENO) != 0) put_message("\r\x1b[K", {}, {});  // in the place of a status line
  put_message("lockwood: ", to_string(reason), partial_.empty() ? "; no more is known\n" : "; what is known is in ");
  if (!partial_.empty()) put_message(partial_, "\n", {});
  ::_exit(signal != 0 ? 128 + signal : static_cast<int>(ExitStatus::GaveUp));
}

void Supervisor::report_status() {
  try {
    on_status_();
  } catch (const std::bad_alloc&) {
    // Nobody depends on it.
  }
}

void Supervisor::handle(int signal) {
  if (signal == SIGUSR1) return report_status();
  const auto interrupted = [this] {
    const std::lock_guard lock{mutex_};
    if (interruptible_ != nullptr) interruptible_->request(StopReason::Cancelled);
    return survives_interrupts_;
  };
  if (signal == SIGINT && interrupted()) return;
  if (signal_.load() != 0) cut_off(StopReason::Cancelled, signal);
  signal_.store(signal);
  source_.request(StopReason::Cancelled);
  interrupted();  // whoever waits there sees that it is the end
}

void Supervisor::run() {
  const StopToken stop{source_};
  std::optional<WorkingTime> working;  // since the computation was asked to stop
  std::array<pollfd, 2> events{pollfd{.fd = signals_, .events = POLLIN, .revents = 0},
                               pollfd{.fd = ended_, .events = POLLIN, .revents = 0}};
  while (true) {
    ::poll(events.data(), events.size(), std::chrono::milliseconds{poll_every}.count());
    if (events[1].revents != 0) return;
    signalfd_siginfo info{};
    while (::read(signals_, &info, sizeof info) == sizeof info) handle(static_cast<int>(info.ssi_signo));

    const auto reason = stop.reason();
    if (!reason) continue;
    if (!working) working.emplace();
    working->look();
    const int signal = signal_.load();
    if (signal == 0 && !working_.load()) continue;
    if (working->so_far() > (signal != 0 ? grace_after_signal : grace_after_limit)) cut_off(*reason, signal);
  }
}

}  // namespace lockwood::frontend
