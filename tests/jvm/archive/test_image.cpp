#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/ids/random.hpp"
#include "jvm/archive/image.hpp"
#include "tests/jvm/archive/image_writer.hpp"
#include "tests/jvm/archive/source_content.hpp"

namespace lockwood::jvm {
namespace {

Image image_of(std::vector<std::uint8_t> bytes, const ArchiveLimits& limits = {}) {
  return {shared(std::move(bytes)), "modules", limits};
}

TEST_CASE("a class is found through its package") {
  Image image = image_of(written_image({{"java.base", "java/lang/Object", "object"},
                                        {"java.base", "module-info", "info"},
                                        {"java.sql", "java/sql/Driver", "driver"},
                                        {"a.b", "shared/A", "a"},
                                        {"c.d", "shared/B", "b"}},
                                       ByteOrder::Little));
  CHECK(content_of(image, "java/lang/Object") == "object");
  CHECK(image.find("java/sql/Driver")->origin == "modules:java.sql");
  CHECK(content_of(image, "shared/A") == "a");
  CHECK(content_of(image, "shared/B") == "b");
  CHECK(image.modules_of("shared") == std::vector<std::string_view>{"a.b", "c.d"});
  CHECK(image.modules_of("java").empty());
  for (const char* name :
       {"java/lang/String", "java/sql/Object", "module-info", "", "/", "java/lang/", "x/../java/lang/Object"})
    CHECK_FALSE(content_of(image, name));
  CHECK(classes_of(image) == std::vector<std::string>{"java/lang/Object", "java/sql/Driver", "shared/A", "shared/B"});
}

// The location by its definition: the only one with this path, wherever it stands.
std::optional<std::string> naive_locate(const ImageIndex& index, const std::string& path) {
  for (std::uint32_t slot = 0; slot < index.slots(); ++slot) {
    const auto location = index.location(slot);
    if (!location || path_of(*location) != path) continue;
    const auto content = index.content(*location);
    if (content) return std::string{content->begin(), content->end()};
  }
  return std::nullopt;
}

TEST_CASE("random images of both byte orders have what was written") {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Random random{seed};
    std::map<std::string, WrittenClass> written;
    for (std::size_t i = 0, n = 1 + random.below(60); i < n; ++i) {
      std::string name;
      for (std::size_t j = 0, depth = 1 + random.below(3); j < depth; ++j)
        name += "pqr"[random.below(3)] + std::string{"/"};
      name += "C" + std::to_string(random.below(100));
      written[name] = {"m" + std::to_string(random.below(4)), name, std::to_string(random.next())};
    }
    std::vector<WrittenClass> classes;
    for (const auto& [name, row] : written) classes.push_back(row);
    const ByteOrder order = random.percent(50) ? ByteOrder::Little : ByteOrder::Big;
    const auto bytes = written_image(classes, order);
    Image image = image_of(bytes);
    const ImageIndex index{bytes, "modules"};
    CAPTURE(seed);
    std::vector<std::string> names;
    for (const auto& [name, row] : written) {
      names.push_back(name);
      CHECK(content_of(image, name) == row.content);
      CHECK(naive_locate(index, "/" + row.module + "/" + name + ".class") == row.content);
      CHECK_FALSE(index.locate("/" + row.module + "/" + name + ".clasp"));
    }
    CHECK(classes_of(image) == names);
    CHECK_FALSE(content_of(image, "p/Absent"));
  }
}

TEST_CASE("what is not an image is refused") {
  const auto bytes = written_image({{"m", "p/A", "a"}}, ByteOrder::Big);
  const auto changed = [&](std::size_t at, std::uint8_t value) {
    auto copy = bytes;
    copy.at(at) = value;
    return refusal([&] { image_of(copy); });
  };
  CHECK(contains(refusal([] { image_of({}); }), "too short"));
  CHECK(contains(changed(0, 1), "not the image of a JDK"));
  CHECK(contains(changed(5, 2), "version 2.0"));
  CHECK(changed(7, 1).empty());                              // a minor version
  CHECK(contains(changed(16, 0xFF), "announces an index"));  // the table
  CHECK(contains(changed(20, 0xFF), "announces an index"));  // the locations
  CHECK(contains(changed(24, 0xFF), "announces an index"));  // the strings
}

TEST_CASE("classes outside of the image, above the limit and compressed are refused by name") {
  auto bytes = written_image({{"m", "p/A", "content"}}, ByteOrder::Little);
  Image whole = image_of(bytes);
  CHECK(content_of(whole, "p/A") == "content");
  Image small = image_of(bytes, {.max_entry_bytes = 6});
  CHECK(contains(refusal([&] { static_cast<void>(small.find("p/A")); }), "entry '/m/p/A.class' has 7 bytes"));
  Image packed = image_of(written_image({{"m", "p/A", "content", 5}}, ByteOrder::Little));
  CHECK(contains(refusal([&] { static_cast<void>(packed.find("p/A")); }), "compressed"));
  Image far = image_of(written_image({{"m", "p/A", "content", 500}}, ByteOrder::Little));
  CHECK(contains(refusal([&] { static_cast<void>(far.find("p/A")); }), "outside of the image"));
}

}  // namespace
}  // namespace lockwood::jvm
