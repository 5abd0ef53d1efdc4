#include "frontend/java/client/client_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace lockwood::java {
namespace {

using jvm::ClassId;
using jvm::FieldType;
using jvm::MethodId;
using jvm::Opcode;

constexpr std::size_t max_classes_of_argument = 4;
constexpr std::size_t objects_of_class = 2;  // so that two of them can be locked in either order
constexpr std::size_t max_depth = 1;         // of constructors whose arguments are made of the program, too
constexpr std::size_t max_shared = 200;      // each takes a slot of a call
constexpr std::uint16_t is_public = 0x0001;
constexpr std::uint16_t is_static = 0x0008;
constexpr std::uint16_t is_final = 0x0010;
constexpr std::string_view unknown_class = "lockwood/Unknown";

std::string descriptor_of(std::string_view class_name) {
  return class_name.starts_with('[') ? std::string{class_name} : fmt::format("L{};", class_name);
}

std::string_view simple_name(std::string_view class_name) { return class_name.substr(class_name.rfind('/') + 1); }

}  // namespace

bool ClientCode::is_of_program(ClassId type) const { return std::ranges::find(classes_, type) != classes_.end(); }

// The public ones; if there is none, those that are not private.
std::vector<MethodId> ClientCode::constructors(ClassId type) const {
  std::vector<MethodId> open;
  std::vector<MethodId> others;
  if (hierarchy_.file(type)->access.is_abstract()) return {};
  for (MethodId id : hierarchy_.methods(type)) {
    const jvm::Member& member = hierarchy_.member(id);
    if (member.name != "<init>" || member.access.is_private() || member.access.is_synthetic()) continue;
    (member.access.is_public() ? open : others).push_back(id);
  }
  return open.empty() ? others : open;
}

// ---- text

void ClientCode::line(CodeWriter& code, const std::string& text) {
  text_ += text + '\n';
  code.line(++lines_);
}

std::string ClientCode::call_text(MethodId method) const {
  const jvm::Member& member = hierarchy_.member(method);
  const std::string parameters = jvm::java_parameters(member.descriptor);
  if (member.name == "<init>")
    return fmt::format("new {}{}", jvm::java_class_name(hierarchy_.name(hierarchy_.owner(method))), parameters);
  return fmt::format("{}{}", member.name, parameters);
}

// ---- objects that threads share

void ClientCode::find_shared(std::string_view descriptor) {
  const auto type = jvm::parse_method_descriptor(descriptor);
  for (const FieldType& parameter : type->parameters) {
    FieldType element = parameter;
    element.text.remove_prefix(parameter.dimensions());
    const auto element_class = element.class_name();
    if (!element_class) continue;
    const ClassId wanted = hierarchy_.load(*element_class);
    if (std::ranges::find(considered_, wanted) != considered_.end()) continue;
    considered_.push_back(wanted);
    std::size_t found = 0;
    for (ClassId each : classes_) {
      if (found == max_classes_of_argument || shared_.size() + objects_of_class > max_shared) break;
      // Anything fits Object: the other arguments will do.
      if (*element_class == "java/lang/Object" || !hierarchy_.is_subtype(each, wanted) || constructors(each).empty())
        continue;
      ++found;
      const bool known =
          std::ranges::any_of(shared_, [&](const Shared& it) { return it.type == each && it.is_argument; });
      for (std::size_t i = 0; !known && i < objects_of_class; ++i)
        shared_.push_back({.type = each,
                           .field = fmt::format("argument{}", shared_.size()),
                           .descriptor = descriptor_of(hierarchy_.name(each)),
                           .is_argument = true});
    }
  }
}

void ClientCode::find_shared(const std::vector<ClientTarget>& targets) {
  for (const ClientTarget& target : targets)
    shared_.push_back({.type = target.type,
                       .field = fmt::format("object{}", targets.size() == 1 ? "" : std::to_string(shared_.size())),
                       .descriptor = descriptor_of(hierarchy_.name(target.type))});
  for (const ClientTarget& target : targets)
    for (MethodId method : target.methods) find_shared(hierarchy_.member(method).descriptor);
  std::uint16_t local = 1;  // behind the arguments of main
  for (Shared& each : shared_) each.local = local++;
}

std::vector<std::size_t> ClientCode::shared_of(ClassId type) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < shared_.size(); ++i)
    if (hierarchy_.is_subtype(shared_[i].type, type)) found.push_back(i);
  return found;
}

// ---- values

void ClientCode::push_unknown(CodeWriter& code, std::string_view class_name) {
  const auto number = unknown_.try_emplace(std::string{class_name}, unknown_.size()).first->second;
  code.invoke(Opcode::Invokestatic, unknown_class, fmt::format("any{}", number), "()" + descriptor_of(class_name));
}

