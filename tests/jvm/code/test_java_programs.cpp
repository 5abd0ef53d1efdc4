// Programs as compilers make them. Where no compiler is installed, these tests say so and do nothing.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/ids/random.hpp"
#include "jvm/archive/jdk.hpp"
#include "tests/jvm/class_assembler.hpp"
#include "tests/jvm/read_everything.hpp"

using namespace lockwood::jvm;
using namespace lockwood::jvm::test;
using lockwood::InputError;
using lockwood::Random;

namespace fs = std::filesystem;

namespace {

const fs::path traps = fs::path{LOCKWOOD_SOURCE_DIR} / "models/java";

// A folder that is there for one test.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "lockwood-java-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool runs(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

// All classes below a folder, in the order of their names.
std::vector<std::vector<std::uint8_t>> classes_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator{folder})
    if (entry.path().extension() == ".class") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::vector<std::uint8_t>> result;
  for (const fs::path& path : paths) {
    std::ifstream stream{path, std::ios::binary};
    std::vector<std::uint8_t> bytes;
    for (std::istreambuf_iterator<char> it{stream}, end; it != end; ++it)
      bytes.push_back(static_cast<std::uint8_t>(*it));
    result.push_back(std::move(bytes));
  }
  return result;
}

// The classes that the compiler makes of all sources of a folder; nothing, with a word, if there is no such compiler.
std::optional<std::vector<std::vector<std::uint8_t>>> compiled(const std::string& compiler, const fs::path& sources) {
  const std::string name = compiler.substr(0, compiler.find(' '));
  if (!runs("command -v " + name)) {
    MESSAGE("skipped: no " << name);
    return std::nullopt;
  }
  const Folder folder;
  REQUIRE(runs(compiler + " -d " + folder.path().string() + " " + sources.string() + "/*.java"));
  return classes_in(folder.path());
}

std::optional<std::vector<std::vector<std::uint8_t>>> compiled_source(const std::string& compiler,
                                                                      const std::string& source) {
  const Folder folder;
  std::ofstream{folder.path() / "P.java"} << source;
  return compiled(compiler, folder.path());
}

MethodCode code_of(const std::vector<std::vector<std::uint8_t>>& classes, std::string_view owner,
                   std::string_view name) {
  for (const auto& bytes : classes) {
    const ClassFile file = read_class_file(class_bytes(bytes));
    if (file.name != owner) continue;
    for (const Member& method : file.methods)
      if (method.name == name) return *CodeReader{file}.read(method);
  }
  FAIL("no such method");
  return {};
}

template <class Kind>
std::size_t count_of(const MethodBody& body) {
  return static_cast<std::size_t>(std::ranges::count_if(body.instructions, [](const Instruction& instruction) {
    return std::holds_alternative<Kind>(instruction.operation);
  }));
}

constexpr const char* program = R"(
import java.util.*; import java.util.function.*;
public class P {
  final Object m = new Object(); Object open = new Object(); int n;
  static <T> T same(T t) { return t; }
  void once() { synchronized (this) { n++; } }
  void nested() { synchronized (this) { synchronized (m) { n++; } n--; } }
  void reloaded() { synchronized (m) { synchronized (m) { n++; } } }
  int early(int k) { synchronized (m) { if (k > 0) return k; for (int i = 0; i < k; i++) { if (i == n) break; n += i; } } return n; }
  void tries() { synchronized (m) { try { n = 1 / n; } catch (ArithmeticException e) { n = 2; } finally { n++; } } }
  void loop(List<String> l) { for (String s : l) { synchronized (s) { if (s.isEmpty()) continue; n += s.length(); } } }
  synchronized void whole() { n++; }
  static synchronized void klass() { }
  Runnable lambda(int k) { return () -> n += k; }
  Supplier<List<String>> reference() { return ArrayList::new; }
  Comparator<String> marked() { return (Comparator<String> & java.io.Serializable) (a, b) -> a.compareTo(b); }
  String text(Object o, int i) { return "o=" + o + i; }
  int text(String s) { switch (s) { case "a": return 1; case "b": return 2; default: return s.length(); } }
  long wide(long a, double d, float f) { long s = a; for (int i = 0; i < 9; i++) s += (long) (d * i) ^ (long) f; return s; }
  int[][] arrays(int k) { int[][] a = new int[k][k]; a[0][0] = k; Object[] o = new String[k]; return a; }
  Object cast(Object o) { return o instanceof String ? (String) o : (Object) same(o).toString(); }
  int multi(int k) { try { return 9 / k; } catch (ArithmeticException | IllegalStateException e) { return -1; } }
})";

}  // namespace

