#pragma once

#include <optional>
#include <vector>

#include "frontend/java/facts/element_joins.hpp"
#include "frontend/java/facts/executions.hpp"

namespace lockwood::java {

// An instruction in a copy of code.
struct CodePlace {
  CopyId copy;
  jvm::InstructionId instruction;
  friend auto operator<=>(const CodePlace&, const CodePlace&) = default;
};

// A thread by the place of its start: a copy of code that a new thread runs. main is not among them.
struct AbstractThread {
  CallEdge spawn;                 // in a model, mostly
  ObjectSet handles;              // the objects that one can join
  std::vector<CodePlace> starts;  // the calls in code that lead there
  bool once = false;              // at most one such thread in a run
};

// A join that goes on only when a thread has ended.
struct JoinMatch {
  enum class Kind : std::uint8_t {
    SameValue,     // start and join are of one value in one activation: `owner`
    UniqueObject,  // the thread object is unique, and so is its start
    AllElements,   // the threads of an array are joined in a loop: they have ended where the loop does
  };
  Kind kind = Kind::SameValue;
  std::size_t thread;  // among the threads
  CodePlace start;
  CodePlace join;
  std::optional<CopyId> owner = {};   // whose frame opens the group; of SameValue and AllElements
  std::optional<LoopExit> loop = {};  // of AllElements
};

struct ThreadFacts {
  std::vector<AbstractThread> threads;  // in the order of spawns
  std::vector<JoinMatch> joins;
  std::vector<CodePlace> unmatched_joins;  // they order nothing: more schedules
  // By copy: the threads that may run it, as a list of numbers; main is threads.size().
  IdVector<CopyId, std::vector<std::uint32_t>> run_by;
  // By copy: a thread that may run it may be interrupted.
  IdVector<CopyId, bool> interruptible;
};

[[nodiscard]] ThreadFacts thread_facts(const PointsTo& flow, const CodeShapes& shapes, const Executions& executions);

// The calls in code that lead to this copy by models only.
[[nodiscard]] std::vector<CodePlace> places_in_code(const PointsTo& flow, CopyId copy);

}  // namespace lockwood::java
