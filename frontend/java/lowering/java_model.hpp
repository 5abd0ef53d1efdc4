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
#include "frontend/java/lowering/isolated.hpp"
#include "frontend/java/lowering/value_ends.hpp"
#include "frontend/program/ir/program.hpp"

namespace lockwood::java {

struct Facts;

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

// Which accesses are in the model.
enum class ModelledAccesses : std::uint8_t {
  Racing,  // those that may take part in a race
  All,     // also to objects that only one thread has, to volatile and final fields, and those of initialisers
};

// What the model knows about values: nothing, which ones are made of which others, or also by which ones it is decided
// what is done.
enum class FollowedValues : std::uint8_t { None, Data, Control };

struct JavaLoweringOptions {
  std::vector<std::string> source_path;           // folders with the sources
  std::map<std::string, std::string> texts = {};  // sources that are in no folder, by package and name: a/b/C.java
  std::string client = {};                        // a class whose branches are choices: a/b/C
  ThrownExceptions exceptions = ThrownExceptions::All;
  Purpose purpose = Purpose::Accesses;
  bool isolation = true;  // no: objects that are not unique have no locks
  bool joins = true;      // no: nobody is waited for
  bool merging = true;    // no: copies of a method that do the same stay apart
  ModelledAccesses accesses = ModelledAccesses::Racing;
  // Then all accesses are in the model, and no object is singled out: cells of objects that are not unique stand for
  // all of them.
  FollowedValues values = FollowedValues::None;
  const ValueEnds* ends = nullptr;  // which values are marked
};

// A Java program as a program of the model's language, with its values forgotten.
struct JavaModel {
  program::Program program;
  IdVector<program::SourceFile, std::string> texts;               // of its files; empty where the source was not found
  std::vector<std::pair<Assumption, AssumptionUse>> assumptions;  // in order
  std::vector<ValueMark> marks;                                   // what Node::mark points to
};

[[nodiscard]] JavaModel java_model(const Facts& facts, const JavaLoweringOptions& options, StopToken stop = {});

}  // namespace lockwood::java