TEST_CASE("the traps are read, coded and shown, as javac and ecj compile them") {
  for (const char* compiler : {"javac -g -nowarn", "javac -nowarn --release 8", "ecj -17 -g -nowarn -proc:none",
                               "ecj -1.8 -nowarn -proc:none"}) {
    CAPTURE(std::string{compiler});
    const auto classes = compiled(compiler, traps);
    if (!classes) continue;
    CHECK(classes->size() >= 60);
    Amounts all;
    for (const auto& bytes : *classes) {
      const ClassFile file = read_class_file(class_bytes(bytes));
      const Amounts one = read_everything(file);
      CAPTURE(std::string{file.name});
      CHECK(one.errors == 0);
      CHECK(one.ignored == 0);
      CHECK(one.unknown_calls == 0);
      all.methods += one.methods;
      all.regions += one.regions;
    }
    CHECK(all.methods > 200);
    CHECK(all.regions >= 25);
  }
}

TEST_CASE("monitor regions of compiled code are those of the source") {
  for (const char* compiler : {"javac -g", "javac --release 8", "ecj -17 -g -nowarn -proc:none"}) {
    CAPTURE(std::string{compiler});
    const auto classes = compiled_source(compiler, program);
    if (!classes) continue;
    const auto regions = [&](std::string_view name) { return code_of(*classes, "P", name).monitors; };
    for (const char* name : {"once", "nested", "reloaded", "early", "tries", "loop"}) {
      CAPTURE(std::string{name});
      const MonitorRegions monitors = regions(name);
      CHECK(monitors.structured());
      const bool two = std::string_view{name} == "nested" || std::string_view{name} == "reloaded";
      CHECK(monitors.regions.size() == (two ? 2U : 1U));
      for (const MonitorRegion& region : monitors.regions) CHECK(region.exits.size() >= 2);
    }
    // In `nested` some block holds both, the outer one first.
    const MonitorRegions nested = regions("nested");
    CHECK(std::ranges::any_of(nested.held, [](const auto& held) {
      return held == std::vector<RegionId>{RegionId{0}, RegionId{1}};
    }));
    CHECK(code_of(*classes, "P", "whole").body.synchronized);
    CHECK_FALSE(code_of(*classes, "P", "whole").body.is_static);
    CHECK(code_of(*classes, "P", "klass").body.is_static);
  }
}

TEST_CASE("two loads of one final field have one value number, of another field two") {
  const auto classes = compiled_source("javac", R"(
    public class P { final Object m = new Object(); Object o = new Object(); static final Object s = new Object();
      boolean same() { return m == m; } boolean other() { return o == o; } boolean constant() { return s == s; }
      boolean cast(Object x) { return (Object) (String) x == x; } })");
  if (!classes) return;
  const auto same = [&](std::string_view name) {
    const MethodCode code = code_of(*classes, "P", name);
    for (const Instruction& instruction : code.body.instructions)
      if (std::holds_alternative<Branch>(instruction.operation)) {
        const auto operands = code.body.operands_of(instruction);
        return code.numbers[operands[0]] == code.numbers[operands[1]];
      }
    FAIL("no branch");
    return false;
  };
  CHECK(same("same"));
  CHECK_FALSE(same("other"));
  CHECK(same("constant"));
  CHECK(same("cast"));
}

