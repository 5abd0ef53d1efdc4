// The models against the classes of the JDK that is installed: what they say of hierarchy and signatures is so.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/java/library/model_printer.hpp"
#include "frontend/java/library/model_reader.hpp"
#include "jvm/archive/jdk.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/hierarchy/class_hierarchy.hpp"
#include "tests/frontend/java/model_files.hpp"

namespace library = lockwood::java::library;
namespace jvm = lockwood::jvm;

namespace {

// What is newer than release 17, the oldest that the test expects.
constexpr auto newer_methods = std::to_array<std::string_view>({
    "java/lang/Thread.startVirtualThread",
    "java/lang/Thread.ofVirtual",
    "java/lang/Thread.ofPlatform",
    "java/lang/Thread.isVirtual",
    "java/lang/Thread.threadId",
    "java/lang/Thread.sleep",
    "java/util/concurrent/ExecutorService.close",
    "java/util/concurrent/ThreadPoolExecutor.close",
    "java/util/concurrent/ForkJoinPool.close",
    "java/util/concurrent/Executors.newVirtualThreadPerTaskExecutor",
    "java/util/concurrent/Executors.newThreadPerTaskExecutor",
    "java/util/concurrent/Future.resultNow",
    "java/util/concurrent/Future.exceptionNow",
    "java/util/concurrent/Future.state",
});
constexpr auto newer_classes = std::to_array<std::string_view>({
    "java/lang/Thread$Builder",
    "java/lang/Thread$Builder$OfVirtual",
    "java/lang/Thread$Builder$OfPlatform",
    "java/lang/ThreadBuilders$VirtualThreadBuilder",
    "java/lang/ThreadBuilders$PlatformThreadBuilder",
    "java/lang/ThreadBuilders$VirtualThreadFactory",
    "java/util/concurrent/ThreadPerTaskExecutor",
});

// What newer releases have no longer.
constexpr auto gone_methods = std::to_array<std::string_view>({"java/lang/Thread.suspend", "java/lang/Thread.resume"});

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

struct World {
  std::optional<jvm::Jdk> jdk;
  std::unique_ptr<jvm::ClassHierarchy> hierarchy;
};

World open_world() {
  std::vector<lockwood::Diagnostic> passed_over;
  World world{jvm::find_jdk(jvm::jdk_search(std::nullopt), {}, passed_over), nullptr};
  if (world.jdk) world.hierarchy = std::make_unique<jvm::ClassHierarchy>(*world.jdk->classes);
  return world;
}

// Methods of the class or its supertypes with this name and these parameters.
std::vector<jvm::MethodId> with_parameters(jvm::ClassHierarchy& hierarchy, jvm::ClassId id, std::string_view name,
                                           std::string_view parameters) {
  std::vector<jvm::MethodId> all;
  std::vector<jvm::ClassId> classes = hierarchy.superinterfaces(id);
  for (std::optional<jvm::ClassId> at = id; at; at = hierarchy.superclass(*at)) classes.push_back(*at);
  for (jvm::ClassId owner : classes)
    for (jvm::MethodId method : hierarchy.methods(owner)) {
      const jvm::Member& member = hierarchy.member(method);
      if (member.name == name && library::parameters_of(member.descriptor) == parameters) all.push_back(method);
    }
  return all;
}

// Some effect returns a value.
bool returns(const library::Effects& effects) {
  return std::ranges::any_of(effects, [](const library::Effect& effect) {
    if (const auto* block = std::get_if<library::SynchronizedBlock>(&effect.kind)) return returns(block->body);
    if (const auto* block = std::get_if<library::Repetition>(&effect.kind)) return returns(block->body);
    return std::holds_alternative<library::ReturnValue>(effect.kind);
  });
}

}  // namespace

