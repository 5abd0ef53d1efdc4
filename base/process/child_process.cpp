#include "base/process/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/process/started_process.hpp"
#include "base/process/text_file.hpp"

namespace lockwood {
namespace {

[[noreturn]] void fail(const char* what, int error) { throw std::system_error{error, std::generic_category(), what}; }

// A file in a folder of its own, removed at the end.
class FileOnDisk {
 public:
  FileOnDisk(std::string name, const std::string& text) : name_{std::move(name)} {
    directory_ = (std::filesystem::temp_directory_path() / "lockwood-XXXXXX").string();
    if (mkdtemp(directory_.data()) == nullptr) fail("mkdtemp", errno);
    write_text_file(path(), text);
  }
  ~FileOnDisk() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  FileOnDisk(const FileOnDisk&) = delete;
  FileOnDisk& operator=(const FileOnDisk&) = delete;
  [[nodiscard]] std::string path() const { return directory_ + '/' + name_; }

 private:
  std::string name_;
  std::string directory_;
};

// A shell command in a process group of its own, whose standard output we read. Killed, if it still runs, at the end.
class Process {
 public:
  Process(const std::string& command, const std::string& argument) {
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
    std::array<std::string, 5> words{"sh", "-c", command + " \"$1\"", "sh", argument};
    std::array<char*, 6> arguments{};
    for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
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

std::optional<CommandOutput> run_on_file(const std::string& command, const std::string& name, const std::string& text,
                                         const StopToken& stop) {
  const FileOnDisk file{name, text};
  Process process{command, file.path()};
  auto output = process.read_all(stop);
  const auto status = output ? process.wait(stop) : std::nullopt;
  if (!status) return std::nullopt;
  return CommandOutput{std::move(*output), *status};
}

}  // namespace lockwood