TEST_CASE("calls through invokedynamic are told apart") {
  const auto classes = compiled_source("javac -g", program);
  if (!classes) return;
  // Classes are read again for each question, so names are compared inside.
  for (const auto& bytes : *classes) {
    const ClassFile file = read_class_file(class_bytes(bytes));
    if (file.name != "P") continue;
    CodeReader reader{file};
    const auto call = [&](std::string_view name) {
      const auto found = std::ranges::find(file.methods, name, &Member::name);
      REQUIRE(found != file.methods.end());
      const auto code = reader.read(*found);
      REQUIRE(code->body.dynamic_calls.size() == 1);
      return code->body.dynamic_calls[DynamicCallId{0}];
    };
    const auto lambda = std::get<LambdaCall>(call("lambda").effect);
    CHECK(lambda.interface == "java/lang/Runnable");
    CHECK(lambda.method == "run");
    CHECK(lambda.implementation.member.name.starts_with("lambda$lambda$"));
    const auto reference = std::get<LambdaCall>(call("reference").effect);
    CHECK(reference.implementation.kind == HandleKind::NewInvokeSpecial);
    const auto marked = std::get<LambdaCall>(call("marked").effect);
    CHECK(marked.serializable);
    CHECK(std::holds_alternative<StringConcatenation>(call("text").effect));
  }
}

TEST_CASE("names of locals and lines are kept") {
  const auto classes = compiled_source("javac -g",
                                       "public class P {\n static int f(int count) {\n  int sum = count * 2;\n"
                                       "  while (sum > 9)\n   sum -= count;\n  return sum; } }\n");
  if (!classes) return;
  const ClassFile file = read_class_file(class_bytes(classes->front()));
  const Member* method = find_method(file, "f", "(I)I");
  REQUIRE(method != nullptr);
  const auto code = CodeReader{file}.read(*method);
  const std::string text = to_text(file, *method, *code);
  CAPTURE(text);
  CHECK(text.find("'count: int = parameter 0") != std::string::npos);
  CHECK(text.find("'sum: int = phi") != std::string::npos);
  CHECK(text.find("line 5") != std::string::npos);
  CHECK(count_of<Phi>(code->body) == 1);
}

TEST_CASE("changed and cut classes are read or refused") {
  std::vector<std::vector<std::uint8_t>> classes;
  for (const char* compiler : {"javac -g", "javac --release 8"})
    if (auto more = compiled_source(compiler, program)) classes.insert(classes.end(), more->begin(), more->end());
  if (classes.empty()) return;
  Random random{1};
  std::size_t refused = 0;
  std::size_t read = 0;
  std::size_t parts = 0;
  for (int round = 0; round < 6000; ++round) {
    auto bytes = classes[random.below(classes.size())];
    if (random.percent(10)) bytes.resize(random.below(bytes.size()));
    for (std::size_t i = 1 + random.below(4); i > 0 && !bytes.empty(); --i) {
      // Small numbers are what indices and counts are made of.
      const auto value = random.percent(50) ? random.below(256) : random.below(4);
      bytes[random.below(bytes.size())] = static_cast<std::uint8_t>(value);
    }
    try {
      parts += read_everything(read_class_file(class_bytes(bytes))).errors;
      ++read;
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused > 500);
  CHECK(read > 500);
  CHECK(parts > 500);
}

TEST_CASE("all classes of a JDK are read, have code, and structured monitors [full]") {
  std::vector<lockwood::Diagnostic> passed_over;
  const auto jdk = find_jdk(jdk_search(std::nullopt), {}, passed_over);
  if (!jdk) {
    MESSAGE("skipped: no JDK");
    return;
  }
  Amounts all;
  std::size_t classes = 0;
  jdk->classes->for_each_class([&](std::string_view name) {
    const ClassFile file = read_class_file(*jdk->classes->find(name));
    const Amounts one = read_everything(file);
    CAPTURE(std::string{name});
    CHECK(one.errors == 0);
    CHECK(one.ignored == 0);
    all.methods += one.methods;
    all.regions += one.regions;
    ++classes;
  });
  MESSAGE(classes << " classes, " << all.methods << " methods with code, " << all.regions << " monitor regions");
  CHECK(classes > 1000);
  CHECK(all.regions > 100);
}
