#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/process/stop.hpp"

namespace lockwood::frontend {

enum class ProgressMode { Auto, Plain, None };

// A status on standard error while something long is under way. Auto: on a terminal only, after half a second, one line
// that is rewritten. Plain: a new line every ten seconds, for logs. Nothing remains of the rewritten line at the end.
class Progress {
 public:
  // The source hears from the engine how far it is, and must outlive this.
  Progress(ProgressMode mode, StopSource& source);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // What is being done: "reading x.dpn".
  void show(std::string activity);
  // A search: what it tells is how many states were visited, and how many wait to be looked at.
  void show_search(std::string activity);
  // One of several things of a kind, from 1: "query 3 of 7". Tells how long the rest may take, going by those before.
  void show(std::string_view kind, std::size_t number, std::size_t total);

  // So many of several things are done, and some of these were done before this began: "3,511 of 5,000 queries
  // answered". Tells how long the rest may take, going by the others.
  void show_done(std::string_view what, std::size_t done, std::size_t before, std::size_t total);

  // Prints the status as a line of its own now, whatever the mode.
  void print();

  // While this lives, the status line is off the screen and stays off: other output may be written.
  class Pause {
   public:
    explicit Pause(Progress& progress);

   private:
    std::unique_lock<std::mutex> lock_;
  };

 private:
  void run(const std::stop_token& ended);
  [[nodiscard]] std::string status() const;  // these three require mutex_
  void report();
  void erase();
  [[nodiscard]] std::chrono::milliseconds estimated_rest(std::chrono::steady_clock::time_point now) const;

  StopSource& source_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();  // of work after none
  const bool rewritten_;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  std::string activity_;
  bool searches_ = false;
  std::size_t done_ = 0;  // of total_ things, between these two; since then, the next one
  std::size_t total_ = 0;
  std::chrono::steady_clock::time_point began_ = start_;
  std::chrono::steady_clock::time_point last_done_ = start_;
  bool on_screen_ = false;
  std::jthread thread_;  // none if there is nothing to print
};

}  // namespace lockwood::frontend
