#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lockwood::java {

// What it takes to find classes by their sources.

// The package that a source declares: a.b; empty if it declares none.
[[nodiscard]] std::string package_of(std::string_view source);

// The folder that the package of this source is in: `src` for `src/a/b/C.java` with the package a.b. If the source is
// not where its package says, the folder of the source.
[[nodiscard]] std::string source_root(const std::string& path, std::string_view source);

// All sources in the folder and below, ascending; without package-info and module-info. Throws InputError if there are
// more than a folder of sources should have.
[[nodiscard]] std::vector<std::string> sources_in(const std::string& folder);

}  // namespace lockwood::java