void ClientCode::make(CodeWriter& code, MethodId constructor, std::size_t depth) {
  const std::string_view type = hierarchy_.name(hierarchy_.owner(constructor));
  const jvm::Member& member = hierarchy_.member(constructor);
  code.new_object(type);
  code.op(Opcode::Dup);
  push_arguments(code, member.descriptor, depth);
  code.invoke(Opcode::Invokespecial, type, member.name, member.descriptor);
}

void ClientCode::push_arguments(CodeWriter& code, std::string_view descriptor, std::size_t depth) {
  const auto type = jvm::parse_method_descriptor(descriptor);
  for (const FieldType& parameter : type->parameters) push(code, parameter, depth);
}

void ClientCode::push(CodeWriter& code, FieldType type, std::size_t depth) {
  if (type.is_array()) return push_array(code, type, depth);
  if (type.value_type() == jvm::ValueType::Reference) return push_reference(code, type, depth);
  code.invoke(Opcode::Invokestatic, "java/lang/System", "nanoTime", "()J");
  switch (type.value_type()) {
    case jvm::ValueType::Int: return code.op(Opcode::L2i);
    case jvm::ValueType::Float: return code.op(Opcode::L2f);
    case jvm::ValueType::Double: return code.op(Opcode::L2d);
    default: return;
  }
}

void ClientCode::push_reference(CodeWriter& code, FieldType type, std::size_t depth) {
  const std::string_view type_name = *type.class_name();
  const ClassId wanted = hierarchy_.load(type_name);
  std::vector<std::function<void()>> ways{[&] { code.op(Opcode::AconstNull); }};
  if (!in_main_)
    for (std::size_t i : shared_of(wanted))
      ways.push_back([&, i] {
        code.load(0);
        code.get_field(name, shared_[i].field, shared_[i].descriptor);
      });
  // In main, objects that arguments are made of are new.
  std::size_t made = 0;
  if (in_main_ && depth < max_depth && type_name != "java/lang/Object")
    for (ClassId each : classes_) {
      if (!hierarchy_.is_subtype(each, wanted) || made == max_classes_of_argument) continue;
      for (MethodId constructor : constructors(each)) {
        ++made;
        ways.push_back([&, constructor, depth] { make(code, constructor, depth + 1); });
        break;
      }
    }
  if (!is_of_program(wanted)) {
    ways.push_back([&] { push_unknown(code, type_name); });
  } else if (ways.size() == 1) {
    // An interface that nobody in the program implements.
    ways.push_back([&] {
      push_unknown(code, "java/lang/Object");
      code.op(Opcode::Checkcast, class_.constants().class_name(type_name));
    });
  }
  code.choose(ways);
}

// One with an element of each kind.
void ClientCode::push_array(CodeWriter& code, FieldType type, std::size_t depth) {
  FieldType element = type;
  element.text.remove_prefix(1);
  code.op(Opcode::Iconst1);
  if (const auto element_class = element.class_name()) {
    code.op(Opcode::Anewarray, class_.constants().class_name(*element_class));
    code.op(Opcode::Dup);
    code.op(Opcode::Iconst0);
    push(code, element, depth);
    code.op(Opcode::Aastore);
    return;
  }
  code.new_array(jvm::primitive_by_letter(element.text.front())->array_code);
}

std::string ClientCode::models() const {
  std::string text = "class lockwood.Unknown\n";
  for (const auto& [class_name, number] : unknown_) {
    const std::string shown = jvm::java_class_name(class_name);
    text += fmt::format("  static {0} any{1}(): return unknown {0}\n", shown, number);
  }
  return text;
}

// ---- methods

