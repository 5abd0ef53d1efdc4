#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/ids/random.hpp"
#include "jvm/archive/jar.hpp"
#include "tests/jvm/archive/source_content.hpp"
#include "tests/jvm/archive/temporary_folder.hpp"
#include "tests/jvm/archive/zip_writer.hpp"

namespace lockwood::jvm {
namespace {

Jar jar_of(const std::vector<WrittenEntry>& entries, const ArchiveOptions& options = {},
           JarLayout layout = JarLayout::Jar) {
  return {ZipFile::of(shared(written_zip(entries)), "t.jar", options.limits), layout, options};
}

const WrittenEntry multi_release{.name = "META-INF/MANIFEST.MF", .content = "Multi-Release: true\n"};

TEST_CASE("classes are found by their names, in the order of names") {
  Jar jar = jar_of({{.name = "p/B.class", .content = "b", .deflated = true},
                    {.name = "p/", .content = ""},
                    {.name = "A.class", .content = "a"},
                    {.name = "p/text.txt", .content = "t"},
                    {.name = "p/package-info.class", .content = "i"},
                    {.name = "module-info.class", .content = "m"}});
  CHECK(content_of(jar, "A") == "a");
  CHECK(content_of(jar, "p/B") == "b");
  CHECK(content_of(jar, "module-info") == "m");
  CHECK_FALSE(content_of(jar, "p/b"));
  CHECK_FALSE(content_of(jar, "p/text"));
  CHECK(classes_of(jar) == std::vector<std::string>{"A", "p/B"});
  CHECK(jar.find("A")->origin == "t.jar");
  CHECK(jar.warnings().empty());
}

TEST_CASE("of the versions of a class, the greatest that is not above the release counts") {
  const std::vector<WrittenEntry> entries = {multi_release,
                                             {.name = "A.class", .content = "base"},
                                             {.name = "META-INF/versions/9/A.class", .content = "9"},
                                             {.name = "META-INF/versions/17/A.class", .content = "17"},
                                             {.name = "META-INF/versions/11/New.class", .content = "new"},
                                             {.name = "META-INF/versions/8/A.class", .content = "no version"},
                                             {.name = "META-INF/versions/9/META-INF/X.class", .content = "x"}};
  for (const auto& each : std::map<int, std::string>{{8, "base"}, {9, "9"}, {16, "9"}, {17, "17"}, {25, "17"}}) {
    const int release = each.first;
    Jar jar = jar_of(entries, {.release = release});
    CAPTURE(release);
    CHECK(content_of(jar, "A") == each.second);
    CHECK(content_of(jar, "New").has_value() == (release >= 11));
    CHECK_FALSE(content_of(jar, "META-INF/X"));
  }
  Jar plain = jar_of({entries.begin() + 1, entries.end()}, {.release = 25});
  CHECK(content_of(plain, "A") == "base");
  CHECK(classes_of(plain) == std::vector<std::string>{"A"});
}

TEST_CASE("the last manifest counts, whatever the case of its name") {
  const Jar jar = jar_of({{.name = "META-INF/MANIFEST.MF", .content = "Main-Class: First\n"},
                          {.name = "meta-inf/Manifest.mf", .content = "Main-Class: Last\n"},
                          {.name = "p/META-INF/MANIFEST.MF", .content = "Main-Class: Other\n"}});
  CHECK(jar.manifest().main_class == "Last");
}

TEST_CASE("jars of applications have classes and jars inside") {
  const Jar jar = jar_of({{.name = "BOOT-INF/lib/b.jar", .content = "b"},
                          {.name = "BOOT-INF/lib/a.jar", .content = "a"},
                          {.name = "BOOT-INF/lib/a.txt", .content = "t"},
                          {.name = "other/c.jar", .content = "c"},
                          {.name = "WEB-INF/classes/w/W.class", .content = "w"},
                          {.name = "BOOT-INF/classes/app/Main.class", .content = "inner"},
                          {.name = "app/Main.class", .content = "root"}});
  REQUIRE(jar.nested().size() == 2);
  CHECK(jar.nested()[0].name == "BOOT-INF/lib/b.jar");
  CHECK(jar.nested()[1].name == "BOOT-INF/lib/a.jar");
  CHECK(jar.names() == std::vector<std::string_view>{"app/Main", "w/W"});
  Jar again = jar_of({{.name = "BOOT-INF/classes/app/Main.class", .content = "inner"}});
  CHECK(content_of(again, "app/Main") == "inner");
}

TEST_CASE("the classes of a jmod are in a folder of it") {
  Jar jar = jar_of({{.name = "classes/p/A.class", .content = "a"}, {.name = "bin/B.class", .content = "b"}}, {},
                   JarLayout::Jmod);
  CHECK(classes_of(jar) == std::vector<std::string>{"p/A"});
}

TEST_CASE("a jmod is opened behind its first four bytes") {
  const TemporaryFolder folder;
  std::vector<std::uint8_t> bytes = {'J', 'M', 1, 0};
  const auto zip = written_zip({{.name = "classes/p/A.class", .content = "a"}});
  bytes.insert(bytes.end(), zip.begin(), zip.end());
  Jar jar{ZipFile::open(folder.write("x.jmod", bytes), {}, 4), JarLayout::Jmod, {}};
  CHECK(content_of(jar, "p/A") == "a");
}

// The class by its definition: of all entries that may be it, the best one by room, version and place.
std::optional<std::string> naive_find(const std::vector<WrittenEntry>& entries, const std::string& name, int release) {
  const bool versioned = std::ranges::any_of(entries, [](const auto& e) { return e.name == multi_release.name; });
  std::optional<std::tuple<bool, int, std::size_t>> best;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::vector<std::tuple<bool, int, std::size_t>> fits;
    if (entries[i].name == name + ".class") fits.emplace_back(true, 0, i);
    if (entries[i].name == "BOOT-INF/classes/" + name + ".class") fits.emplace_back(false, 0, i);
    for (int version = 9; version <= release && versioned; ++version)
      if (entries[i].name == "META-INF/versions/" + std::to_string(version) + "/" + name + ".class")
        fits.emplace_back(true, version, i);
    for (const auto& fit : fits)
      if (!best || fit > *best) best = fit;
  }
  return best ? std::optional{entries[std::get<2>(*best)].content} : std::nullopt;
}

TEST_CASE("random jars have the classes that the definition says") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Random random{seed};
    const std::vector<std::string> prefixes = {"",
                                               "BOOT-INF/classes/",
                                               "META-INF/versions/9/",
                                               "META-INF/versions/10/",
                                               "META-INF/versions/17/",
                                               "META-INF/versions/18/",
                                               "META-INF/versions/x/"};
    const std::vector<std::string> names = {"A", "p/A", "p/AB", "p/q/C", "AB"};
    std::vector<WrittenEntry> entries;
    if (random.percent(70)) entries.push_back(multi_release);
    std::size_t written = 0;
    for (std::size_t i = 0, n = random.below(14); i < n; ++i) {
      const std::string name = prefixes[random.below(prefixes.size())] + names[random.below(names.size())] + ".class";
      entries.push_back({.name = name, .content = std::to_string(written++), .deflated = random.percent(50)});
    }
    const int release = std::vector{8, 9, 17, 25}[random.below(4)];
    Jar jar = jar_of(entries, {.release = release});
    CAPTURE(seed);
    std::vector<std::string> expected;
    for (const std::string& name : names) {
      const auto content = naive_find(entries, name, release);
      CHECK(content_of(jar, name) == content);
      if (content) expected.push_back(name);
    }
    std::ranges::sort(expected);
    CHECK(classes_of(jar) == expected);
  }
}

}  // namespace
}  // namespace lockwood::jvm
