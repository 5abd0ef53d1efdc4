#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "jvm/archive/image.hpp"
#include "jvm/archive/jdk.hpp"
#include "tests/jvm/archive/image_writer.hpp"
#include "tests/jvm/archive/source_content.hpp"
#include "tests/jvm/archive/temporary_folder.hpp"
#include "tests/jvm/archive/zip_writer.hpp"

namespace lockwood::jvm {
namespace {

namespace fs = std::filesystem;

// A class file by its first eight bytes.
std::string class_of_release(int release) {
  return {'\xCA', '\xFE', '\xBA', '\xBE', 0, 0, 0, static_cast<char>(44 + release)};
}

void write_image_jdk(const TemporaryFolder& there, const std::string& home, int release) {
  there.write(home + "/lib/modules",
              written_image({{"java.base", "java/lang/Object", class_of_release(release)}}, ByteOrder::Little));
}

std::string make_java(const TemporaryFolder& there, const std::string& home) {
  const std::string program = there.write(home + "/bin/java", "#!/bin/sh\n");
  fs::permissions(program, fs::perms::owner_all);
  return program;
}

TEST_CASE("the release is that of the release file") {
  CHECK(release_of("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.15\"\n") == 17);
  CHECK(release_of("JAVA_VERSION=\"1.8.0_292\"\n") == 8);
  CHECK(release_of("JAVA_VERSION=\"25\"\n") == 25);
  CHECK(release_of("X_JAVA_VERSION=\"11\"\nJAVA_VERSION=\"21\"") == 21);
  for (const char* text :
       {"", "JAVA_VERSION=", "JAVA_VERSION=\"x\"", "X_JAVA_VERSION=\"9\"", "JAVA_VERSION=\"99999999999\""})
    CHECK_FALSE(release_of(text));
}

TEST_CASE("a JDK is looked for where the user says, in JAVA_HOME, and on the path") {
  const TemporaryFolder there;
  write_image_jdk(there, "named", 11);
  write_image_jdk(there, "home", 17);
  there.write("home/release", "JAVA_VERSION=\"18.0.1\"\n");
  write_image_jdk(there, "jdk", 25);
  const std::string program = make_java(there, "jdk");
  fs::create_directory(there / "bin");
  fs::create_symlink(program, there / "bin/link");
  fs::create_symlink(there / "bin/link", there / "bin/java");
  const std::string path = "/nowhere::" + (there / "bin");
  std::vector<Diagnostic> passed_over;
  const auto found = [&](const JdkSearch& search) { return find_jdk(search, {}, passed_over); };

  CHECK(found({.named = there / "named", .java_home = there / "home", .path = path})->release == 11);
  CHECK(found({.named = {}, .java_home = there / "home", .path = path})->release == 18);
  const auto on_path = found({.named = {}, .java_home = {}, .path = path});
  REQUIRE(on_path);
  CHECK(on_path->release == 25);
  CHECK(on_path->home == fs::canonical(there / "jdk").string());
  CHECK(content_of(*on_path->classes, "java/lang/Object") == class_of_release(25));
  CHECK(passed_over.empty());

  CHECK(found({.named = {}, .java_home = there / "bin", .path = path})->release == 25);
  CHECK(contains(text_of(passed_over), "this is not a JDK"));
  CHECK_FALSE(found({}));
  CHECK_FALSE(found({.named = {}, .java_home = {}, .path = "/nowhere"}));
  CHECK(contains(refusal([&] { static_cast<void>(found({.named = there / "bin"})); }), "this is not a JDK"));
}

TEST_CASE("release 8 has jars") {
  const TemporaryFolder there;
  there.write("jdk/jre/lib/rt.jar", written_zip({{.name = "java/lang/Object.class", .content = class_of_release(8)}}));
  there.write("jdk/jre/lib/jce.jar", written_zip({{.name = "javax/crypto/Cipher.class", .content = "c"}}));
  const Jdk jdk = open_jdk(there / "jdk", {});
  CHECK(jdk.release == 8);
  CHECK(content_of(*jdk.classes, "javax/crypto/Cipher") == "c");
  there.write("jdk/release", "JAVA_VERSION=\"1.8.0_1\"\n");
  CHECK(open_jdk(there / "jdk/jre", {}).release == 8);
}

TEST_CASE("a JDK that is none is refused with a word") {
  const TemporaryFolder there;
  there.write("empty/lib/modules", "");
  CHECK(contains(refusal([&] { static_cast<void>(open_jdk(there / "empty", {})); }), "too short"));
  there.write("odd/lib/modules", written_image({{"java.base", "java/lang/Object", "short"}}, ByteOrder::Big));
  CHECK(contains(refusal([&] { static_cast<void>(open_jdk(there / "odd", {})); }), "is not a class file"));
  there.write("none/lib/modules", written_image({{"java.base", "java/lang/String", "s"}}, ByteOrder::Big));
  CHECK(contains(refusal([&] { static_cast<void>(open_jdk(there / "none", {})); }), "no class java.lang.Object"));
  there.write("packed/lib/modules", written_image({{"java.base", "java/lang/Object", "content", 4}}, ByteOrder::Big));
  CHECK(contains(refusal([&] { static_cast<void>(open_jdk(there / "packed", {})); }), "cannot be decompressed"));
}

std::optional<Jdk> installed_jdk() {
  std::vector<Diagnostic> passed_over;
  auto jdk = find_jdk(jdk_search({}), {}, passed_over);
  if (!jdk || !fs::exists(fs::path{jdk->home} / "lib/modules")) {
    MESSAGE("no JDK of release 9 or later is installed: nothing is compared");
    return std::nullopt;
  }
  return jdk;
}

TEST_CASE("the image of the installed JDK has classes of its release or older") {
  const auto jdk = installed_jdk();
  if (!jdk) return;
  const auto names = classes_of(*jdk->classes);
  CHECK(names.size() > 5000);
  Random random{1};
  for (int i = 0; i < 2000; ++i) {
    const auto found = jdk->classes->find(names[random.below(names.size())]);
    REQUIRE(found);
    REQUIRE(found->bytes.size() > 8);
    CHECK(found->bytes[0] == 0xCA);
    CHECK(found->bytes[7] <= 44 + jdk->release);  // some are as old as the project they were taken from
  }
}

// Whatever the JDK's own tool takes out of the image, we find, byte by byte, and nothing else in these modules.
TEST_CASE("[full] the JDK's own tool finds the same classes in the image") {
  const auto jdk = installed_jdk();
  if (!jdk || !fs::exists(jdk->home + "/bin/jimage")) return;
  const TemporaryFolder there;
  const std::string command =
      fmt::format("'{0}/bin/jimage' extract --dir '{1}' '{0}/lib/modules'", jdk->home, there.path());
  REQUIRE(std::system(command.c_str()) == 0);
  std::size_t compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator{there.path()}) {
    if (!entry.is_regular_file() || entry.path().extension() != ".class") continue;
    std::string name = fs::relative(entry.path(), there.path()).string();
    name = name.substr(name.find('/') + 1);
    name.resize(name.size() - 6);
    if (name == "module-info") continue;
    std::ifstream file{entry.path(), std::ios::binary};
    const std::string expected{std::istreambuf_iterator<char>{file}, {}};
    REQUIRE(content_of(*jdk->classes, name) == expected);
    ++compared;
  }
  CHECK(compared == classes_of(*jdk->classes).size());
  MESSAGE(compared << " classes are the same");
}

// jlink makes images with compressed contents, which libjimage.so reads for us.
TEST_CASE("[full] compressed images have the same classes") {
  const auto jdk = installed_jdk();
  if (!jdk || !fs::exists(jdk->home + "/bin/jlink") || !fs::exists(jdk->home + "/jmods")) return;
  for (const char* level : {"1", "2"}) {
    const TemporaryFolder there;
    const std::string command = fmt::format("'{}/bin/jlink' --add-modules java.base --compress={} --output '{}'",
                                            jdk->home, level, there / "small");
    REQUIRE(std::system(command.c_str()) == 0);
    const Jdk small = open_jdk(there / "small", {});
    CHECK(small.release == jdk->release);
    const auto names = classes_of(*small.classes);
    CHECK(names.size() > 5000);
    std::size_t same = 0;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < names.size(); i += 7, ++compared)
      if (content_of(*small.classes, names[i]) == content_of(*jdk->classes, names[i])) ++same;
    // jlink writes some classes anew: the tables of modules and of lambda forms.
    CHECK(compared - same <= compared / 50);
    MESSAGE(same << " of " << compared << " classes are the same, compressed at level " << std::string{level});
    // A library that is loaded already is found by its path, even if the file is gone: hence another path.
    fs::rename(there / "small", there / "moved");
    fs::remove(there / "moved/lib/libjimage.so");
    const auto without = Image::open(there / "moved/lib/modules", there / "moved/lib/libjimage.so", {});
    CHECK(contains(refusal([&] { static_cast<void>(without->find("java/lang/Object")); }), "--jdk=DIR"));
  }
}

TEST_CASE("[full] opening the image and finding a class take microseconds") {
  const auto jdk = installed_jdk();
  if (!jdk) return;
  using Clock = std::chrono::steady_clock;
  const auto microseconds = [](Clock::duration d, double n) {
    return std::chrono::duration<double, std::micro>(d).count() / n;
  };
  const auto names = classes_of(*jdk->classes);
  auto begin = Clock::now();
  constexpr int opened = 200;
  for (int i = 0; i < opened; ++i)
    static_cast<void>(Image::open(jdk->home + "/lib/modules", "", {})->find("java/lang/Object"));
  const double opening = microseconds(Clock::now() - begin, opened);
  begin = Clock::now();
  std::size_t bytes = 0;
  for (const std::string& name : names) bytes += jdk->classes->find(name)->bytes.size();
  const double finding = microseconds(Clock::now() - begin, static_cast<double>(names.size()));
  MESSAGE("open and find one class: " << opening << " us; find each of " << names.size() << " classes (" << bytes
                                      << " bytes): " << finding << " us");
  CHECK(opening < 5000);
  CHECK(finding < 100);
}

}  // namespace
}  // namespace lockwood::jvm
