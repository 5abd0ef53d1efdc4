// Jars: each class that is listed is read or refused, and jars in them likewise.
#include "base/text/diagnostic.hpp"
#include "jvm/archive/class_name.hpp"
#include "jvm/archive/jar.hpp"
#include "tests/fuzz/target.hpp"

namespace fuzz = lockwood::fuzz;
namespace jvm = lockwood::jvm;

namespace {

// Small enough that a megabyte of input reaches them.
constexpr jvm::ArchiveOptions options{.limits = {.max_entries = 5'000,
                                                 .max_entry_bytes = 1 << 20,
                                                 .max_total_bytes = 8 << 20,
                                                 .max_nested_bytes = 2 << 20,
                                                 .max_ratio = 100,
                                                 .ratio_floor = 1 << 12},
                                      .release = 17};

void read(jvm::SharedBytes bytes, std::size_t depth) {
  jvm::Jar jar{jvm::ZipFile::of(std::move(bytes), "input", options.limits), jvm::JarLayout::Jar, options};
  fuzz::require(jar.warnings().size() <= jvm::WarningList::max_kept + 1, "warnings are few");
  for (const std::string& url : jar.manifest().class_path) {
    const auto path = jvm::path_of_url(url, "/folder");
    fuzz::require(!path || path->find('\0') == std::string::npos, "a path has no zero byte", url);
  }
  for (std::string_view name : jar.names()) {
    fuzz::require(jvm::is_class_name(name), "what is listed has the name of a class", name);
    try {
      const auto found = jar.find(name);
      fuzz::require(found.has_value(), "what is listed is found", name);
      fuzz::require(found->bytes.size() <= options.limits.max_entry_bytes, "classes keep to the limit", name);
    } catch (const lockwood::InputError&) {
      // Refused.
    }
  }
  for (const jvm::ZipEntry& entry : jar.nested()) {
    if (depth == 2) break;
    try {
      read(jar.read_nested(entry), depth + 1);
    } catch (const lockwood::InputError&) {
      // Refused.
    }
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The text of a manifest is mostly compressed in an archive, out of a fuzzer's reach: so it is tried as it is, too.
  static_cast<void>(jvm::parse_manifest(fuzz::text_of(data, size)));
  try {
    read(jvm::shared({data, data + size}), 0);
  } catch (const lockwood::InputError&) {
    // No archive.
  }
  return 0;
}
