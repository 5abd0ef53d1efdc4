#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "jvm/archive/folder.hpp"
#include "tests/jvm/archive/source_content.hpp"
#include "tests/jvm/archive/temporary_folder.hpp"

namespace lockwood::jvm {
namespace {

TEST_CASE("a folder has the classes of the folders in it") {
  const TemporaryFolder there;
  there.write("A.class", "a");
  there.write("p/q/B.class", "b");
  there.write("p/q/B$1.class", "b1");
  there.write("p/package-info.class", "i");
  there.write("p/q/text.txt", "t");
  there.write(".git/C.class", "c");
  there.write("META-INF/versions/9/A.class", "9");
  std::filesystem::create_directory(there / "D.class");
  Folder folder{there.path(), {}};
  CHECK(classes_of(folder) == std::vector<std::string>{"A", "p/q/B", "p/q/B$1"});
  CHECK(content_of(folder, "p/q/B") == "b");
  CHECK(content_of(folder, "p/package-info") == "i");
  CHECK(folder.find("A")->origin == there.path());
}

TEST_CASE("no name leads out of a folder") {
  const TemporaryFolder there;
  there.write("secret.class", "s");
  there.write("in/p/A.class", "a");
  Folder folder{there / "in", {}};
  for (const char* name : {"../secret", "p/../../secret", "p//A", "/p/A", "p/./A", "", ".", "..", "p/A.class", "p\\A"})
    CHECK_FALSE(content_of(folder, name));
  CHECK_FALSE(content_of(folder, there / "secret"));
  CHECK_FALSE(content_of(folder, std::string{"p/A\0", 4}));
  CHECK(content_of(folder, "p/A") == "a");
}

TEST_CASE("links are followed, but not in circles") {
  const TemporaryFolder there;
  there.write("in/p/A.class", "a");
  there.write("elsewhere/B.class", "b");
  std::filesystem::create_directory_symlink(there / "in", there / "in/p/back");
  std::filesystem::create_directory_symlink(there / "elsewhere", there / "in/q");
  std::filesystem::create_symlink(there / "nowhere", there / "in/C.class");
  Folder folder{there / "in", {}};
  CHECK(classes_of(folder) == std::vector<std::string>{"C", "p/A", "q/B"});
  CHECK(contains(refusal([&] { static_cast<void>(folder.find("C")); }), "No such file"));
}

TEST_CASE("folders and files beyond the limits are refused") {
  const TemporaryFolder there;
  for (int i = 0; i < 10; ++i) there.write("p/A" + std::to_string(i) + ".class", "content");
  CHECK(contains(refusal([&] { Folder{there.path(), {.max_entries = 10}}; }), "more than 10 files"));
  CHECK(refusal([&] { Folder{there.path(), {.max_entries = 11}}; }).empty());
  Folder folder{there.path(), {.max_entry_bytes = 6}};
  CHECK(contains(refusal([&] { static_cast<void>(folder.find("p/A1")); }), "limit for a file is 6 bytes"));
  there.write("a/b/c/d/E.class", "e");
  CHECK(contains(refusal([&] { Folder{there.path(), {.max_folder_depth = 3}}; }), "more than 3 folders"));
  CHECK(refusal([&] { Folder{there.path(), {.max_folder_depth = 4}}; }).empty());
  CHECK(contains(refusal([&] { Folder{there / "absent", {}}; }), "No such file"));
}

TEST_CASE("a pipe is not read") {
  const TemporaryFolder there;
  std::filesystem::create_directory(there / "p");
  REQUIRE(::mkfifo((there / "p/A.class").c_str(), 0600) == 0);
  Folder folder{there.path(), {}};
  CHECK(contains(refusal([&] { static_cast<void>(folder.find("p/A")); }), "not a regular file"));
}

}  // namespace
}  // namespace lockwood::jvm
