#pragma once

#include <string>

#include "base/ids/random.hpp"

namespace lockwood::java::test {

// A Java source with the class `name`: classes that inherit from each other, fields, arrays, virtual and static calls,
// casts, exceptions, lambdas and threads at random. It compiles; whether it runs to its end does not matter.
[[nodiscard]] std::string random_java(const std::string& name, Random& random);

}  // namespace lockwood::java::test