TEST_CASE("every class and method of the models is one of the JDK, with its supertypes and signature") {
  World world = open_world();
  if (!world.jdk || world.jdk->release < 17) {
    MESSAGE("skipped: no JDK of release 17 or later");
    return;
  }
  jvm::ClassHierarchy& hierarchy = *world.hierarchy;
  const library::Library models = library::read_library(model_files());
  const bool is_old = world.jdk->release < 21;
  std::size_t methods = 0;
  for (library::ModelClass id : models.classes()) {
    const library::ClassModel& model = models[id];
    CAPTURE(model.file);
    CAPTURE(model.name);
    if (is_old && is_in(newer_classes, model.name)) continue;
    const jvm::ClassId loaded = hierarchy.load(model.name);
    CHECK_FALSE(hierarchy.is_absent(loaded));
    if (hierarchy.is_absent(loaded)) continue;
    CHECK(hierarchy.is_interface(loaded) == model.is_interface);
    // Supertypes are those of release 17: later ones have a few more, and private classes a few less.
    for (library::ModelClass super : models.lookup_order(id)) {
      CAPTURE(models.name(super));
      if (is_old) CHECK(hierarchy.is_subtype(loaded, hierarchy.load(models.name(super))));
    }
    // The other way round: a supertype that has a model is known as one.
    std::set<std::string, std::less<>> known;
    for (library::ModelClass super : models.lookup_order(id)) known.emplace(models.name(super));
    std::vector<jvm::ClassId> supertypes = hierarchy.superinterfaces(loaded);
    for (auto at = hierarchy.superclass(loaded); at; at = hierarchy.superclass(*at)) supertypes.push_back(*at);
    for (jvm::ClassId super : supertypes) {
      CAPTURE(hierarchy.name(super));
      // Executors are closeable since release 19.
      if (hierarchy.name(super) == "java/lang/AutoCloseable" && model.name.starts_with("java/util/concurrent/"))
        continue;
      if (is_old && models.find(hierarchy.name(super))) CHECK(known.contains(hierarchy.name(super)));
    }
    for (const library::ConstantField& constant : model.constants) {
      CAPTURE(constant.name);
      CHECK(hierarchy.declared_field(loaded, constant.name, constant.type.descriptor));
    }
    for (const library::MethodModel& entry : model.methods) {
      if (entry.is_wildcard || entry.is_helper() || entry.file != model.file) continue;
      if (is_old && is_in(newer_methods, model.name + "." + entry.name)) continue;
      if (!is_old && is_in(gone_methods, model.name + "." + entry.name)) continue;
      const std::string text = library::to_text(models, entry);
      CAPTURE(text);
      ++methods;
      const std::vector<jvm::MethodId> real =
          with_parameters(hierarchy, loaded, entry.name, entry.parameter_descriptor());
      // What a class has of another that it is like need not be there.
      const bool copied = entry.at < model.at;
      if (copied) continue;
      CHECK_FALSE(real.empty());
      if (real.empty()) continue;
      CHECK(std::ranges::any_of(
          real, [&](jvm::MethodId method) { return hierarchy.member(method).access.is_static() == entry.is_static; }));
      const auto result_of = [&](jvm::MethodId method) {
        const std::string_view descriptor = hierarchy.member(method).descriptor;
        return std::string{descriptor.substr(library::parameters_of(descriptor).size())};
      };
      const std::string result = entry.result ? entry.result->descriptor : "V";
      CHECK(std::ranges::any_of(real, [&](jvm::MethodId method) { return result_of(method) == result; }));
      const bool gives_object = entry.result && entry.result->is_reference();
      if (!entry.is_abstract) CHECK(returns(entry.effects) == gives_object);
    }
  }
  MESSAGE(models.classes().size() << " classes, " << methods << " methods");
  CHECK(models.classes().size() >= 120);
}

TEST_CASE("methods of modelled classes that override a modelled method have a model, but for a few") {
  World world = open_world();
  if (!world.jdk || world.jdk->release != 17) {
    MESSAGE("skipped: the bound is for release 17");
    return;
  }
  jvm::ClassHierarchy& hierarchy = *world.hierarchy;
  const library::Library models = library::read_library(model_files());
  std::size_t forgotten = 0;
  std::size_t open = 0;
  std::size_t modelled = 0;
  std::map<std::string, std::size_t> by_class;
  for (library::ModelClass id : models.classes()) {
    const jvm::ClassId loaded = hierarchy.load(models.name(id));
    if (hierarchy.is_absent(loaded)) continue;
    for (jvm::MethodId method : hierarchy.methods(loaded)) {
      const jvm::Member& member = hierarchy.member(method);
      if (member.access.is_private() || member.access.is_static() || member.access.is_synthetic()) continue;
      if (!member.access.is_public() && !member.access.is_protected()) continue;
      const auto found = models.find_method(id, member.name, member.descriptor);
      if (!found) {
        ++open;
      } else if (found->owner != id && !found->method->is_wildcard && !found->method->is_abstract) {
        ++forgotten;
        ++by_class[std::string{models.name(id)} + "." + std::string{member.name} + std::string{member.descriptor}];
      } else {
        ++modelled;
      }
    }
  }
  MESSAGE(modelled << " methods have a model, " << forgotten << " that of a supertype, " << open << " none");
  if (std::getenv("LOCKWOOD_SHOW_FORGOTTEN") != nullptr)
    for (const auto& [name, count] : by_class) MESSAGE(name);
  CHECK(forgotten <= 593);
}
