#include "frontend/external_engine.hpp"

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
#include <sstream>
#include <system_error>

#include "base/text_file.hpp"
#include "dpn/text_format.hpp"

namespace lockwood::frontend {
namespace {

[[noreturn]] void fail(const char* what, int error) { throw std::system_error{error, std::generic_category(), what}; }

// A file of its own for the model, removed at the end.
class ModelFileOnDisk {
 public:
  explicit ModelFileOnDisk(const std::string& text) {
    directory_ = (std::filesystem::temp_directory_path() / "lockwood-XXXXXX").string();
    if (mkdtemp(directory_.data()) == nullptr) fail("mkdtemp", errno);
    write_text_file(path(), text);
  }
  ~ModelFileOnDisk() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  ModelFileOnDisk(const ModelFileOnDisk&) = delete;
  ModelFileOnDisk& operator=(const ModelFileOnDisk&) = delete;
  [[nodiscard]] std::string path() const { return directory_ + "/model.dpn"; }

 private:
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
  }
  ~Process() {
    close(output_);
    if (process_ == 0) return;
    kill(-process_, SIGKILL);
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
      int status = 0;
      if (waitpid(process_, &status, WNOHANG) == process_) {
        process_ = 0;
        return status;
      }
      poll(nullptr, 0, 1);
    }
    return std::nullopt;
  }

 private:
  pid_t process_ = 0;  // 0 once it is waited for
  int output_ = -1;
};

// The signal that ended the process, or the last one that its shell waited for.
std::optional<int> ending_signal(int status) {
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  if (WEXITSTATUS(status) > 128) return WEXITSTATUS(status) - 128;
  return std::nullopt;
}

std::optional<dpn::Verdict> verdict_in(std::string_view line) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  if (line.ends_with(')')) line = line.substr(0, line.rfind(" ("));  // unknown (because)
  const std::string_view word = line.substr(line.rfind(' ') + 1);
  for (dpn::Verdict verdict : {dpn::Verdict::Reachable, dpn::Verdict::Unreachable, dpn::Verdict::Unknown})
    if (word == to_string(verdict)) return verdict;
  return std::nullopt;
}

Opinion ask(const std::string& command, const dpn::Network& network, const dpn::Query& query, const StopToken& stop) {
  dpn::Query plain = query;
  plain.expected.reset();  // not to be copied from
  const ModelFileOnDisk model{dpn::to_dpn(network, {&plain, 1})};
  Process process{command, model.path()};
  const auto output = process.read_all(stop);
  const auto status = output ? process.wait(stop) : std::nullopt;
  if (!status) return {.unknown_because = to_string(*stop.reason())};
  if (const auto signal = ending_signal(*status)) return {.flaw = "it was ended by signal " + std::to_string(*signal)};
  std::optional<dpn::Verdict> verdict;
  std::istringstream lines{*output};
  for (std::string line; std::getline(lines, line);)
    if (const auto found = verdict_in(line)) verdict = found;
  if (!verdict) return {.flaw = "it gave no verdict and ended with status " + std::to_string(WEXITSTATUS(*status))};
  Opinion opinion{.verdict = *verdict};
  if (*verdict == dpn::Verdict::Unknown) opinion.unknown_because = "its own words";
  return opinion;
}

}  // namespace

Engine external_engine(std::string name, std::string command) {
  return {std::move(name),
          [command = std::move(command)](const dpn::Network& network, const dpn::Query& query, const StopToken& stop) {
            return ask(command, network, query, stop);
          }};
}

}  // namespace lockwood::frontend
