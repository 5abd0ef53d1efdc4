#include "frontend/java/client/library_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

#include "base/text/suggestion.hpp"
#include "frontend/java/client/client_code.hpp"
#include "frontend/java/inventory.hpp"
#include "jvm/classfile/annotation.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

using jvm::ClassId;
using jvm::MethodId;

[[noreturn]] void refuse(const JavaProgram& program, std::string message, std::string hint = {}) {
  throw InputError{
      {Diagnostic{.file = program.path, .message = std::move(message), .excerpt = {}, .hint = std::move(hint)}}};
}

// One class that is in memory.
class ClassInMemory final : public jvm::ClassSource {
 public:
  ClassInMemory(std::string name, Bytes bytes)
      : name_{std::move(name)}, bytes_{std::make_shared<const Bytes>(std::move(bytes))} {}
  std::optional<jvm::ClassBytes> find(std::string_view internal_name) override {
    if (internal_name != name_) return std::nullopt;
    return jvm::ClassBytes{.owner = bytes_, .bytes = *bytes_, .origin = "the client"};
  }
  void for_each_class(const std::function<void(std::string_view)>& callback) override { callback(name_); }

 private:
  std::string name_;
  std::shared_ptr<const Bytes> bytes_;
};

// Finds what the client is to use.
class Targets {
 public:
  Targets(JavaProgram& program, const LibraryRequest& request, StopToken stop)
      : program_{program}, request_{request}, stop_{stop}, hierarchy_{*program.classes} {
    program.application->for_each_class([&](std::string_view name) {
      stop_.check();
      if (is_jdk_class(name)) return;
      const ClassId id = hierarchy_.load(name);
      if (hierarchy_.file(id) != nullptr) classes_.push_back(id);
    });
  }

  std::vector<ClientTarget> find() {
    std::vector<ClientTarget> targets;
    if (request_.classes.empty()) {
      for (ClassId id : classes_)
        if (is_annotated(id)) targets.push_back({.type = id, .makers = {}, .methods = {}});
      if (targets.empty()) refuse(program_, "no class is annotated ThreadSafe", "name one by --library=CLASS");
    }
    for (const std::string& name : request_.classes) {
      const ClassId id = hierarchy_.load(class_named(program_, name));
      if (std::ranges::find(classes_, id) == classes_.end())
        refuse(program_, fmt::format("'{}' is a class of the JDK, not of the program", name));
      targets.push_back({.type = id, .makers = {}, .methods = {}});
    }
    for (ClientTarget& target : targets) {
      find_methods(target);
      find_makers(target);
    }
    restrict(targets);
    return targets;
  }

  [[nodiscard]] jvm::ClassHierarchy& hierarchy() { return hierarchy_; }
  [[nodiscard]] const std::vector<ClassId>& classes() const { return classes_; }

 private:
  [[nodiscard]] std::string shown(ClassId id) const { return jvm::java_class_name(hierarchy_.name(id)); }

  bool is_annotated(ClassId id) const {
    const jvm::ClassFile& file = *hierarchy_.file(id);
    for (const jvm::Annotation& each : jvm::annotations(file, file.class_attributes))
      if (each.type.ends_with("/ThreadSafe;") || each.type == "LThreadSafe;") return true;
    return false;
  }

  // Of the class itself and of those of the program that it inherits from; what is overridden counts once.
  void find_methods(ClientTarget& target) {
    std::set<std::pair<std::string_view, std::string_view>> known;
    const auto add_of = [&](ClassId id) {
      if (hierarchy_.file(id) == nullptr || is_jdk_class(hierarchy_.name(id))) return;
      for (MethodId method : hierarchy_.methods(id)) {
        const jvm::Member& member = hierarchy_.member(method);
        const bool is_main = member.name == "main" && member.descriptor == "([Ljava/lang/String;)V";
        if (member.name.starts_with('<') || !member.access.is_public() || member.access.is_synthetic() || is_main)
          continue;
        if (member.access.is_static() && id != target.type) continue;
        if (known.emplace(member.name, member.descriptor).second) target.methods.push_back(method);
      }
    };
    for (std::optional<ClassId> id = target.type; id; id = hierarchy_.superclass(*id)) add_of(*id);
    for (ClassId interface : hierarchy_.superinterfaces(target.type)) add_of(interface);
    if (target.methods.empty())
      refuse(program_, fmt::format("the class '{}' has no public methods", shown(target.type)));
  }

