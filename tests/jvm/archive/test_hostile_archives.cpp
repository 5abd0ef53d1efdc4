#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "jvm/archive/image.hpp"
#include "jvm/archive/jar.hpp"
#include "tests/jvm/archive/image_writer.hpp"
#include "tests/jvm/archive/source_content.hpp"
#include "tests/jvm/archive/zip_writer.hpp"

namespace lockwood::jvm {
namespace {

Jar opened(std::vector<std::uint8_t> bytes, const ArchiveOptions& options = {}) {
  return {ZipFile::of(shared(std::move(bytes)), "t.jar", options.limits), JarLayout::Jar, options};
}

Jar opened_zip(const std::vector<WrittenEntry>& entries, const ArchiveOptions& options = {}) {
  return opened(written_zip(entries), options);
}

// What becomes of one entry, A.class: the warning when the jar is opened, or the refusal when it is read.
std::string complaint(WrittenEntry entry, const ArchiveOptions& options = {}) {
  entry.name = "A.class";
  Jar jar = opened_zip({entry}, options);
  std::string text = text_of(jar.warnings());
  if (!text.empty()) CHECK_FALSE(content_of(jar, "A"));
  return text.empty() ? refusal([&] { static_cast<void>(jar.find("A")); }) : text;
}

TEST_CASE("bombs are refused before they are read, and the limit is named") {
  const std::string zeros(std::size_t{3} << 20U, '\0');
  CHECK(contains(complaint({.content = zeros, .deflated = true}), "limit is 200 times"));
  CHECK(complaint({.content = zeros, .deflated = true}, {.limits = {.max_ratio = 2000}}).empty());
  CHECK(complaint({.content = zeros}).empty());
  CHECK(contains(complaint({.content = zeros}, {.limits = {.max_entry_bytes = 1 << 20}}),
                 "has 3.0 MiB; the limit is 1.0 MiB"));
  CHECK(contains(complaint({.content = "x", .deflated = true, .size = 0xFFFFFFF0}), "the limit is 64 MiB"));
  std::vector<WrittenEntry> many;
  for (int i = 0; i < 10; ++i) many.push_back({.name = "A" + std::to_string(i) + ".class", .content = "12345"});
  CHECK(contains(refusal([&] { opened_zip(many, {.limits = {.max_total_bytes = 49}}); }),
                 "classes of more than 49 bytes"));
  CHECK(refusal([&] { opened_zip(many, {.limits = {.max_total_bytes = 50}}); }).empty());
  CHECK(contains(refusal([&] { opened_zip(many, {.limits = {.max_entries = 9}}); }), "has 10 entries; the limit is 9"));
}

TEST_CASE("entries whose headers lie are refused with archive and entry") {
  CHECK(contains(complaint({.content = std::string(1000, 'x'), .deflated = true, .size = 500}),
                 "t.jar: error: entry 'A.class'"));
  CHECK(contains(complaint({.content = std::string(1000, 'x'), .deflated = true, .size = 2000}),
                 "t.jar: error: entry 'A.class'"));
  CHECK(contains(complaint({.content = "content", .size = 6}), "is stored in 7 bytes and claims to have 6 bytes"));
  CHECK(contains(complaint({.content = "content", .crc = 1}), "entry 'A.class' cannot be read: CRC error"));
  CHECK_FALSE(complaint({.content = "content", .deflated = true, .packed = 3}).empty());
  CHECK(contains(complaint({.content = "content", .encrypted = true}), "is encrypted"));
  CHECK(contains(complaint({.content = "content", .method = 12}), "method that Java does not have"));
  CHECK(contains(complaint({.content = "no deflate", .method = 8}), "cannot be read"));
}

TEST_CASE("names that lead elsewhere are left out, with a warning") {
  for (const char* name : {"../A.class", "/A.class", "p/../../A.class", "p\\A.class", "C:\\A.class", "p//A.class",
                           "./A.class", ".class", "p/.class", "a;b.class", "a\tb.class"}) {
    CAPTURE(name);
    Jar jar = opened_zip({{.name = name, .content = "x"}, {.name = "B.class", .content = "b"}});
    CHECK(contains(text_of(jar.warnings()), "does not have the name of a class; it is left out"));
    CHECK(classes_of(jar) == std::vector<std::string>{"B"});
  }
}

TEST_CASE("many warnings are counted, not kept") {
  std::vector<WrittenEntry> entries(500, {.name = "../A.class", .content = ""});
  const Jar jar = opened_zip(entries);
  REQUIRE(jar.warnings().size() == WarningList::max_kept + 1);
  CHECK(jar.warnings().back().message == "480 more warnings about this archive");
}

TEST_CASE("of entries with one name the last one counts, with a warning") {
  Jar jar = opened_zip({{.name = "A.class", .content = "1"}, {.name = "A.class", .content = "2"}});
  CHECK(content_of(jar, "A") == "2");
  CHECK(contains(text_of(jar.warnings()), "'A.class' more than once"));
}

TEST_CASE("an archive without a manifest that can be read has its classes") {
  Jar jar = opened_zip(
      {{.name = "META-INF/MANIFEST.MF", .content = "Main-Class: A\n", .crc = 1}, {.name = "A.class", .content = "a"}});
  CHECK(jar.manifest() == Manifest{});
  CHECK(contains(text_of(jar.warnings()), "MANIFEST.MF' cannot be read"));
  CHECK(content_of(jar, "A") == "a");
}

TEST_CASE("every truncation of a jar is refused or gives less") {
  const auto bytes =
      written_zip({{.name = "A.class", .content = "content", .deflated = true}, {.name = "p/B.class", .content = "b"}});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::vector<std::uint8_t> part{bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)};
    CAPTURE(length);
    CHECK_FALSE(refusal([&] { opened(part); }).empty());
  }
}

