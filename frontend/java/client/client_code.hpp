#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frontend/java/client/class_writer.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/hierarchy/class_hierarchy.hpp"

namespace lockwood::java {

// A class whose methods the client calls.
struct ClientTarget {
  jvm::ClassId type;
  std::vector<jvm::MethodId> makers;   // constructors, or static methods that return one
  std::vector<jvm::MethodId> methods;  // to be called; of the class and its superclasses
};

// The class file of a client, and the text that goes with it.
class ClientCode {
 public:
  // `classes`: those of the program that can be arguments, in order.
  ClientCode(jvm::ClassHierarchy& hierarchy, std::vector<jvm::ClassId> classes)
      : hierarchy_{hierarchy}, classes_{std::move(classes)} {}

  void write(const std::vector<ClientTarget>& targets);

  static constexpr std::string_view name = "lockwood/Client";
  static constexpr std::string_view source_file = "Client.java";
  [[nodiscard]] const Bytes& bytes() const { return bytes_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  // The model of the class that unknown objects come from.
  [[nodiscard]] std::string models() const;

 private:
  // A field of the client: an object that all threads share.
  struct Shared {
    jvm::ClassId type;
    std::string field;
    std::string descriptor;
    bool is_argument = false;  // else the methods of the class are asked for
    std::uint16_t local = 0;   // of main, where it is made
  };

  void write_main(const std::vector<ClientTarget>& targets);
  void write_constructor();
  void write_run(const std::vector<ClientTarget>& targets);
  void write_call(CodeWriter& code, const ClientTarget& target, std::size_t object, jvm::MethodId method);
  [[nodiscard]] std::vector<std::size_t> receivers_of(const ClientTarget& target, std::size_t object) const;
  void make(CodeWriter& code, jvm::MethodId constructor, std::size_t depth);
  void push_arguments(CodeWriter& code, std::string_view descriptor, std::size_t depth);
  void push(CodeWriter& code, jvm::FieldType type, std::size_t depth);
  void push_reference(CodeWriter& code, jvm::FieldType type, std::size_t depth);
  void push_array(CodeWriter& code, jvm::FieldType type, std::size_t depth);
  void push_unknown(CodeWriter& code, std::string_view class_name);
  [[nodiscard]] std::vector<std::size_t> shared_of(jvm::ClassId type) const;
  void find_shared(const std::vector<ClientTarget>& targets);
  void find_shared(std::string_view descriptor);
  [[nodiscard]] std::vector<jvm::MethodId> constructors(jvm::ClassId type) const;
  [[nodiscard]] bool is_of_program(jvm::ClassId type) const;
  // A line of the text, and the code that follows belongs to it.
  void line(CodeWriter& code, const std::string& text);
  [[nodiscard]] std::string call_text(jvm::MethodId method) const;

  jvm::ClassHierarchy& hierarchy_;
  std::vector<jvm::ClassId> classes_;
  ClassWriter class_{std::string{name}, std::string{source_file}};
  std::vector<Shared> shared_;  // the objects of the targets first, then arguments
  std::vector<jvm::ClassId> considered_;
  bool in_main_ = false;
  std::map<std::string, std::size_t, std::less<>> unknown_;  // classes of unknown objects, with the number of a method
  Bytes bytes_;
  std::string text_;
  std::uint16_t lines_ = 0;
};

}  // namespace lockwood::java
