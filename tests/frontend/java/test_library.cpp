#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "frontend/java/library/model_classes.hpp"
#include "frontend/java/library/model_printer.hpp"
#include "frontend/java/library/model_reader.hpp"
#include "jvm/hierarchy/class_hierarchy.hpp"
#include "jvm/hierarchy/resolution.hpp"
#include "tests/frontend/java/model_files.hpp"

namespace library = lockwood::java::library;
namespace jvm = lockwood::jvm;

namespace {

// A small world for texts of tests.
constexpr std::string_view world = R"(
class java.lang.Object
  <init>(): nothing
  boolean equals(Object): nothing
  int hashCode(): nothing
class java.lang.Throwable
class java.lang.InterruptedException : Throwable
interface java.lang.Runnable
  void run(): abstract
interface java.util.function.Consumer
  void accept(Object): abstract
)";

library::Library read(std::string text) {
  const std::vector<library::ModelText> texts{{"world.models", std::string{world}}, {"test.models", std::move(text)}};
  return library::read_library(texts);
}

std::string first_error(std::string text) {
  try {
    (void)read(std::move(text));
  } catch (const lockwood::InputError& error) {
    return lockwood::to_text(error.diagnostics().front());
  }
  return "";
}

const library::MethodModel& method(const library::Library& models, std::string_view owner, std::string_view name,
                                   std::string_view descriptor) {
  const auto found = models.find_method(models.find(owner).value(), name, descriptor);
  REQUIRE(found);
  return *found->method;
}

}  // namespace

TEST_CASE("models that are printed are read as they were") {
  const library::Library models = library::library_with({});
  const std::string text = library::to_text(models);
  const std::vector<library::ModelText> printed{{"printed", text}};
  const library::Library again = library::read_library(printed);
  CHECK(library::to_text(again) == text);
}

TEST_CASE("the program carries the model files of the source tree") {
  const std::vector<library::ModelText> files = model_files();
  const std::vector<library::ModelText>& bundled = library::bundled_models();
  REQUIRE(bundled.size() == files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    CHECK(bundled[i].file == std::filesystem::path{files[i].file}.filename());
    CHECK(bundled[i].text == files[i].text);
  }
}

TEST_CASE("the example of the documentation reads as effects") {
  const library::Library models = read(R"(
class java.util.List : Object
  state contents                      # races on it are reported as races on the contents of the list
  add(Object): write contents; element <- 1; return unknown
  Object get(int): read contents; return element; throws java.lang.InterruptedException
  forEach(Consumer): read contents; loop call 1.accept(element)
class java.util.Vector like java.util.List synchronized
class java.lang.Thread : Runnable
  field target : Runnable
  <init>(Runnable): target <- 1
  run(): call target.run()            # nothing if there is no target
  start(): spawn this.run() as this
  join(): join this
)");
  // A result is the last effect, wherever the text has it.
  CHECK(library::to_text(models, method(models, "java/util/List", "get", "(I)Ljava/lang/Object;")) ==
        "java.lang.Object get(int): read this.contents; throws java.lang.InterruptedException; return this.element");
  const library::MethodModel& each = method(models, "java/util/Vector", "forEach", "(Ljava/util/function/Consumer;)V");
  CHECK(each.is_synchronized);
  CHECK(library::to_text(models, each) ==
        "synchronized forEach(java.util.function.Consumer): read this.contents; loop { call "
        "1.java.util.function.Consumer::accept(java.lang.Object)(this.element) }");
  CHECK(models[models.find("java/lang/Thread").value()].superclass == "java/lang/Object");
  CHECK(models[models.find("java/lang/Thread").value()].interfaces == std::vector<std::string>{"java/lang/Runnable"});
  CHECK(library::to_text(models, method(models, "java/lang/Thread", "start", "()V")) ==
        "start(): spawn this.java.lang.Thread::run()() as this");
}

TEST_CASE("what a class has of another calls its own methods") {
  const library::Library models = read(R"(
class A
  $find(Object): nothing
  void put(Object): loop { maybe call this.$find(1) catch e { call this.$find(1) } }; spawn this.$find(1)
class B like A
  $find(Object): exit
class C like B
)");
  const std::string text = library::to_text(models, method(models, "C", "put", "(Ljava/lang/Object;)V"));
  CHECK_MESSAGE(text.find("A::") == std::string::npos, text);
  CHECK_MESSAGE(text.find("B::") == std::string::npos, text);
  CHECK(library::to_text(models, method(models, "C", "$find", "(Ljava/lang/Object;)V")) ==
        "$find(java.lang.Object): exit");
}

