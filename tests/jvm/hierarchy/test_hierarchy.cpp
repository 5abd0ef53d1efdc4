#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/ids/random.hpp"
#include "jvm/hierarchy/class_hierarchy.hpp"
#include "jvm/hierarchy/resolution.hpp"
#include "tests/jvm/class_assembler.hpp"

using namespace lockwood::jvm;
using namespace lockwood::jvm::test;
using lockwood::Random;

namespace {

constexpr std::size_t is_public = 0x1;
constexpr std::size_t is_private = 0x2;
constexpr std::size_t is_protected = 0x4;
constexpr std::size_t is_static = 0x8;
constexpr std::size_t is_abstract = 0x400;
constexpr std::size_t interface_access = 0x601;

// A class as the test writes it down.
struct Declared {
  std::string name;
  bool interface = false;
  std::string super = "java/lang/Object";
  std::vector<std::string> interfaces;
  std::optional<std::size_t> method;  // access of m()V
};

void add(MapSource& source, const Declared& declared) {
  ClassAssembler assembler{declared.name, declared.name == "java/lang/Object" ? "" : declared.super,
                           declared.interface ? interface_access : 0x21, 61};
  for (const std::string& interface : declared.interfaces) assembler.interface(interface);
  if (declared.method) {
    CodeAssembler code;
    code.op(Opcode::Return);
    if ((*declared.method & is_abstract) != 0) {
      assembler.method(*declared.method, "m", "()V");
    } else {
      assembler.method(*declared.method, "m", "()V", code);
    }
  }
  source.add(declared.name, assembler.bytes());
}

void add_object(MapSource& source) {
  for (const char* name : {"java/lang/Object", "java/lang/Throwable", "java/lang/Exception"}) {
    Declared declared{.name = name};
    if (declared.name == "java/lang/Exception") declared.super = "java/lang/Throwable";
    add(source, declared);
  }
  add(source, {.name = "java/lang/Cloneable", .interface = true});
  add(source, {.name = "java/io/Serializable", .interface = true});
}

// Slow twins, by the words of the specification, on the declarations.
class Twin {
 public:
  explicit Twin(const std::vector<Declared>& classes) {
    for (const Declared& one : classes) by_name_[one.name] = &one;
  }
  [[nodiscard]] const Declared* get(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  [[nodiscard]] bool is_subtype(const std::string& sub, const std::string& super) const {
    if (sub == super || super == "java/lang/Object") return true;
    const Declared* declared = get(sub);
    if (declared == nullptr) return false;
    if (!declared->interface && is_subtype(declared->super, super)) return true;
    return std::ranges::any_of(declared->interfaces, [&](const std::string& i) { return is_subtype(i, super); });
  }
  [[nodiscard]] static std::string package(const std::string& name) { return name.substr(0, name.find('/')); }
  [[nodiscard]] std::size_t access(const std::string& name) const { return *get(name)->method; }
  [[nodiscard]] bool declares(const std::string& name) const {
    return get(name) != nullptr && get(name)->method.has_value();
  }
  [[nodiscard]] std::string superclass(const std::string& name) const {
    return get(name) == nullptr ? "" : get(name)->super;
  }
  // JVMS 5.4.5.
  [[nodiscard]] bool can_override(const std::string& low, const std::string& high) const {
    if (low == high) return true;
    if ((access(low) & is_private) != 0 || (access(high) & is_private) != 0) return false;
    if ((access(high) & (is_public | is_protected)) != 0) return true;
    if (package(low) == package(high)) return true;
    for (std::string middle = superclass(low); get(middle) != nullptr && middle != high; middle = superclass(middle))
      if (declares(middle) && can_override(low, middle) && can_override(middle, high)) return true;
    return false;
  }
  [[nodiscard]] std::set<std::string> superinterfaces(const std::string& name) const {
    std::set<std::string> result;
    const Declared* declared = get(name);
    if (declared == nullptr) return result;
    for (const std::string& interface : declared->interfaces) {
      result.insert(interface);
      result.merge(superinterfaces(interface));
    }
    result.merge(superinterfaces(declared->super));
    return result;
  }
  [[nodiscard]] std::set<std::string> maximally_specific(const std::string& name) const {
    std::set<std::string> all;
    for (const std::string& interface : superinterfaces(name))
      if (declares(interface) && (access(interface) & (is_private | is_static)) == 0) all.insert(interface);
    std::set<std::string> most;
    for (const std::string& one : all)
      if (std::ranges::none_of(all, [&](const std::string& other) { return other != one && is_subtype(other, one); }))
        most.insert(one);
    return most;
  }
  // JVMS 5.4.6. Empty: nothing is selected.
  [[nodiscard]] std::string selected(const std::string& receiver, const std::string& resolved) const {
    if ((access(resolved) & is_private) != 0) return resolved;
    for (std::string name = receiver; get(name) != nullptr; name = superclass(name))
      if (declares(name) && (access(name) & is_static) == 0 && can_override(name, resolved))
        return (access(name) & is_abstract) != 0 ? "" : name;
    std::vector<std::string> bodies;
    for (const std::string& name : maximally_specific(receiver))
      if ((access(name) & is_abstract) == 0) bodies.push_back(name);
    return bodies.size() == 1 ? bodies.front() : "";
  }
  // JVMS 5.4.3.3 for a class.
  [[nodiscard]] std::set<std::string> resolved(const std::string& owner) const {
    for (std::string name = owner; get(name) != nullptr; name = superclass(name))
      if (declares(name)) return {name};
    std::set<std::string> bodies;
    for (const std::string& name : maximally_specific(owner))
      if ((access(name) & is_abstract) == 0) bodies.insert(name);
    if (bodies.size() == 1) return bodies;
    std::set<std::string> any;
    for (const std::string& interface : superinterfaces(owner))
      if (declares(interface) && (access(interface) & (is_private | is_static)) == 0) any.insert(interface);
    return any;
  }

 private:
  std::map<std::string, const Declared*> by_name_;
};

std::vector<Declared> random_classes(Random& random) {
  std::vector<Declared> classes;
  std::vector<std::string> interfaces;
  std::vector<std::string> ordinary{"java/lang/Object"};
  const std::size_t count = 3 + random.below(9);
  for (std::size_t i = 0; i < count; ++i) {
    Declared declared{.name = (random.percent(50) ? "p/" : "q/") + std::string{"C"} + std::to_string(i)};
    declared.interface = random.percent(40);
    if (!declared.interface) declared.super = ordinary[random.below(ordinary.size())];
    for (const std::string& interface : interfaces)
      if (random.percent(25)) declared.interfaces.push_back(interface);
    if (random.percent(60)) {
      if (declared.interface) {
        constexpr std::size_t choices[] = {is_public, is_public | is_abstract, is_private, is_public | is_static};
        declared.method = choices[random.below(4)];
      } else {
        constexpr std::size_t choices[] = {is_public, 0, 0, is_protected, is_private, is_public | is_abstract};
        declared.method = choices[random.below(6)];
      }
    }
    (declared.interface ? interfaces : ordinary).push_back(declared.name);
    classes.push_back(std::move(declared));
  }
  return classes;
}

std::string owner_of(const ClassHierarchy& hierarchy, const MethodResolution& resolution) {
  const auto* method = std::get_if<MethodId>(&resolution);
  return method == nullptr ? std::string{} : std::string{hierarchy.name(hierarchy.owner(*method))};
}

}  // namespace

TEST_CASE("subtypes, resolution and selection are what the specification says, on random hierarchies") {
  Random random{1};
  std::size_t selections = 0;
  std::size_t from_interfaces = 0;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    const auto classes = random_classes(random);
    MapSource source;
    add_object(source);
    for (const Declared& declared : classes) add(source, declared);
    const Twin twin{classes};
    ClassHierarchy hierarchy{source};
    for (const Declared& declared : classes) hierarchy.load(declared.name);
    hierarchy.check_invariants();
    CHECK(hierarchy.diagnostics().empty());
    for (const Declared& low : classes) {
      const ClassId id = *hierarchy.find(low.name);
      for (const Declared& high : classes)
        CHECK(hierarchy.is_subtype(id, *hierarchy.find(high.name)) == twin.is_subtype(low.name, high.name));
      if (low.interface) continue;
      const auto expected = twin.resolved(low.name);
      const std::string found = owner_of(hierarchy, resolve_method(hierarchy, id, "m", "()V"));
      CHECK(found.empty() == expected.empty());
      if (!found.empty()) CHECK(expected.contains(found));
      for (const Declared& high : classes) {
        if (!high.method || (*high.method & is_static) != 0 || !twin.is_subtype(low.name, high.name)) continue;
        const MethodId method = *hierarchy.declared_method(*hierarchy.find(high.name), "m", "()V");
        const std::string selected = owner_of(hierarchy, select_method(hierarchy, id, method));
        CAPTURE(low.name);
        CAPTURE(high.name);
        CHECK(selected == twin.selected(low.name, high.name));
        selections += selected.empty() ? 0U : 1U;
        from_interfaces += !selected.empty() && twin.get(selected)->interface ? 1U : 0U;
      }
    }
  }
  CHECK(selections > 1000);
  CHECK(from_interfaces > 100);
}