void ClientCode::write_main(const std::vector<ClientTarget>& targets) {
  CodeWriter code{class_.constants()};
  in_main_ = true;
  line(code, "void main() {");
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    std::vector<std::function<void()>> ways;
    const bool is_target = i < targets.size();
    const auto makers = is_target ? targets[i].makers : constructors(shared_[i].type);
    std::string text;
    for (MethodId maker : makers) {
      text += (text.empty() ? "" : " or ") + call_text(maker);
      ways.push_back([&, maker] {
        const jvm::Member& member = hierarchy_.member(maker);
        if (member.name == "<init>") return make(code, maker, 0);
        push_arguments(code, member.descriptor, 0);
        const ClassId owner = hierarchy_.owner(maker);
        code.invoke(Opcode::Invokestatic, hierarchy_.name(owner), member.name, member.descriptor,
                    hierarchy_.is_interface(owner));
      });
    }
    if (ways.empty()) ways.push_back([&] { code.op(Opcode::AconstNull); });  // all methods are static
    line(code, fmt::format("  {} = {};", shared_[i].field, text.empty() ? "null" : text));
    code.choose(ways);
    code.store(shared_[i].local);
  }
  const auto client = static_cast<std::uint16_t>(shared_.size() + 1);
  line(code, "  client = new Client(…);");
  code.new_object(name);
  code.op(Opcode::Dup);
  std::string descriptor = "(";
  for (const Shared& each : shared_) {
    code.load(each.local);
    descriptor += each.descriptor;
  }
  code.invoke(Opcode::Invokespecial, name, "<init>", descriptor + ")V");
  code.store(client);
  line(code, "  for (;;) new Thread(client).start();");
  const std::size_t begin = code.here();
  code.new_object("java/lang/Thread");
  code.op(Opcode::Dup);
  code.load(client);
  code.invoke(Opcode::Invokespecial, "java/lang/Thread", "<init>", "(Ljava/lang/Runnable;)V");
  code.invoke(Opcode::Invokevirtual, "java/lang/Thread", "start", "()V");
  code.choose({[&] { code.jump_to(begin); }, [&] { code.op(Opcode::Return); }});
  code.op(Opcode::Return);
  class_.add_method(is_public | is_static, "main", "([Ljava/lang/String;)V", code,
                    static_cast<std::uint16_t>(client + 1));
  line(code, "}");
}

void ClientCode::write_constructor() {
  CodeWriter code{class_.constants()};
  line(code, "Client(…) { }");
  code.load(0);
  code.invoke(Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
  std::string descriptor = "(";
  std::uint16_t local = 1;
  for (const Shared& each : shared_) {
    code.load(0);
    code.load(local++);
    code.put_field(name, each.field, each.descriptor);
    descriptor += each.descriptor;
    class_.add_field(is_final, each.field, each.descriptor);
  }
  code.op(Opcode::Return);
  class_.add_method(is_public, "<init>", descriptor + ")V", code, local);
}

// Its object, and arguments of the same class: two of them may be locked in either order.
std::vector<std::size_t> ClientCode::receivers_of(const ClientTarget& target, std::size_t object) const {
  std::vector<std::size_t> found{object};
  for (std::size_t i : shared_of(target.type))
    if (shared_[i].is_argument) found.push_back(i);
  return found;
}

void ClientCode::write_call(CodeWriter& code, const ClientTarget& target, std::size_t object, MethodId method) {
  const jvm::Member& member = hierarchy_.member(method);
  const bool of_class = member.access.is_static();
  const ClassId owner = of_class ? hierarchy_.owner(method) : target.type;
  line(code,
       fmt::format("      {}.{};", of_class ? std::string{simple_name(hierarchy_.name(owner))} : shared_[object].field,
                   call_text(method)));
  if (!of_class) {
    std::vector<std::function<void()>> receivers;
    for (std::size_t i : receivers_of(target, object))
      receivers.push_back([&, i] {
        code.load(0);
        code.get_field(name, shared_[i].field, shared_[i].descriptor);
      });
    code.choose(receivers);
  }
  push_arguments(code, member.descriptor, 0);
  const bool of_interface = hierarchy_.is_interface(owner);
  code.invoke(of_class       ? Opcode::Invokestatic
              : of_interface ? Opcode::Invokeinterface
                             : Opcode::Invokevirtual,
              hierarchy_.name(owner), member.name, member.descriptor, of_interface);
  const auto result = jvm::parse_method_descriptor(member.descriptor)->result;
  if (result) code.op(jvm::slots_of(result->value_type()) == 2 ? Opcode::Pop2 : Opcode::Pop);
}

void ClientCode::write_run(const std::vector<ClientTarget>& targets) {
  CodeWriter code{class_.constants()};
  in_main_ = false;
  line(code, "void run() {");
  const std::size_t begin = code.here();
  text_ += "  for (;;) {\n    switch (any) {\n";
  lines_ += 2;
  std::vector<std::function<void()>> calls{[&] { code.op(Opcode::Return); }};
  for (std::size_t i = 0; i < targets.size(); ++i)
    for (MethodId method : targets[i].methods)
      calls.push_back([&, i, method] { write_call(code, targets[i], i, method); });
  code.choose(calls);
  code.jump_to(begin);
  const std::size_t end = code.here();
  code.handler(begin, end, end);
  text_ += "    }\n  }\n}\n";
  lines_ += 3;
  code.op(Opcode::Pop);
  code.jump_to(begin);
  class_.add_method(is_public, "run", "()V", code, 1);
}

void ClientCode::write(const std::vector<ClientTarget>& targets) {
  text_ = "// A program around a library, made up by lockwood.\n";
  lines_ = 1;
  class_.implement("java/lang/Runnable");
  find_shared(targets);
  write_main(targets);
  write_constructor();
  write_run(targets);
  bytes_ = class_.bytes();
}

}  // namespace lockwood::java
