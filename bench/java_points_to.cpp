// Points-to analysis and facts of a Java program, with times:
//   java_points_to CLASSES [MAIN] [--naive]
// With --naive the analysis is also done by the slow twin of the tests, on the same program. bench/java_program.py
// makes programs of any size.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "frontend/java/facts/facts.hpp"
#include "frontend/java/library/model_reader.hpp"
#include "tests/oracle/java/naive_points_to.hpp"

namespace java = lockwood::java;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

long megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void measure(const std::string& path, const java::PointsToOptions& options, bool naive) {
  auto begin = Clock::now();
  java::JavaProgram program = java::open_java_program(path, {});
  const java::library::Library models = java::library::library_with({});
  std::printf("models and archives  %8.3f s\n", seconds_since(begin));
  begin = Clock::now();
  const java::PointsTo flow = java::points_to(program, models, options);
  const double solving = seconds_since(begin);
  const auto& statistics = flow.statistics();
  std::printf("points-to            %8.3f s  %ld MB\n", solving, megabytes());
  std::printf("  procedures %zu, copies %zu, nodes %zu, edges %zu, objects %zu, given up %zu, restarts %zu\n",
              flow.universe().procedures().size(), flow.copies().size(), statistics.nodes, statistics.counts.edges,
              flow.universe().objects().size(), statistics.insensitive, statistics.restarts);
  std::printf("  propagated %zu, collapsed %zu, orderings %zu: %.0f facts per second\n", statistics.counts.propagated,
              statistics.counts.collapsed, statistics.counts.orderings,
              static_cast<double>(statistics.counts.propagated) / solving);
  begin = Clock::now();
  const java::Facts facts{flow};
  std::printf("facts                %8.3f s  %ld MB\n", seconds_since(begin), megabytes());
  const auto total = facts.implicit.total();
  std::printf("  exceptions of the machine excluded: %zu of %zu; threads %zu, joins %zu\n", total.excluded, total.all,
              facts.threads.threads.size(), facts.threads.joins.size());
  if (!naive) return;
  begin = Clock::now();
  const auto slow = java::reference::naive_points_to(flow, java::entry_point(flow.universe(), program));
  std::printf("naive points-to      %8.3f s  %zu rounds, %s\n", seconds_since(begin), slow.rounds,
              java::reference::difference(flow, slow).empty() ? "the same" : "DIFFERENT");
}

}  // namespace

int main(int count, char** arguments) {
  java::PointsToOptions options;
  std::string path;
  bool naive = false;
  for (int i = 1; i < count; ++i) {
    if (std::string_view{arguments[i]} == "--naive")
      naive = true;
    else if (path.empty())
      path = arguments[i];
    else
      options.main = arguments[i];
  }
  if (path.empty()) {
    std::fprintf(stderr, "usage: java_points_to CLASSES [MAIN] [--naive]\n");
    return 2;
  }
  try {
    measure(path, options, naive);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
