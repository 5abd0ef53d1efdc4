#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "jvm/archive/class_path.hpp"
#include "jvm/archive/jdk.hpp"
#include "jvm/archive/source_list.hpp"

namespace lockwood::java {

// What a user says about the surroundings of a program.
struct JavaOptions {
  std::vector<std::string> class_path;  // further folders and archives, as -cp names them
  std::optional<std::string> jdk;       // the folder of a JDK; none: it is looked for
};

// A folder with a class somewhere in it or with a jar, or an archive by its first bytes, or a file that is named like
// one: what commands take for a Java program. Does not throw.
[[nodiscard]] bool is_java_program(const std::string& path);

// A program in class files, opened: its classes are listed, and none is read.
struct JavaProgram {
  std::string path;
  std::shared_ptr<jvm::ClassPath> application;     // the program and what -cp names
  std::string jdk_home;                            // empty if there is none
  std::shared_ptr<jvm::ClassSource> jdk;           // null if there is none
  std::unique_ptr<jvm::SourceList> classes;        // of the JDK, then of the application
  std::optional<std::string> preferred_main = {};  // if several classes have a main, and the manifest names none
  int release = 0;                                 // of the JDK; without one, the newest that we know
  std::vector<Diagnostic> warnings;                // about archives
};

// Opens the program with its surroundings. That there is no JDK is no error. Throws InputError if the path is not
// there, is no archive, or has no class in it.
[[nodiscard]] JavaProgram open_java_program(const std::string& path, const JavaOptions& options);

}  // namespace lockwood::java
