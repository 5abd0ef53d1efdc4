#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "jvm/archive/archive_limits.hpp"
#include "jvm/archive/class_source.hpp"
#include "jvm/archive/manifest.hpp"
#include "jvm/archive/warning_list.hpp"
#include "jvm/archive/zip_file.hpp"

namespace lockwood::jvm {

// Where the classes of an archive are.
enum class JarLayout : std::uint8_t {
  Jar,   // at the root; of applications in one file, also below BOOT-INF/classes or WEB-INF/classes
  Jmod,  // below classes/
};

// A jar: a zip archive with classes and a manifest. Opening lists its entries, and `find` decompresses. Jars within it
// are listed and left to the class path.
//
// Of several entries for one class, the root wins over BOOT-INF/classes; in a multi-release jar, META-INF/versions/N
// with the greatest N that is not above the release in force; and else the last one, as in Java.
class Jar final : public ClassSource {
 public:
  // Takes all that exceeds no limit, and warns of the rest. Throws InputError if the whole exceeds one.
  Jar(ZipFile archive, JarLayout layout, const ArchiveOptions& options);

  [[nodiscard]] std::optional<ClassBytes> find(std::string_view internal_name) override;
  void for_each_class(const std::function<void(std::string_view)>& callback) override;

  [[nodiscard]] const std::string& origin() const { return archive_.origin(); }
  [[nodiscard]] const Manifest& manifest() const { return manifest_; }
  // All that `find` knows, descriptions included, in the order of names. The views live as long as the jar.
  [[nodiscard]] std::vector<std::string_view> names() const;
  // The jars in BOOT-INF/lib and WEB-INF/lib, in the order of the archive.
  [[nodiscard]] const std::vector<ZipEntry>& nested() const { return nested_; }
  [[nodiscard]] SharedBytes read_nested(const ZipEntry& entry) const { return shared(archive_.read(entry)); }
  [[nodiscard]] std::vector<Diagnostic> warnings() const { return warnings_.diagnostics(); }

 private:
  struct Class {
    std::string_view name;
    ZipEntry entry;
  };
  struct Candidate;

  void read_manifest(const ArchiveOptions& options);
  [[nodiscard]] std::optional<Candidate> candidate(const ZipEntry& entry, JarLayout layout,
                                                   const ArchiveOptions& options);
  void list_classes(JarLayout layout, const ArchiveOptions& options);
  void list_nested(const ArchiveLimits& limits);
  void check_invariants() const;

  ZipFile archive_;
  WarningList warnings_;
  Manifest manifest_;
  std::vector<Class> classes_;  // ascending by name, each name once
  std::vector<ZipEntry> nested_;
};

}  // namespace lockwood::jvm