TEST_CASE("arrays are covariant, cloneable and serializable objects") {
  MapSource source;
  add_object(source);
  add(source, {.name = "p/A"});
  add(source, {.name = "p/B", .super = "p/A"});
  ClassHierarchy hierarchy{source};
  const auto is = [&](std::string_view low, std::string_view high) {
    return hierarchy.is_subtype(hierarchy.load(low), hierarchy.load(high));
  };
  CHECK(is("[Lp/B;", "[Lp/A;"));
  CHECK_FALSE(is("[Lp/A;", "[Lp/B;"));
  CHECK(is("[[I", "[Ljava/lang/Object;"));
  CHECK_FALSE(is("[I", "[Ljava/lang/Object;"));
  CHECK(is("[I", "java/lang/Cloneable"));
  CHECK(is("[[I", "[Ljava/io/Serializable;"));
  CHECK_FALSE(is("[I", "[J"));
  CHECK(is("[I", "[I"));
}

TEST_CASE("absent classes are objects, and throwable when they are thrown") {
  MapSource source;
  add_object(source);
  add(source, {.name = "p/A", .super = "lib/Gone"});
  add(source, {.name = "p/B", .super = "p/A", .interfaces = {"lib/GoneToo"}});
  ClassHierarchy hierarchy{source};
  const ClassId b = hierarchy.load("p/B");
  const ClassId gone = hierarchy.load("lib/Gone");
  CHECK(hierarchy.is_absent(gone));
  CHECK(hierarchy.has_absent_supertype(b));
  CHECK(hierarchy.is_subtype(b, gone));
  CHECK(hierarchy.is_subtype(b, hierarchy.load("lib/GoneToo")));
  CHECK(hierarchy.is_subtype(b, hierarchy.load("java/lang/Object")));
  const ClassId throwable = hierarchy.load("java/lang/Throwable");
  CHECK_FALSE(hierarchy.is_subtype(b, throwable));
  hierarchy.assume_throwable(gone);
  CHECK(hierarchy.is_subtype(b, throwable));
  CHECK_FALSE(hierarchy.is_subtype(b, hierarchy.load("java/lang/Exception")));
  CHECK(std::get<ResolutionFailure>(resolve_method(hierarchy, b, "m", "()V")) == ResolutionFailure::Absent);
  // Without any class at all there is an answer, too.
  MapSource nothing;
  ClassHierarchy empty{nothing};
  const ClassId lonely = empty.load("a/B");
  empty.assume_throwable(lonely);
  CHECK(empty.is_subtype(lonely, empty.load("java/lang/Throwable")));
  CHECK(empty.is_subtype(empty.load("[La/B;"), empty.load("java/lang/Object")));
}