// Reads all there is: each class is given or refused by an InputError, and what is given was announced.
void read_all(ClassSource& source) {
  for (const std::string& name : classes_of(source)) {
    try {
      const auto found = source.find(name);
      CHECK(found.has_value());
      std::uint8_t all = 0;
      for (std::uint8_t byte : found->bytes) all = static_cast<std::uint8_t>(all | byte);
      CHECK((all != 0 || found->bytes.empty() || found->bytes.front() == 0));
    } catch (const InputError&) {
      // Refused.
    }
  }
}

// Changes some bytes, most of them in small ways, as what is almost right goes furthest.
std::vector<std::uint8_t> mutated(std::vector<std::uint8_t> bytes, Random& random) {
  for (std::size_t i = 0, n = 1 + random.below(4); i < n; ++i) {
    std::uint8_t& byte = bytes[random.below(bytes.size())];
    const std::vector<std::uint8_t> odd = {
        0, 0xFF, 0x7F, 0x80, static_cast<std::uint8_t>(byte + 1), static_cast<std::uint8_t>(random.next())};
    byte = odd[random.below(odd.size())];
  }
  if (random.percent(10)) bytes.resize(random.below(bytes.size() + 1));
  return bytes;
}

TEST_CASE("mutated jars are read or refused") {
  const auto bytes = written_zip(
      {{.name = "META-INF/MANIFEST.MF", .content = "Multi-Release: true\nClass-Path: a.jar\n", .deflated = true},
       {.name = "p/A.class", .content = "some content of a class", .deflated = true},
       {.name = "META-INF/versions/9/p/A.class", .content = "nine"},
       {.name = "BOOT-INF/lib/x.jar", .content = "PK"},
       {.name = "q/B.class", .content = std::string(3000, 'b'), .deflated = true}});
  Random random{11};
  for (int round = 0; round < 20'000; ++round) {
    CAPTURE(round);
    const auto broken = mutated(bytes, random);
    try {
      Jar jar = opened(broken);
      read_all(jar);
      for (const ZipEntry& entry : jar.nested()) {
        try {
          static_cast<void>(jar.read_nested(entry));
        } catch (const InputError&) {
          // Refused.
        }
      }
    } catch (const InputError&) {
      // Refused.
    }
  }
}

TEST_CASE("mutated images are read or refused") {
  std::vector<WrittenClass> classes;
  for (int i = 0; i < 12; ++i)
    classes.push_back(
        {"m" + std::to_string(i % 3), "p/q" + std::to_string(i % 4) + "/C" + std::to_string(i), "content"});
  Random random{12};
  for (ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    const auto bytes = written_image(classes, order);
    for (int round = 0; round < 20'000; ++round) {
      CAPTURE(round);
      try {
        Image image{shared(mutated(bytes, random)), "modules", {}};
        read_all(image);
      } catch (const InputError&) {
        // Refused.
      }
    }
  }
}

}  // namespace
}  // namespace lockwood::jvm
