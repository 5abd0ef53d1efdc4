// Reads all classes of a JDK, makes the code of all their methods, and prints counts and times:
//   jvm_reading [JDK]
// Reading is pool, headers and members; code is SSA form, value numbers and monitor regions. The plain read of the
// bytes is there to compare with: it sums them up.
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "jvm/archive/jdk.hpp"
#include "jvm/classfile/code_attribute.hpp"
#include "jvm/code/code_reader.hpp"
#include "jvm/hierarchy/class_hierarchy.hpp"

namespace jvm = lockwood::jvm;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

struct Totals {
  std::size_t classes = 0;
  std::size_t bytes = 0;
  std::size_t sum = 0;      // of all bytes
  std::size_t methods = 0;  // with code
  std::size_t bytecodes = 0;
  std::size_t instructions = 0;
  std::size_t registers = 0;
  std::size_t phis = 0;
  std::size_t with_monitors = 0;
  std::size_t regions = 0;
  std::size_t unstructured = 0;
  std::size_t errors = 0;
  double plain = 0;
  double reading = 0;
  double coding = 0;
};

void count(const jvm::MethodCode& code, Totals& totals) {
  totals.instructions += code.body.instructions.size();
  totals.registers += code.body.registers.size();
  for (const jvm::Instruction& instruction : code.body.instructions)
    totals.phis += std::holds_alternative<jvm::Phi>(instruction.operation) ? 1U : 0U;
  const bool has_monitors = !code.monitors.regions.empty() || !code.monitors.structured();
  totals.with_monitors += has_monitors ? 1U : 0U;
  totals.regions += code.monitors.regions.size();
  totals.unstructured += code.monitors.structured() ? 0U : 1U;
}

void measure_class(jvm::ClassBytes bytes, Totals& totals) {
  ++totals.classes;
  totals.bytes += bytes.bytes.size();
  auto begin = Clock::now();
  totals.sum += std::accumulate(bytes.bytes.begin(), bytes.bytes.end(), std::size_t{0});
  totals.plain += seconds_since(begin);
  begin = Clock::now();
  const jvm::ClassFile file = jvm::read_class_file(std::move(bytes));
  totals.reading += seconds_since(begin);
  for (const jvm::Member& method : file.methods)
    if (const auto code = jvm::read_code(file, method))
      totals.bytecodes += jvm::instructions_of(file, method, *code).size();
  begin = Clock::now();
  jvm::CodeReader reader{file};
  for (const jvm::Member& method : file.methods) {
    const auto code = reader.read(method);
    if (!code) continue;
    ++totals.methods;
    count(*code, totals);
    if (!code->monitors.structured())
      std::printf("unstructured: %s.%s%s\n", std::string{file.name}.c_str(), std::string{method.name}.c_str(),
                  std::string{method.descriptor}.c_str());
  }
  totals.coding += seconds_since(begin);
}

void print(const char* title, const Totals& totals) {
  std::printf(
      "%s: %zu classes, %zu bytes (sum %zu), %zu methods with code, %zu bytecode instructions\n"
      "  code: %zu instructions, %zu registers, %zu phis\n"
      "  monitors: %zu methods with monitors, %zu regions, %zu methods not structured\n"
      "  errors: %zu\n"
      "  seconds: %.3f plain read, %.3f reading, %.3f code\n",
      title, totals.classes, totals.bytes, totals.sum, totals.methods, totals.bytecodes, totals.instructions,
      totals.registers, totals.phis, totals.with_monitors, totals.regions, totals.unstructured, totals.errors,
      totals.plain, totals.reading, totals.coding);
}

void measure_hierarchy(jvm::ClassSource& source, const std::vector<std::string>& names) {
  const auto begin = Clock::now();
  jvm::ClassHierarchy hierarchy{source};
  for (const std::string& name : names) hierarchy.load(name);
  std::printf("hierarchy: %zu classes, %zu warnings, %.3f seconds\n", hierarchy.classes().size(),
              hierarchy.diagnostics().size(), seconds_since(begin));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<lockwood::Diagnostic> passed_over;
    const auto search = jvm::jdk_search(argc > 1 ? std::optional<std::string>{argv[1]} : std::nullopt);
    const auto start = Clock::now();
    const auto jdk = jvm::find_jdk(search, {}, passed_over);
    if (!jdk) {
      std::puts("no JDK is installed");
      return 1;
    }
    {
      jvm::ClassHierarchy small{*jdk->classes};
      small.load("java/lang/Thread");
      std::printf("start: java/lang/Thread and its supertypes after %.1f ms\n", seconds_since(start) * 1000);
    }
    std::vector<std::string> names;
    jdk->classes->for_each_class([&](std::string_view name) { names.emplace_back(name); });
    Totals all;
    Totals base;
    for (const std::string& name : names) {
      auto bytes = jdk->classes->find(name);
      if (!bytes) continue;
      const bool is_base = bytes->origin.ends_with("java.base");
      try {
        measure_class(*bytes, all);
        if (is_base) measure_class(std::move(*bytes), base);
      } catch (const lockwood::InputError& error) {
        ++all.errors;
        std::printf("%s", error.what());
      }
    }
    std::printf("%s, release %d\n", jdk->home.c_str(), jdk->release);
    print("java.base", base);
    print("all", all);
    measure_hierarchy(*jdk->classes, names);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("peak memory: %ld MB\n", usage.ru_maxrss / 1024);
    return all.errors == 0 ? 0U : 1U;
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
    return 2;
  }
}