TEST_CASE("cycles, wrong names and wrong kinds of supertypes are warnings") {
  MapSource source;
  add_object(source);
  add(source, {.name = "p/A", .super = "p/B"});
  add(source, {.name = "p/B", .super = "p/C"});
  add(source, {.name = "p/C", .super = "p/A"});
  add(source, {.name = "p/I", .interface = true, .interfaces = {"p/I"}});
  add(source, {.name = "p/D", .super = "p/I", .interfaces = {"p/A"}});
  ClassAssembler other{"p/Other"};
  source.add("p/Misnamed", other.bytes());
  source.add("p/Broken", {1, 2, 3});
  ClassHierarchy hierarchy{source};
  for (const char* name : {"p/A", "p/I", "p/D", "p/Misnamed", "p/Broken"}) hierarchy.load(name);
  hierarchy.check_invariants();
  std::string warnings;
  for (const auto& diagnostic : hierarchy.diagnostics()) warnings += to_text(diagnostic);
  CHECK(warnings.find("class p/C is its own supertype by way of p/A") != std::string::npos);
  CHECK(warnings.find("class p/I is its own supertype by way of p/I") != std::string::npos);
  CHECK(warnings.find("class p/D extends the interface p/I") != std::string::npos);
  CHECK(warnings.find("class p/D implements the class p/A") != std::string::npos);
  CHECK(warnings.find("its file says that it is class p/Other") != std::string::npos);
  CHECK(warnings.find("class p/Broken is left out") != std::string::npos);
  CHECK(hierarchy.is_absent(*hierarchy.find("p/Misnamed")));
  CHECK(hierarchy.is_subtype(*hierarchy.find("p/A"), *hierarchy.find("p/C")));
}

