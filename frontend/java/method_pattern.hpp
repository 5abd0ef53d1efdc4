#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "frontend/java/java_program.hpp"
#include "jvm/classfile/class_file.hpp"

namespace lockwood::java {

// Methods of one class that a user has named.
struct NamedMethods {
  std::unique_ptr<jvm::ClassFile> file;
  std::vector<const jvm::Member*> methods;  // of the file, in its order; at least one
};

// The methods that this names: `pkg.Outer.Inner.run` all of that name, `pkg.Main.run(int, java.lang.String)` the one
// with these parameters, `pkg.Main` all of the class. Constructors are `<init>`, initialisers of classes `<clinit>`.
// Classes of the JDK have names, too. Throws InputError, with the nearest name if there is none like this.
[[nodiscard]] NamedMethods named_methods(JavaProgram& program, std::string_view text);

}  // namespace lockwood::java
