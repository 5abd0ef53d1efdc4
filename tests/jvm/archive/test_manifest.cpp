#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "jvm/archive/manifest.hpp"

namespace lockwood::jvm {
namespace {

TEST_CASE("a manifest is read up to its first empty line") {
  const Manifest manifest = parse_manifest(
      "Manifest-Version: 1.0\r\nMain-Class: pkg.Main\r\nMULTI-RELEASE: True\r\nStart-Class: app.Start\r\n"
      "Class-Path: lib/a.jar  lib/b.jar\r\n c.jar\r\n\r\nName: x\r\nMain-Class: other.Main\r\n");
  CHECK(manifest.main_class == "pkg.Main");
  CHECK(manifest.start_class == "app.Start");
  CHECK(manifest.multi_release);
  CHECK(manifest.class_path == std::vector<std::string>{"lib/a.jar", "lib/b.jarc.jar"});
}

TEST_CASE("texts that are no manifests say nothing") {
  for (const char* text : {"", "\n", " \n \n", "Main-Class", ":", "\r\r\r", " Main-Class: a.B"})
    CHECK(parse_manifest(text) == Manifest{});
  CHECK(parse_manifest("Main-Class:a.B").main_class == "a.B");
  CHECK(parse_manifest("Multi-Release: yes").multi_release == false);
}

TEST_CASE("lines that are folded anywhere are read as they were") {
  Random random{7};
  for (int round = 0; round < 3000; ++round) {
    Manifest expected;
    const auto word = [&] {
      std::string text;
      for (std::size_t i = 0, n = 1 + random.below(30); i < n; ++i) text += "abcXYZ/.-_%é:"[random.below(13)];
      return text;
    };
    expected.main_class = word();
    std::string value;
    for (std::size_t i = 0, n = random.below(20); i < n; ++i) {
      expected.class_path.push_back(word());
      value += std::string(1 + random.below(2), ' ') + expected.class_path.back();
    }
    expected.multi_release = random.percent(50);
    std::string text;
    const char* const ending = std::vector{"\n", "\r\n", "\r"}[random.below(3)];
    const auto write = [&](const std::string& line) {
      for (std::size_t at = 0; at < line.size();) {
        const std::size_t length = 1 + random.below(72);
        text += (at == 0 ? "" : " ") + line.substr(at, length) + ending;
        at += length;
      }
    };
    write("Main-Class: " + expected.main_class);
    write("Class-Path:" + value);
    if (expected.multi_release) write("Multi-Release: true");
    CAPTURE(text);
    CHECK(parse_manifest(text) == expected);
  }
}

TEST_CASE("a class path names files relative to the jar") {
  CHECK(path_of_url("lib/a.jar", "/app") == "/app/lib/a.jar");
  CHECK(path_of_url("../b%20c.jar", "/app/x") == "/app/b c.jar");
  CHECK(path_of_url("a.jar", "") == "a.jar");
  CHECK(path_of_url("./a.jar#part", "/app") == "/app/a.jar");
  CHECK(path_of_url("/abs/a.jar", "/app") == "/abs/a.jar");
  CHECK(path_of_url("file:/abs/a.jar", "/app") == "/abs/a.jar");
  CHECK(path_of_url("FILE:///abs/a.jar", "/app") == "/abs/a.jar");
  CHECK(path_of_url("file:a.jar", "/app") == "/app/a.jar");
  CHECK(path_of_url("classes/", "/app") == "/app/classes/");
  for (const char* url : {"http://host/a.jar", "file://host/a.jar", "a%2", "a%zz", "a%00b", "", "#x", "jar:file:/a!/b"})
    CHECK_FALSE(path_of_url(url, "/app"));
}

}  // namespace
}  // namespace lockwood::jvm