TEST_CASE("a chain of classes of any length is loaded without a deep stack") {
  MapSource source;
  add_object(source);
  constexpr int length = 20000;
  for (int i = 0; i < length; ++i)
    add(source,
        {.name = "p/C" + std::to_string(i), .super = i == 0 ? "java/lang/Object" : "p/C" + std::to_string(i - 1)});
  ClassHierarchy hierarchy{source};
  const ClassId last = hierarchy.load("p/C" + std::to_string(length - 1));
  CHECK(hierarchy.classes().size() == length + 1);
  CHECK(hierarchy.is_subtype(last, *hierarchy.find("java/lang/Object")));
  CHECK_FALSE(hierarchy.diagnostics().empty());  // the chain is cut where it is too long
}

TEST_CASE("fields are found in the class, its interfaces, then its superclass") {
  MapSource source;
  add_object(source);
  const auto with_field = [&](const char* name, const char* super, std::size_t access,
                              std::initializer_list<const char*> interfaces, bool has_field) {
    ClassAssembler assembler{name, super, access, 61};
    for (const char* interface : interfaces) assembler.interface(interface);
    if (has_field) assembler.field(0x9, "f", "I");
    source.add(name, assembler.bytes());
  };
  with_field("p/I", "java/lang/Object", interface_access, {}, true);
  with_field("p/J", "java/lang/Object", interface_access, {"p/I"}, false);
  with_field("p/A", "java/lang/Object", 0x21, {}, true);
  with_field("p/B", "p/A", 0x21, {"p/J"}, false);
  with_field("p/C", "p/A", 0x21, {}, false);
  ClassHierarchy hierarchy{source};
  const auto owner = [&](std::string_view name) {
    return hierarchy.name(hierarchy.owner(std::get<FieldId>(resolve_field(hierarchy, hierarchy.load(name), "f", "I"))));
  };
  CHECK(owner("p/B") == "p/I");
  CHECK(owner("p/C") == "p/A");
  CHECK(std::get<ResolutionFailure>(resolve_field(hierarchy, hierarchy.load("p/C"), "f", "J")) ==
        ResolutionFailure::NoSuchMember);
}