  void add_constructors(ClientTarget& target, ClassId of) {
    if (hierarchy_.file(of)->access.is_abstract()) return;
    std::vector<MethodId> open;
    std::vector<MethodId> others;
    for (MethodId method : hierarchy_.methods(of)) {
      const jvm::Member& member = hierarchy_.member(method);
      if (member.name != "<init>" || member.access.is_private() || member.access.is_synthetic()) continue;
      (member.access.is_public() ? open : others).push_back(method);
    }
    std::ranges::copy(open.empty() ? others : open, std::back_inserter(target.makers));
  }
  // Public constructors; or static methods that return one; or, if it is abstract, constructors of what extends it.
  void find_makers(ClientTarget& target) {
    add_constructors(target, target.type);
    if (target.makers.empty())
      for (MethodId method : hierarchy_.methods(target.type)) {
        const jvm::Member& member = hierarchy_.member(method);
        if (!member.access.is_static() || !member.access.is_public()) continue;
        const auto type = jvm::parse_method_descriptor(member.descriptor);
        const auto result = type && type->result ? type->result->class_name() : std::nullopt;
        if (result == hierarchy_.name(target.type)) target.makers.push_back(method);
      }
    for (std::size_t i = 0; target.makers.empty() && i < classes_.size(); ++i)
      if (classes_[i] != target.type && hierarchy_.is_subtype(classes_[i], target.type))
        add_constructors(target, classes_[i]);
    const bool needs_object = std::ranges::any_of(
        target.methods, [&](MethodId method) { return !hierarchy_.member(method).access.is_static(); });
    if (target.makers.empty() && needs_object)
      refuse(program_,
             fmt::format("no object of the class '{}' can be made: it has no constructor and no static method "
                         "that others may call",
                         shown(target.type)));
  }

  // To the entries that are asked for, each of which must be there.
  void restrict(std::vector<ClientTarget>& targets) {
    if (request_.entries.empty()) return;
    std::vector<std::string> known;
    std::set<std::string> found;
    const auto names = [&](ClassId type, MethodId method) {
      const jvm::Member& member = hierarchy_.member(method);
      const std::string name{member.name};
      const std::string with_types = name + jvm::java_parameters(member.descriptor);
      return std::vector<std::string>{name, with_types, shown(type) + '.' + name, shown(type) + '.' + with_types};
    };
    for (ClientTarget& target : targets)
      std::erase_if(target.methods, [&](MethodId method) {
        bool wanted = false;
        for (const std::string& name : names(target.type, method)) {
          known.push_back(name);
          if (std::ranges::find(request_.entries, name) == request_.entries.end()) continue;
          found.insert(name);
          wanted = true;
        }
        return !wanted;
      });
    for (const std::string& entry : request_.entries)
      if (!found.contains(entry))
        refuse(program_, fmt::format("there is no public method '{}'", entry), suggestion_hint(entry, known));
    std::erase_if(targets, [](const ClientTarget& target) { return target.methods.empty(); });
  }

  JavaProgram& program_;
  const LibraryRequest& request_;
  StopToken stop_;
  jvm::ClassHierarchy hierarchy_;
  std::vector<ClassId> classes_;  // of the program
};

}  // namespace

std::string class_named(JavaProgram& program, const std::string& text) {
  std::string name = text;
  std::ranges::replace(name, '.', '/');
  while (true) {
    if (program.classes->find(name)) return name;
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos) break;
    name[slash] = '$';
  }
  Suggestion suggestion{text};
  program.application->for_each_class(
      [&](std::string_view known) { suggestion.consider(jvm::java_class_name(known)); });
  refuse(program, fmt::format("there is no class '{}'", text), suggestion.hint());
}

LibraryClient add_library_client(JavaProgram& program, const LibraryRequest& request, StopToken stop) {
  Targets targets{program, request, stop};
  ClientCode code{targets.hierarchy(), targets.classes()};
  try {
    code.write(targets.find());
  } catch (const std::length_error&) {
    refuse(program, "a client that calls all methods is too large", "choose some of them by --entry=METHOD");
  }
  std::vector<std::shared_ptr<jvm::ClassSource>> sources;
  if (program.jdk) sources.push_back(program.jdk);
  sources.push_back(std::make_shared<ClassInMemory>(std::string{ClientCode::name}, code.bytes()));
  sources.push_back(program.application);
  program.classes = std::make_unique<jvm::SourceList>(std::move(sources));
  return {.main = jvm::java_class_name(ClientCode::name),
          .source = "lockwood/" + std::string{ClientCode::source_file},
          .text = code.text(),
          .models = {.file = "the models of the client", .text = code.models()}};
}

}  // namespace lockwood::java
