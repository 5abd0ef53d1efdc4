#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/java/facts/facts.hpp"

namespace lockwood::java {

// A call that may happen, without contexts, for people.
struct CallRow {
  std::string caller;
  std::string at;  // Main.java:12; empty in the library
  std::string callee;
  std::string kind;         // call, loop, spawn, initialiser
  bool in_library = false;  // both are of the library
  friend auto operator<=>(const CallRow&, const CallRow&) = default;
};
// Sorted, each once.
[[nodiscard]] std::vector<CallRow> call_rows(const PointsTo& flow);
// The same for Graphviz: procedures of the library that only the library calls are left out.
[[nodiscard]] std::string call_graph_dot(const PointsTo& flow);

// What was assumed about the library, and how many calls rest on it.
struct AssumptionRow {
  std::string kind;  // unmodelled, ignored
  std::string text;
  std::size_t calls = 0;
};
[[nodiscard]] std::vector<AssumptionRow> assumption_rows(const PointsTo& flow);

// The procedures that the analysis has reached for a method of a class, by internal names.
[[nodiscard]] std::vector<ProcedureId> reached_procedures(const PointsTo& flow, std::string_view owner,
                                                          std::string_view name, std::string_view descriptor);

// For each copy of the procedure: which objects each register may hold.
[[nodiscard]] std::vector<std::string> points_to_lines(const PointsTo& flow, ProcedureId procedure);
// For each copy of the procedure: what is known about its executions, monitors, accesses, exceptions and threads.
[[nodiscard]] std::vector<std::string> fact_lines(const Facts& facts, ProcedureId procedure);

}  // namespace lockwood::java
