#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "jvm/classfile/opcode.hpp"

namespace lockwood::java {

using Bytes = std::vector<std::uint8_t>;

// The constants of a class file that is being written, each once [lindholm.21.jvm, Sect. 4.4].
class ConstantWriter {
 public:
  std::uint16_t utf8(std::string_view text);
  std::uint16_t class_name(std::string_view internal_name);
  enum class MemberKind : std::uint8_t { Field = 9, Method = 10, InterfaceMethod = 11 };
  std::uint16_t member(MemberKind kind, std::string_view owner, std::string_view name, std::string_view descriptor);
  // The table with its count. Throws std::length_error if there are more constants than a class file can have.
  [[nodiscard]] Bytes table() const;

 private:
  std::uint16_t add(Bytes constant);
  std::map<Bytes, std::uint16_t> numbers_;
  Bytes bytes_;
};

// The code of a method that is being written, in the form that needs no stack maps (version 49).
class CodeWriter {
 public:
  explicit CodeWriter(ConstantWriter& constants) : constants_{constants} {}

  void line(std::uint16_t number);
  void op(jvm::Opcode opcode);
  void op(jvm::Opcode opcode, std::uint16_t constant);
  void load(std::uint16_t local);
  void store(std::uint16_t local);
  void new_array(std::uint8_t code);  // of primitives
  void new_object(std::string_view class_name);
  void get_field(std::string_view owner, std::string_view name, std::string_view descriptor);
  void put_field(std::string_view owner, std::string_view name, std::string_view descriptor);
  // Any of the opcodes of calls but for invokedynamic.
  void invoke(jvm::Opcode opcode, std::string_view owner, std::string_view name, std::string_view descriptor,
              bool of_interface = false);

  [[nodiscard]] std::size_t here() const { return code_.size(); }
  // A jump back to code that was written before.
  void jump_to(std::size_t target);
  // A jump to code that will be written: `bind` says where it is.
  [[nodiscard]] std::size_t jump();
  void bind(std::size_t jump);
  // Code that nobody knows the choice in: one of the ways is taken, and all go on behind.
  void choose(const std::vector<std::function<void()>>& ways);
  // Any exception between these offsets goes to the handler.
  void handler(std::size_t begin, std::size_t end, std::size_t at);

  // The Code attribute. Throws std::length_error if the code is longer than a method may be.
  [[nodiscard]] Bytes attribute(std::uint16_t locals) const;

 private:
  void put_offset(std::size_t at, std::size_t from, std::size_t target);

  ConstantWriter& constants_;
  Bytes code_;
  struct Handler {
    std::size_t begin, end, at;
  };
  std::vector<Handler> handlers_;
  std::vector<std::pair<std::size_t, std::uint16_t>> lines_;
  std::map<std::size_t, std::size_t> jumps_;  // where the offset of a jump is, and where it is relative to
};

// A class of version 49 that extends Object.
class ClassWriter {
 public:
  ClassWriter(std::string name, std::string source_file) : name_{std::move(name)}, source_{std::move(source_file)} {}

  [[nodiscard]] ConstantWriter& constants() { return constants_; }
  void implement(std::string_view interface) { interfaces_.push_back(constants_.class_name(interface)); }
  void add_field(std::uint16_t access, std::string_view name, std::string_view descriptor);
  void add_method(std::uint16_t access, std::string_view name, std::string_view descriptor, const CodeWriter& code,
                  std::uint16_t locals);
  [[nodiscard]] Bytes bytes();

 private:
  std::string name_;
  std::string source_;
  ConstantWriter constants_;
  std::vector<std::uint16_t> interfaces_;
  Bytes fields_;
  std::uint16_t field_count_ = 0;
  Bytes methods_;
  std::uint16_t method_count_ = 0;
};

}  // namespace lockwood::java
