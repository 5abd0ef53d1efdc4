#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/ids/id.hpp"
#include "base/ids/id_vector.hpp"
#include "base/text/diagnostic.hpp"
#include "jvm/archive/archive_limits.hpp"
#include "jvm/archive/class_source.hpp"
#include "jvm/archive/folder.hpp"
#include "jvm/archive/jar.hpp"

namespace lockwood::jvm {

// A folder or archive on a class path.
using ArchiveId = Id<struct ArchiveTag>;

// A class that is in two archives of a class path. It is that of the first one.
struct Duplicate {
  std::string_view name;
  ArchiveId used;
  ArchiveId hidden;
};

// Folders and jars in a row. A class is that of the first one that has it.
//
// Opening follows what Java's class loader does: behind a jar stand the files that `Class-Path` of its manifest names
// and that were not met before; `lib/*` stands for all jars in lib. The jars within a jar stand behind it, too. All
// classes are listed then, so that each is found by one look into a table; they are read when they are asked for.
class ClassPath final : public ClassSource {
 public:
  struct Archive {
    std::variant<std::unique_ptr<Folder>, std::unique_ptr<Jar>> place;
    bool named_by_user = false;  // and not by a manifest
    bool nested = false;         // a jar in a jar
    [[nodiscard]] const std::string& origin() const;
    // Of a jar; nothing for folders.
    [[nodiscard]] const Manifest* manifest() const;
  };

  // Opens the entries and what they lead to. The first `required` of them have to be there; others that are not are
  // left out with a warning, as is what cannot be read: Java does not mind either. Throws InputError.
  ClassPath(const std::vector<std::string>& entries, std::size_t required, const ArchiveOptions& options);

  [[nodiscard]] std::optional<ClassBytes> find(std::string_view internal_name) override;
  // In the order of archives, then of names.
  void for_each_class(const std::function<void(std::string_view)>& callback) override;

  [[nodiscard]] const IdVector<ArchiveId, Archive>& archives() const { return archives_; }
  // The archive that a class is taken from.
  [[nodiscard]] std::optional<ArchiveId> archive_of(std::string_view internal_name) const;
  // In the order of archives that are not used, then of names.
  [[nodiscard]] const std::vector<Duplicate>& duplicates() const { return duplicates_; }
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const { return warnings_; }

 private:
  friend class ClassPathReading;
  void list_classes();

  IdVector<ArchiveId, Archive> archives_;
  std::unordered_map<std::string_view, ArchiveId> classes_;  // the names belong to the archives
  std::vector<Duplicate> duplicates_;
  std::vector<Diagnostic> warnings_;
};

// Splits "a.jar:b.jar" at the colons; empty parts stand for the current folder, as in Java.
[[nodiscard]] std::vector<std::string> split_class_path(std::string_view text);

}  // namespace lockwood::jvm