TEST_CASE("every effect is read and printed") {
  const library::Library models = read(R"(
class Task : Runnable
  state done
  field next : Task
  constant FIRST Task
  static Task make(Runnable, int): t = new Task { body <- 1, next <- null }; Task::last <- t; maybe t.next <- Task::last; return t
  void run(): lock next shared; try-lock this; unlock next shared; unlock this; wait this; notify this; notify-all this;
    interrupt current-thread; synchronized class Task { read volatile next.done; write done };
    x = call body.Runnable::run() catch e { failure <- e; throw e };
    loop { maybe throws InterruptedException if interrupted; throws Throwable if null next; throws Throwable unless held this };
    on true { join next }; ignores "a latch"; gap "a hole"; exit
  Task[] all(Task[]): read 1[]; write 1[]; a = new Task[] { [] <- this }; a[] <- 1[]; return a; return unknown; not-null
  void each(Consumer): spawn 1.accept(this) as this, next; x = call this.equals(unknown Object); call Task::make(null, _)
  synchronized static void none(): nothing
  void later(): abstract
  *: return unknown
)");
  const library::ClassModel& model = models[models.find("Task").value()];
  const std::string text = library::to_text(models, model);
  const library::Library again = read(text);
  CHECK(library::to_text(again, again[again.find("Task").value()]) == text);
  CHECK(model.methods.size() == 7);
  CHECK(model.methods.back().is_wildcard);
  CHECK(model.methods[5].is_abstract);
  CHECK(model.constants.front().type.descriptor == "LTask;");
}

TEST_CASE("methods are found in superclasses, then interfaces, then by wildcards") {
  const library::Library models = read(R"(
interface A
  void a(): nothing
  static void s(): nothing
interface B : A
  void a(): exit
  void b(): abstract
class C : B
  <init>(): nothing
  *: exit
class D : C, A
  void d(): nothing
)");
  const auto owner = [&](std::string_view name, std::string_view descriptor) -> std::string {
    const auto found = models.find_method(models.find("D").value(), name, descriptor);
    return found ? std::string{models.name(found->owner)} + (found->method->is_wildcard ? "*" : "") : "none";
  };
  CHECK(owner("d", "()V") == "D");
  CHECK(owner("a", "()V") == "A");  // D has A before C's B, as its text says
  CHECK(owner("b", "()V") == "B");
  CHECK(owner("hashCode", "()I") == "java/lang/Object");
  CHECK(owner("s", "()V") == "C*");
  CHECK(owner("<init>", "()V") == "none");  // constructors are not inherited
  CHECK(owner("other", "(J)Ljava/lang/Object;") == "C*");
}

TEST_CASE("a later text opens a class again") {
  const library::Library models = read(R"(
class java.lang.Object
  int hashCode(): exit
interface java.lang.Runnable
  void stop(): nothing
)");
  const auto object = models.find("java/lang/Object").value();
  CHECK(models[object].methods.size() == 3);
  CHECK(library::to_text(models, method(models, "java/lang/Object", "hashCode", "()I")) == "int hashCode(): exit");
  CHECK(models[models.find("java/lang/Runnable").value()].methods.size() == 2);
}

TEST_CASE("mistakes are told with place and suggestion") {
  struct Mistake {
    std::string_view text;
    std::string_view message;
    std::string_view hint;
  };
  constexpr auto mistakes = std::to_array<Mistake>({
      {"class A\n  f(): raed x", "2:8: error: unknown effect 'raed'", "did you mean 'read'"},
      {"class A\n  state contents\n  f(): read contnts", "3:13: error: no class has a state 'contnts'", "'contents'"},
      {"class A\n  f(): x <- elment; element <- this", "2:13: error: nothing is ever stored into the field",
       "'element'"},
      {"class A\n  f(Consumr): nothing", "2:5: error: no model has a class 'Consumr'", "'Consumer'"},
      {"class A\n  f(Consumer): call 1.acept(this)", "2:23: error: java.util.function.Consumer has no method",
       "'accept'"},
      {"class A\n  f(Object): return 2", "2:21: error: the method has 1 parameters, counted from 1", ""},
      {"class A\n  static f(): return this", "2:22: error: a static method has no 'this'", ""},
      {"class A : B", "1:11: error: no model has a class 'B'", ""},
      {"class A : pkg.B", "1:11: error: the supertype 'pkg.B' has no model", "'class pkg.B'"},
      {"class A : B\nclass B : A", "error: the class is a supertype of itself", ""},
      {"class A : Runnable, Throwable", "1:21: error: the superclass is the first", ""},
      {"interface A : Throwable", "1:15: error: the supertypes of an interface are interfaces", ""},
      {"class A\nclass A", "2:7: error: this file has the class already", ""},
      {"class A\n  f(): nothing\n  f(): exit", "3:3: error: this file has the method already", ""},
      {"class A like B", "1:14: error: no model has a class 'B'", ""},
      {"class A like A", "the class is like itself", ""},
      {"f(): nothing", "1:1: error: an entry is before the first class", ""},
      {"class A\n  f() nothing", "2:7: error: expected ':' before the effects, found 'nothing'", ""},
      {"class A\n  f(): loop { exit", "2:13: error: this brace is not closed", ""},
      {"class A\n  f(): ignores latch", "2:16: error: expected a text in quotes", ""},
      {"class A\n  f(): gap \"latch", "2:12: error: this string has no end", ""},
      {"class A\n  f(): exit ? exit", "2:13: error: '?' has no meaning here", ""},
      {"class A\n  f(): throws Throwable if cold", "2:28: error: a condition is", ""},
      {"class A\n  f(): abstract; exit", "2:8: error: an abstract method has no effects", ""},
      {"class A\n  f(): 1 <- this", "2:8: error: the method has 0 parameters", ""},
      {"class A\n  f(): this = 1", "2:8: error: 'this' cannot be assigned to", ""},
      {"class A\n  f(int): nothing\n  f(long): nothing\n  g(): call this.f(_)", "4:18: error: several methods of A fit",
       "write their types"},
      {"class A\n  f(Object): x = 1; call x.element.go()", "2:36: error: java.lang.Object has no method 'go'",
       "VALUE.Class::go"},
      {"class A\n  f(): spawn this.f() catch e { }", "2:14: error: a spawned call has no handler", ""},
      {"interface java.lang.Object", "an earlier model says that this is a class", ""},
      {"class A\n  f(): read 1", "2:13: error: the method has 0 parameters", ""},
      {"class A\n  f(A): read 1", "2:14: error: a state of an object is read", ""},
      {"class ..A", "1:1: error: an entry is before the first class", ""},
      {"class A/B", "has no meaning here", ""},
  });
  for (const Mistake& mistake : mistakes) {
    CAPTURE(mistake.text);
    const std::string error = first_error(std::string{mistake.text});
    CHECK_MESSAGE(error.find(mistake.message) != std::string::npos, error);
    CHECK_MESSAGE(error.find(mistake.hint) != std::string::npos, error);
  }
}

