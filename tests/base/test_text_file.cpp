#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <new>
#include <string>

#include "base/process/output_error.hpp"
#include "base/process/retry_on_bad_alloc.hpp"
#include "base/process/text_file.hpp"
#include "base/process/watchdog.hpp"
#include "base/text/diagnostic.hpp"

namespace lockwood {
namespace {

// A folder of our own that is gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lockwood.XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const char* name) const { return (path_ / name).string(); }
  [[nodiscard]] auto size() const {
    return std::distance(std::filesystem::directory_iterator{path_}, std::filesystem::directory_iterator{});
  }

 private:
  std::filesystem::path path_;
};

TEST_CASE("what has no end is read until a stop is requested") {
  StopSource source;
  const Watchdog watchdog{source, {.timeout = std::chrono::milliseconds{20}, .memory = {}}};
  CHECK_THROWS_AS(static_cast<void>(read_text_file("/dev/zero", StopToken{source})), Interrupted);
  CHECK(read_text_file("/dev/null").empty());
}

TEST_CASE("a piece of work is tried again when there is no memory for it") {
  int attempts = 0;
  CHECK(retry_on_bad_alloc([&] {
          if (++attempts < 3) throw std::bad_alloc{};
          return 7;
        }) == 7);
  CHECK(attempts == 3);
  CHECK_THROWS_AS(retry_on_bad_alloc([&]() -> int { throw std::bad_alloc{}; }), std::bad_alloc);
}

TEST_CASE("what was written is read, and no temporary file is left") {
  const Folder folder;
  std::string content = "line\n";
  content += '\0';
  content += std::string(100'000, 'x');
  write_text_file(folder / "file", "old");
  write_text_file(folder / "file", content);
  CHECK(read_text_file(folder / "file") == content);
  CHECK(folder.size() == 1);
}

TEST_CASE("a link stays a link, and what it leads to is replaced") {
  const Folder folder;
  write_text_file(folder / "file", "old");
  std::filesystem::create_symlink(folder / "file", folder / "link");
  std::filesystem::create_symlink("link", folder / "second");  // relative to its own folder
  std::filesystem::create_hard_link(folder / "file", folder / "copy");
  CHECK(replaceable_file(folder / "second") == folder / "file");
  for (const char* name : {"link", "second"}) {
    write_text_file(folder / name, name);
    CHECK(std::filesystem::is_symlink(folder / name));
    CHECK(read_text_file(folder / "file") == name);
  }
  CHECK(read_text_file(folder / "copy") == "old");  // so it was replaced, not written over
  CHECK(folder.size() == 4);

  std::filesystem::create_symlink("absent", folder / "dangling");
  CHECK(replaceable_file(folder / "dangling") == folder / "absent");
  write_text_file(folder / "dangling", "new");
  CHECK(read_text_file(folder / "absent") == "new");

  std::filesystem::create_symlink("cycle", folder / "cycle");
  CHECK(!replaceable_file(folder / "cycle"));
  CHECK_THROWS_AS(write_text_file(folder / "cycle", "x"), OutputError);
  std::filesystem::create_symlink("/dev/null", folder / "null");
  CHECK(!replaceable_file(folder / "null"));
  CHECK(!replaceable_file("/proc/self/fd/0"));
}

TEST_CASE("a new file is never an old one") {
  const Folder folder;
  const auto opened = [&](const char* name) {
    const int descriptor = open_new_file(folder / name);
    REQUIRE(descriptor >= 0);
    CHECK(::write(descriptor, "new", 3) == 3);
    ::close(descriptor);
    return read_text_file(folder / name);
  };
  write_text_file(folder / "precious", "old");
  std::filesystem::create_symlink("precious", folder / "link");
  std::filesystem::create_hard_link(folder / "precious", folder / "copy");
  for (const char* name : {"link", "copy", "plain", "plain"}) CHECK(opened(name) == "new");
  CHECK(read_text_file(folder / "precious") == "old");
  std::filesystem::create_directory(folder / "folder");
  CHECK(open_new_file(folder / "folder") < 0);
  CHECK(open_new_file("/absent/file") < 0);
}

TEST_CASE("a file is the same under all of its names") {
  const Folder folder;
  write_text_file(folder / "file", "x");
  write_text_file(folder / "other", "x");
  std::filesystem::create_symlink("file", folder / "link");
  std::filesystem::create_hard_link(folder / "file", folder / "copy");
  for (const char* name : {"file", "link", "copy", "./file"}) CHECK(is_same_file(folder / "file", folder / name));
  CHECK(!is_same_file(folder / "file", folder / "other"));
  CHECK(!is_same_file(folder / "absent", folder / "absent"));
  CHECK(!is_same_file("/dev/null", "/dev/null"));
}

TEST_CASE("a file that is replaced keeps its permissions, and a new one has the usual ones") {
  using std::filesystem::perms;
  const Folder folder;
  const auto permissions = [&](const char* name) { return std::filesystem::status(folder / name).permissions(); };
  write_text_file(folder / "file", "old");
  for (const perms mode : {perms::owner_read | perms::owner_write, perms::owner_all | perms::group_read}) {
    std::filesystem::permissions(folder / "file", mode);
    write_text_file(folder / "file", "new");
    CHECK(permissions("file") == mode);
    std::filesystem::remove(folder / "link");
    std::filesystem::create_symlink(folder / "file", folder / "link");
    write_text_file(folder / "link", "newer");
    CHECK(permissions("file") == mode);
    CHECK(read_text_file(folder / "file") == "newer");
  }
  const mode_t mask = ::umask(027);
  write_text_file(folder / "closed", "");
  ::umask(mask);
  CHECK(permissions("closed") == (perms::owner_read | perms::owner_write | perms::group_read));
}

TEST_CASE("a device is written, not replaced, and its errors are noticed") {
  write_text_file("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK_THROWS_AS(write_text_file("/dev/full", "x"), OutputError);
  CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("what cannot be read or written is an error that names it") {
  const Folder folder;
  CHECK_THROWS_WITH_AS((void)read_text_file("/absent/file"), "/absent/file: error: No such file or directory\n",
                       InputError);
  CHECK_THROWS_WITH_AS((void)read_text_file("/"), "/: error: is a directory\n", InputError);
  CHECK_THROWS_WITH_AS(write_text_file("/absent/file", ""), "/absent/file: No such file or directory", OutputError);
  CHECK_THROWS_AS(write_text_file(folder / "", ""), OutputError);
}

}  // namespace
}  // namespace lockwood
