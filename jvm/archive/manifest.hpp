#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockwood::jvm {

// What the manifest of a jar says about the jar as a whole [oracle.21.jar, Sect. JAR Manifest].
struct Manifest {
  std::string main_class;   // as written: pkg.Main; may be empty
  std::string start_class;  // the main class of an application behind a launcher (Spring Boot); may be empty
  std::vector<std::string> class_path;  // relative URLs, as written
  bool multi_release = false;
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

// Reads the main section. There is no wrong manifest: lines that are no attributes are skipped, as Java's tools do with
// most of them, and of two attributes with one name the last one counts.
[[nodiscard]] Manifest parse_manifest(std::string_view text);

// The path of a file that `Class-Path` of a jar names: relative to the folder of the jar, with %XX decoded. Nothing if
// it is no file (http:…) or no path (a bad escape, a zero byte).
[[nodiscard]] std::optional<std::string> path_of_url(std::string_view url, const std::string& folder);

}  // namespace lockwood::jvm
