#include "base/process/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>
#include <vector>

#include "base/process/started_process.hpp"
#include "base/process/temporary_folder.hpp"
#include "base/process/text_file.hpp"

namespace lockwood {
namespace {

[[noreturn]] void fail(const char* what, int error) { throw std::system_error{error, std::generic_category(), what}; }

// A file in a folder of its own, removed at the end.
class FileOnDisk {
 public:
  FileOnDisk(std::string name, const std::string& text) : name_{std::move(name)} { write_text_file(path(), text); }
  [[nodiscard]] std::string path() const { return folder_.path() + '/' + name_; }

 private:
  TemporaryFolder folder_;
  std::string name_;
};

// A program in a process group of its own, whose standard output we read. Killed, if it still runs, at the end.
class Process {
 public:
  // The words that the program, a shell, is started with.
  explicit Process(std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe", errno);
    output_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    // We may have blocked signals that end it, and it may start processes of its own, which must end with it.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int error = posix_spawn(&process_, "/bin/sh", &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    if (error != 0) {
      close(output_);
      fail("/bin/sh", error);
    }
    started_.emplace(process_);
  }
  ~Process() {
    close(output_);
    if (!started_) return;
    kill(-process_, SIGKILL);
    started_.reset();  // before its number is free
    waitpid(process_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // All that it prints until it closes its output; nothing if asked to stop before.
  std::optional<std::string> read_all(const StopToken& stop) const {
    std::string text;
    std::array<char, 4096> buffer{};
    while (!stop.stop_requested()) {
      pollfd ready{output_, POLLIN, 0};
      if (poll(&ready, 1, 20) <= 0) continue;
      const ssize_t size = read(output_, buffer.data(), buffer.size());
      if (size == 0) return text;
      if (size > 0) text.append(buffer.data(), static_cast<std::size_t>(size));
      if (size < 0 && errno != EINTR) fail("read", errno);
    }
    return std::nullopt;
  }

  // Its status as waitpid gives it, once it has ended by itself; nothing if asked to stop before.
  std::optional<int> wait(const StopToken& stop) {
    while (!stop.stop_requested()) {
      siginfo_t ended{};
      if (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid != 0) {
        started_.reset();  // before its number is free
        int status = 0;
        waitpid(process_, &status, 0);
        return status;
      }
      poll(nullptr, 0, 1);
    }
    return std::nullopt;
  }

 private:
  pid_t process_ = 0;
  std::optional<StartedProcess> started_;  // none once it has been waited for
  int output_ = -1;
};

}  // namespace

namespace {

std::optional<CommandOutput> run_shell(std::vector<std::string> words, const StopToken& stop) {
  Process process{std::move(words)};
  auto output = process.read_all(stop);
  const auto status = output ? process.wait(stop) : std::nullopt;
  if (!status) return std::nullopt;
  return CommandOutput{std::move(*output), *status};
}

}  // namespace

std::optional<CommandOutput> run_on_file(const std::string& command, const std::string& name, const std::string& text,
                                         const StopToken& stop) {
  const FileOnDisk file{name, text};
  return run_shell({"sh", "-c", command + " \"$1\"", "sh", file.path()}, stop);
}

std::optional<CommandOutput> run_program(const std::vector<std::string>& words, const StopToken& stop) {
  std::vector<std::string> all{"sh", "-c", "exec \"$@\" 2>&1", "sh"};
  all.insert(all.end(), words.begin(), words.end());
  return run_shell(std::move(all), stop);
}

}  // namespace lockwood
