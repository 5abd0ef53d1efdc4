#pragma once

#include <string>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/java/java_program.hpp"
#include "frontend/java/library/model_reader.hpp"

namespace lockwood::java {

// Which classes a client is to use, and how.
struct LibraryRequest {
  bool wanted = false;
  std::vector<std::string> classes;  // pkg.C; none: all of the program that are annotated `ThreadSafe`
  std::vector<std::string> entries;  // of the methods: `put`, `put(int)`, `pkg.C.put`; none: all public ones
};

// A main that uses a library as any program may: it makes one object of each class by any of its public constructors
// (or gets one of a factory method), and then starts threads without bound, each of which calls the public methods of
// the objects, and of arguments of the same class, in any order, again and again. Arguments are null, the objects
// themselves, objects of the library (of classes of the program, two each, which all threads share; of others, unknown
// ones), and any numbers. What a method throws is caught.
//
// The client is a class file, and its calls have lines in a text.
struct LibraryClient {
  std::string main;    // the class, for PointsToOptions
  std::string source;  // where its text belongs: lockwood/Client.java
  std::string text;
  library::ModelText models;  // where it has its unknown objects from
};

// Adds the client to the classes of the program. Throws InputError if a class or method is not there, or if no object
// of a class can be made.
[[nodiscard]] LibraryClient add_library_client(JavaProgram& program, const LibraryRequest& request,
                                               StopToken stop = {});

// The class that people write pkg.Outer.Inner may be pkg/Outer$Inner. With a suggestion if there is none.
[[nodiscard]] std::string class_named(JavaProgram& program, const std::string& name);

}  // namespace lockwood::java