TEST_CASE("texts made to do harm end by an error") {
  std::string braces = "class A\n  f(): ";
  for (int i = 0; i < 100000; ++i) braces += "loop { ";
  CHECK(first_error(braces).find("nested too deeply") != std::string::npos);
  std::string calls = "class A\n  f(): ";
  for (int i = 0; i < 100000; ++i) calls += "call A::g(";
  CHECK(first_error(calls).find("nested too deeply") != std::string::npos);
  std::string dimensions = "class A\n  f(Object";
  for (int i = 0; i < 300; ++i) dimensions += "[]";
  CHECK(first_error(dimensions + "): nothing").find("255 dimensions") != std::string::npos);
  std::string chain = "class A0\n";
  for (int i = 1; i < 20000; ++i) chain += "class A" + std::to_string(i) + " : A" + std::to_string(i - 1) + "\n";
  CHECK(first_error(chain).empty());
}

TEST_CASE("the examples of docs/java-models.md are models") {
  const std::string page = lockwood::read_text_file(LOCKWOOD_SOURCE_DIR "/docs/java-models.md");
  constexpr std::string_view fence = "```models\n";
  std::vector<library::ModelText> examples;
  for (std::size_t begin = page.find(fence); begin != std::string::npos; begin = page.find(fence, begin)) {
    begin += fence.size();
    const std::size_t end = page.find("```", begin);
    examples.push_back({"example", page.substr(begin, end - begin)});
  }
  CHECK(examples.size() == 3);
  const library::Library models = library::library_with(examples);
  CHECK(method(models, "pkg/SafeRegistry", "first", "()Ljava/lang/Object;").is_synchronized);
  CHECK(models.find("pkg/Job"));
}

TEST_CASE("without a JDK the models are the hierarchy") {
  const library::Library models = library::library_with({});
  library::ModelClassSource source{models};
  jvm::ClassHierarchy hierarchy{source};
  for (library::ModelClass id : models.classes()) {
    const library::ClassModel& model = models[id];
    CAPTURE(model.name);
    const jvm::ClassId loaded = hierarchy.load(model.name);
    REQUIRE_FALSE(hierarchy.is_absent(loaded));
    CHECK(hierarchy.is_interface(loaded) == model.is_interface);
    if (model.superclass) CHECK(hierarchy.name(hierarchy.superclass(loaded).value()) == *model.superclass);
    for (const std::string& interface : model.interfaces)
      CHECK(hierarchy.is_subtype(loaded, hierarchy.find(interface).value()));
    for (const library::MethodModel& entry : model.methods)
      if (!entry.is_wildcard && !entry.is_helper() && entry.result)
        CHECK(hierarchy.declared_method(loaded, entry.name, entry.parameter_descriptor() + entry.result->descriptor));
  }
  hierarchy.check_invariants();
  CHECK(hierarchy.diagnostics().empty());
  CHECK(source.find("no/such/Class") == std::nullopt);
}
