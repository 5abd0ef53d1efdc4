#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/process/stop.hpp"

namespace lockwood::frontend {

// Keeps the signals that a Supervisor watches from interrupting this thread and all that it makes.
void block_watched_signals();

// Turns SIGINT, SIGTERM and SIGHUP into requests to stop, and SIGUSR1 into a call of `on_status`, for as long as it
// lives. Work that was asked to stop, by a signal or a limit, and does not end within a short time, in which it has a
// processor, is cut off, even if it is only the writing of what is known: the process ends with the status that belongs
// to the reason. A second signal cuts off at once.
//
// Requires that block_watched_signals was called before any other thread was made: threads inherit the mask.
class Supervisor {
 public:
  Supervisor(StopSource& source, std::function<void()> on_status);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // There is nothing left to do but to clear away: a limit no longer cuts off.
  void answer_is_written() { working_.store(false); }

  // Where answers are kept that are written one by one: whoever is cut off finds them there.
  void answers_go_to(std::string path);

  // While this lives, what asks the program to stop asks this source, too. In a dialogue with a person, SIGINT asks
  // this source alone, as often as it comes, and nobody is cut off for it.
  class Interruption {
   public:
    enum class Dialogue { WithPerson, WithProgram };
    Interruption(Supervisor& supervisor, StopSource& source, Dialogue dialogue);
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

   private:
    Supervisor& supervisor_;
  };

  // The signal that asked to stop, if one did.
  [[nodiscard]] std::optional<int> signal() const;

 private:
  void run();
  void handle(int signal);
  void report_status();
  // Ends the process from under a computation that does not listen.
  [[noreturn]] void cut_off(StopReason reason, int signal);

  StopSource& source_;
  std::function<void()> on_status_;
  std::mutex mutex_;
  StopSource* interruptible_ = nullptr;  // these three require mutex_
  bool survives_interrupts_ = false;
  std::string partial_;
  int signals_;  // file descriptors: of the signals, and of the end of this object
  int ended_;
  std::atomic<int> signal_{0};
  std::atomic<bool> working_{true};
  std::thread thread_;
};

}  // namespace lockwood::frontend