TEST_CASE("calls of special methods, of interfaces and of method handles") {
  MapSource source;
  add_object(source);
  add(source, {.name = "p/A", .method = is_public});
  add(source, {.name = "p/B", .super = "p/A", .method = is_public});
  add(source, {.name = "p/C", .super = "p/B"});
  add(source, {.name = "p/D", .super = "p/C", .method = is_public});
  add(source, {.name = "p/I", .interface = true, .method = is_public});
  add(source, {.name = "p/J", .interface = true, .interfaces = {"p/I"}});
  ClassAssembler handle{"java/lang/invoke/MethodHandle"};
  handle.method(0x181, "invokeExact", "([Ljava/lang/Object;)Ljava/lang/Object;");
  handle.method(0x101, "plain", "([Ljava/lang/Object;)Ljava/lang/Object;");
  source.add("java/lang/invoke/MethodHandle", handle.bytes());
  ClassHierarchy hierarchy{source};
  const ClassId a = hierarchy.load("p/A");
  const ClassId d = hierarchy.load("p/D");
  // super.m() in D, compiled when A was the nearest class with m: runs B's.
  const MethodId resolved = std::get<MethodId>(resolve_method(hierarchy, a, "m", "()V"));
  CHECK(owner_of(hierarchy, select_special(hierarchy, d, a, resolved)) == "p/B");
  CHECK(owner_of(hierarchy, select_special(hierarchy, a, a, resolved)) == "p/A");
  const ClassId j = hierarchy.load("p/J");
  const auto in_interface = resolve_interface_method(hierarchy, j, "m", "()V");
  CHECK(owner_of(hierarchy, in_interface) == "p/I");
  CHECK(owner_of(hierarchy, select_special(hierarchy, d, j, std::get<MethodId>(in_interface))) == "p/I");
  CHECK(std::get<ResolutionFailure>(resolve_method(hierarchy, j, "m", "()V")) == ResolutionFailure::IncompatibleClass);
  CHECK(std::get<ResolutionFailure>(resolve_interface_method(hierarchy, a, "m", "()V")) ==
        ResolutionFailure::IncompatibleClass);
  const ClassId handles = hierarchy.load("java/lang/invoke/MethodHandle");
  CHECK(std::holds_alternative<MethodId>(resolve_method(hierarchy, handles, "invokeExact", "(I)V")));
  CHECK_FALSE(std::holds_alternative<MethodId>(resolve_method(hierarchy, handles, "plain", "(I)V")));
}

TEST_CASE("access follows packages, subclasses and nests") {
  MapSource source;
  add_object(source);
  add(source, {.name = "p/A"});
  add(source, {.name = "p/B"});
  add(source, {.name = "q/C", .super = "p/A"});
  ClassAssembler inner{"p/A$In", "java/lang/Object", 0x21, 61};
  ByteWriter host;
  host.u2(inner.class_ref("p/A"));
  inner.attribute("NestHost", host.bytes);
  source.add("p/A$In", inner.bytes());
  ClassHierarchy hierarchy{source};
  const auto may = [&](std::string_view from, std::size_t access) {
    return may_access(hierarchy, hierarchy.load(from), hierarchy.load("p/A"),
                      Access{static_cast<std::uint16_t>(access)});
  };
  CHECK(may("q/C", is_public));
  CHECK(may("q/C", is_protected));
  CHECK_FALSE(may("q/C", 0));
  CHECK(may("p/B", 0));
  CHECK_FALSE(may("p/B", is_private));
  CHECK(may("p/A$In", is_private));
}
