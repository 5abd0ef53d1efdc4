#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/java/facts/facts.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::java {

// What the model of a Java program rests on.
enum class AssumptionKind : std::uint8_t {
  MoreSchedules,   // something that orders threads is not seen: findings may be false, "no" stands
  AssumedLibrary,  // an unmodelled method of the library
  Gap,             // "no" is said except for these
};
[[nodiscard]] const char* to_string(AssumptionKind kind);

struct Assumption {
  AssumptionKind kind = AssumptionKind::MoreSchedules;
  std::string place;  // "pkg.Main.run(), Main.java:12", may be empty
  std::string text;
  friend auto operator<=>(const Assumption&, const Assumption&) = default;
};

// Where an assumption is met.
struct AssumptionUse {
  std::size_t times = 0;                                          // by copies of methods
  std::set<std::pair<program::SourceFile, std::uint32_t>> lines;  // if it belongs to lines
};

enum class ThrownExceptions : std::uint8_t { All, Explicit, None };

struct JavaLoweringOptions {
  std::vector<std::string> source_path;     // folders with the sources
  std::map<std::string, std::string> texts = {};  // sources that are in no folder, by package and name: a/b/C.java
  std::string client = {};                        // a class whose branches are choices: a/b/C
  ThrownExceptions exceptions = ThrownExceptions::All;
  bool isolation = true;  // no: objects that are not unique have no locks
  bool joins = true;      // no: nobody is waited for
};

// A Java program as a program of the model's language, with its values forgotten.
struct JavaModel {
  program::Program program;
  IdVector<program::SourceFile, std::string> texts;               // of its files; empty where the source was not found
  std::vector<std::pair<Assumption, AssumptionUse>> assumptions;  // in order
};

[[nodiscard]] JavaModel java_model(const Facts& facts, const JavaLoweringOptions& options, StopToken stop = {});

}  // namespace lockwood::java
