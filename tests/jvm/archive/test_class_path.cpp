#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "jvm/archive/class_path.hpp"
#include "jvm/archive/source_list.hpp"
#include "tests/jvm/archive/source_content.hpp"
#include "tests/jvm/archive/temporary_folder.hpp"
#include "tests/jvm/archive/zip_writer.hpp"

namespace lockwood::jvm {
namespace {

WrittenEntry manifest(const std::string& text) { return {.name = "META-INF/MANIFEST.MF", .content = text}; }
WrittenEntry written_class(const std::string& name, const std::string& content) {
  return {.name = name + ".class", .content = content};
}
std::string as_text(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

std::vector<std::string> origins(const ClassPath& path) {
  std::vector<std::string> names;
  for (const auto& archive : path.archives())
    names.push_back(std::filesystem::path{archive.origin()}.filename().string());
  return names;
}

TEST_CASE("the first archive with a class counts, and the others are noted") {
  const TemporaryFolder there;
  there.write("classes/p/A.class", "folder");
  const auto jar = there.write("a.jar", written_zip({written_class("p/A", "jar"), written_class("p/B", "b"),
                                                     written_class("module-info", "m")}));
  const auto other = there.write("b.jar", written_zip({written_class("module-info", "n"), written_class("p/B", "c")}));
  ClassPath path{{there / "classes", jar, other}, 3, {}};
  CHECK(content_of(path, "p/A") == "folder");
  CHECK(content_of(path, "p/B") == "b");
  CHECK(content_of(path, "module-info") == "m");
  CHECK(classes_of(path) == std::vector<std::string>{"p/A", "p/B"});
  REQUIRE(path.duplicates().size() == 2);
  CHECK(path.duplicates()[0].name == "p/A");
  CHECK(path.duplicates()[0].used == ArchiveId{0});
  CHECK(path.duplicates()[0].hidden == ArchiveId{1});
  CHECK(path.duplicates()[1].name == "p/B");
}

TEST_CASE("a manifest brings jars that stand behind its own, each once, also in circles") {
  const TemporaryFolder there;
  const auto main = there.write(
      "main.jar", written_zip({manifest("Class-Path: lib/x%20y.jar lib/b.jar absent.jar http://h/z.jar classes/\n")}));
  there.write("lib/x y.jar", written_zip({manifest("Class-Path: c.jar ../main.jar\n")}));
  there.write("lib/b.jar", written_zip({manifest("Class-Path: b.jar c.jar\n"), written_class("B", "b")}));
  there.write("lib/c.jar", written_zip({written_class("C", "c")}));
  there.write("classes/D.class", "d");
  const auto last = there.write("last.jar", written_zip({}));
  ClassPath path{{main, last, main}, 1, {}};
  CHECK(origins(path) == std::vector<std::string>{"main.jar", "x y.jar", "c.jar", "b.jar", "", "last.jar"});
  CHECK(classes_of(path) == std::vector<std::string>{"C", "B", "D"});
  CHECK(path.archives()[ArchiveId{0}].named_by_user);
  CHECK_FALSE(path.archives()[ArchiveId{1}].named_by_user);
  REQUIRE(path.warnings().size() == 1);
  CHECK(contains(path.warnings()[0].message, "http://h/z.jar"));
}

TEST_CASE("jars in jars are read from memory, to some depth") {
  const TemporaryFolder there;
  const auto in_lib = [](const std::string& name, const std::vector<WrittenEntry>& entries) {
    return WrittenEntry{.name = "BOOT-INF/lib/" + name, .content = as_text(written_zip(entries)), .deflated = true};
  };
  const auto innermost = in_lib("4.jar", {written_class("D4", "4")});
  const auto inner = in_lib("3.jar", {written_class("D3", "3"), innermost});
  const auto jar =
      there.write("app.jar", written_zip({written_class("BOOT-INF/classes/App", "app"),
                                          in_lib("1.jar", {manifest("Class-Path: x.jar\n"), written_class("App", "no"),
                                                           in_lib("2.jar", {written_class("D2", "2"), inner})}),
                                          in_lib("b.jar", {written_class("Last", "last")}),
                                          {.name = "WEB-INF/lib/bad.jar", .content = "no archive"}}));
  ClassPath path{{jar}, 1, {}};
  CHECK(classes_of(path) == std::vector<std::string>{"App", "D2", "D3", "Last"});
  CHECK(content_of(path, "App") == "app");
  CHECK(path.find("D2")->origin == jar + "!/BOOT-INF/lib/1.jar!/BOOT-INF/lib/2.jar");
  const std::string warnings = text_of(path.warnings());
  CHECK(contains(warnings, "3 deep"));
  CHECK(contains(warnings, "bad.jar: warning: is not a zip archive"));
  ClassPath small{{jar}, 1, {.limits = {.max_nested_bytes = 1000}}};
  CHECK(contains(text_of(small.warnings()), "limit for all jars in jars is 1000 bytes"));
  ClassPath few{{jar}, 1, {.limits = {.max_archives = 2}}};
  CHECK(few.archives().size() == 2);
  CHECK(contains(text_of(few.warnings()), "more than 2 archives"));
}

TEST_CASE("a star stands for all jars of a folder") {
  const TemporaryFolder there;
  there.write("lib/b.jar", written_zip({written_class("B", "b")}));
  there.write("lib/a.jar", written_zip({written_class("A", "a")}));
  there.write("lib/c.txt", "text");
  there.write("lib/sub/d.jar", written_zip({}));
  ClassPath path{{there / "lib/*"}, 0, {}};
  CHECK(origins(path) == std::vector<std::string>{"a.jar", "b.jar"});
}

TEST_CASE("what is required must be there, and the rest may be missing") {
  const TemporaryFolder there;
  const auto text = there.write("a.jar", "text");
  CHECK(contains(refusal([&] { ClassPath{{there / "no.jar"}, 1, {}}; }), "No such file"));
  CHECK(contains(refusal([&] { ClassPath{{text}, 1, {}}; }), "is not a zip archive"));
  CHECK(contains(refusal([&] { ClassPath{{"/dev/null"}, 1, {}}; }), "is not a regular file"));
  const ClassPath path{{there / "no.jar", text, there / "none/*"}, 0, {}};
  CHECK(path.archives().empty());
  CHECK(path.warnings().size() == 3);
}

TEST_CASE("class paths are split at colons") {
  CHECK(split_class_path("").empty());
  CHECK(split_class_path("a.jar") == std::vector<std::string>{"a.jar"});
  CHECK(split_class_path("a.jar::b/c:") == std::vector<std::string>{"a.jar", ".", "b/c", "."});
  CHECK(split_class_path(":") == std::vector<std::string>{".", "."});
}

TEST_CASE("random class paths have the classes of the first archive that has them") {
  const std::vector<std::string> names = {"A", "p/A", "p/B", "q/C", "q/r/D"};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random{seed};
    const TemporaryFolder there;
    std::vector<std::string> entries;
    std::map<std::string, std::string> expected;
    std::size_t hidden = 0;
    std::vector<std::shared_ptr<ClassSource>> sources;
    for (std::size_t i = 0, n = 1 + random.below(5); i < n; ++i) {
      const std::string archive = std::to_string(i);
      std::vector<WrittenEntry> written;
      for (const std::string& name : names) {
        if (random.percent(60)) continue;
        written.push_back(written_class(name, archive + name));
        if (!expected.emplace(name, archive + name).second) ++hidden;
      }
      if (random.percent(50)) {
        entries.push_back(there.write(archive + ".jar", written_zip(written)));
      } else {
        std::filesystem::create_directory(there / archive);
        for (const WrittenEntry& entry : written) there.write(archive + "/" + entry.name, entry.content);
        entries.push_back(there / archive);
      }
      sources.push_back(std::make_shared<ClassPath>(std::vector{entries.back()}, 1, ArchiveOptions{}));
    }
    ClassPath path{entries, entries.size(), {}};
    SourceList list{sources};
    CAPTURE(seed);
    for (const std::string& name : names) {
      const auto content = expected.contains(name) ? std::optional{expected[name]} : std::nullopt;
      CHECK(content_of(path, name) == content);
      CHECK(content_of(list, name) == content);
    }
    CHECK(path.duplicates().size() == hidden);
    CHECK(classes_of(path) == classes_of(list));
    CHECK(classes_of(path).size() == expected.size());
  }
}

}  // namespace
}  // namespace lockwood::jvm
