#pragma once

#include <string_view>

namespace lockwood::jvm {

// Whether this can be the name of a class in the form of class files: identifiers between slashes, as java/lang/String,
// none of them empty, `.` or `..`, or with a character that the JVM forbids in names [lindholm.21.jvm, Sect. 4.2.2] or
// that means something to a file system. So such a name never leads out of the folder or archive it is looked up in.
[[nodiscard]] bool is_class_name(std::string_view name);

// module-info and package-info have the form of classes, but are descriptions of what is around them.
[[nodiscard]] bool is_description(std::string_view name);

// The part before the last slash, as in java/lang; empty for a class without a package.
[[nodiscard]] std::string_view package_of(std::string_view internal_name);

}  // namespace lockwood::jvm
