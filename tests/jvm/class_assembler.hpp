#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jvm/archive/class_source.hpp"
#include "jvm/classfile/opcode.hpp"

namespace lockwood::jvm::test {

// Class files made by hand, for what compilers never emit.

class ByteWriter {
 public:
  void u1(std::size_t value) { bytes.push_back(static_cast<std::uint8_t>(value)); }
  void u2(std::size_t value) {
    u1(value >> 8U & 0xFFU);
    u1(value & 0xFFU);
  }
  void u4(std::size_t value) {
    u2(value >> 16U & 0xFFFFU);
    u2(value & 0xFFFFU);
  }
  void u8(std::uint64_t value) {
    u4(value >> 32U & 0xFFFFFFFFU);
    u4(value & 0xFFFFFFFFU);
  }
  void text(std::string_view text) {
    for (char c : text) u1(static_cast<unsigned char>(c));
  }
  void all(const std::vector<std::uint8_t>& others) { bytes.insert(bytes.end(), others.begin(), others.end()); }
  std::vector<std::uint8_t> bytes;
};

// The code of one method. Labels are numbers that are bound to a place once; branches to them may come before.
class CodeAssembler {
 public:
  using Label = std::size_t;

  CodeAssembler& op(Opcode opcode) {
    code_.u1(static_cast<std::size_t>(opcode));
    return *this;
  }
  CodeAssembler& op1(Opcode opcode, std::size_t operand) {
    op(opcode);
    code_.u1(operand);
    return *this;
  }
  CodeAssembler& op2(Opcode opcode, std::size_t operand) {
    op(opcode);
    code_.u2(operand);
    return *this;
  }
  CodeAssembler& raw(std::initializer_list<std::size_t> bytes) {
    for (std::size_t byte : bytes) code_.u1(byte);
    return *this;
  }
  [[nodiscard]] Label label() {
    labels_.emplace_back();
    return labels_.size() - 1;
  }
  CodeAssembler& bind(Label label) {
    labels_[label] = code_.bytes.size();
    return *this;
  }
  [[nodiscard]] Label here() {
    const Label made = label();
    bind(made);
    return made;
  }
  CodeAssembler& branch(Opcode opcode, Label target) {
    branches_.push_back({code_.bytes.size(), target});
    return op2(opcode, 0);
  }
  // An exception handler; type 0 is any.
  CodeAssembler& handler(Label begin, Label end, Label target, std::size_t type = 0) {
    handlers_.push_back({begin, end, target, type});
    return *this;
  }
  CodeAssembler& line(std::size_t number) {
    lines_.emplace_back(code_.bytes.size(), number);
    return *this;
  }
  [[nodiscard]] std::size_t size() const { return code_.bytes.size(); }

  // The attribute's content. `line_name` is the constant "LineNumberTable".
  [[nodiscard]] std::vector<std::uint8_t> attribute(std::size_t max_stack, std::size_t max_locals,
                                                    std::size_t line_name) const {
    ByteWriter writer;
    writer.u2(max_stack);
    writer.u2(max_locals);
    writer.u4(code_.bytes.size());
    auto code = code_.bytes;
    for (const auto& [from, target] : branches_) {
      const std::size_t relative = *labels_[target] - from;
      code[from + 1] = static_cast<std::uint8_t>(relative >> 8U);
      code[from + 2] = static_cast<std::uint8_t>(relative);
    }
    writer.all(code);
    writer.u2(handlers_.size());
    for (const Handler& handler : handlers_) {
      writer.u2(*labels_[handler.begin]);
      writer.u2(*labels_[handler.end]);
      writer.u2(*labels_[handler.target]);
      writer.u2(handler.type);
    }
    writer.u2(lines_.empty() ? 0 : 1);
    if (!lines_.empty()) {
      writer.u2(line_name);
      writer.u4(2 + 4 * lines_.size());
      writer.u2(lines_.size());
      for (const auto& [offset, number] : lines_) {
        writer.u2(offset);
        writer.u2(number);
      }
    }
    return std::move(writer.bytes);
  }

 private:
  struct Branch {
    std::size_t from;
    Label target;
  };
  struct Handler {
    Label begin;
    Label end;
    Label target;
    std::size_t type;
  };
  ByteWriter code_;
  std::vector<std::optional<std::size_t>> labels_;
  std::vector<Branch> branches_;
  std::vector<Handler> handlers_;
  std::vector<std::pair<std::size_t, std::size_t>> lines_;
};

// A class. Constants are added when they are named, and equal ones once.
class ClassAssembler {
 public:
  explicit ClassAssembler(std::string name, std::string super = "java/lang/Object", std::size_t access = 0x21,
                          std::size_t major = 49)
      : name_{std::move(name)}, super_{std::move(super)}, access_{access}, major_{major} {}

  std::size_t utf8(std::string_view text) {
    ByteWriter writer;
    writer.u1(1);
    writer.u2(text.size());
    writer.text(text);
    return constant(std::move(writer), 1);
  }
  std::size_t class_ref(std::string_view name) { return one(7, utf8(name)); }
  std::size_t string(std::string_view text) { return one(8, utf8(text)); }
  std::size_t integer(std::uint32_t value) {
    ByteWriter writer;
    writer.u1(3);
    writer.u4(value);
    return constant(std::move(writer), 1);
  }
  std::size_t long_integer(std::uint64_t value) { return eight(5, value); }
  std::size_t double_number(std::uint64_t bits) { return eight(6, bits); }
  std::size_t name_and_type(std::string_view name, std::string_view descriptor) {
    return two(12, utf8(name), utf8(descriptor));
  }
  std::size_t field_ref(std::string_view owner, std::string_view name, std::string_view descriptor) {
    return two(9, class_ref(owner), name_and_type(name, descriptor));
  }
  std::size_t method_ref(std::string_view owner, std::string_view name, std::string_view descriptor) {
    return two(10, class_ref(owner), name_and_type(name, descriptor));
  }
  std::size_t interface_method_ref(std::string_view owner, std::string_view name, std::string_view descriptor) {
    return two(11, class_ref(owner), name_and_type(name, descriptor));
  }
  // Any constant at all.
  std::size_t one(std::size_t tag, std::size_t part) {
    ByteWriter writer;
    writer.u1(tag);
    writer.u2(part);
    return constant(std::move(writer), 1);
  }
  std::size_t two(std::size_t tag, std::size_t first, std::size_t second) {
    ByteWriter writer;
    writer.u1(tag);
    writer.u2(first);
    writer.u2(second);
    return constant(std::move(writer), 1);
  }
  std::size_t handle(std::size_t kind, std::size_t member) {
    ByteWriter writer;
    writer.u1(15);
    writer.u1(kind);
    writer.u2(member);
    return constant(std::move(writer), 1);
  }

  void interface(std::string_view name) { interfaces_.push_back(class_ref(name)); }
  void field(std::size_t access, std::string_view name, std::string_view descriptor) {
    member(fields_, access, name, descriptor, {});
  }
  void method(std::size_t access, std::string_view name, std::string_view descriptor) {
    member(methods_, access, name, descriptor, {});
  }
  void method(std::size_t access, std::string_view name, std::string_view descriptor, const CodeAssembler& code,
              std::size_t max_stack = 16, std::size_t max_locals = 16) {
    const std::size_t line_name = utf8("LineNumberTable");
    member(methods_, access, name, descriptor, code.attribute(max_stack, max_locals, line_name));
  }
  // An attribute of the class.
  void attribute(std::string_view name, const std::vector<std::uint8_t>& content) {
    attributes_.u2(utf8(name));
    attributes_.u4(content.size());
    attributes_.all(content);
    ++attribute_count_;
  }

  [[nodiscard]] std::vector<std::uint8_t> bytes() {
    const std::size_t self = class_ref(name_);
    const std::size_t super = super_.empty() ? 0 : class_ref(super_);
    ByteWriter writer;
    writer.u4(0xCAFEBABE);
    writer.u2(0);
    writer.u2(major_);
    writer.u2(next_constant_);
    writer.all(constants_.bytes);
    writer.u2(access_);
    writer.u2(self);
    writer.u2(super);
    writer.u2(interfaces_.size());
    for (std::size_t interface : interfaces_) writer.u2(interface);
    writer.u2(field_count());
    writer.all(fields_.bytes);
    writer.u2(method_count_);
    writer.all(methods_.bytes);
    writer.u2(attribute_count_);
    writer.all(attributes_.bytes);
    return std::move(writer.bytes);
  }

 private:
  [[nodiscard]] std::size_t field_count() const { return member_count_ - method_count_; }
  std::size_t eight(std::size_t tag, std::uint64_t value) {
    ByteWriter writer;
    writer.u1(tag);
    writer.u8(value);
    return constant(std::move(writer), 2);
  }
  std::size_t constant(ByteWriter writer, std::size_t rows) {
    const auto [known, is_new] = known_.try_emplace(writer.bytes, next_constant_);
    if (is_new) {
      constants_.all(writer.bytes);
      next_constant_ += rows;
    }
    return known->second;
  }
  void member(ByteWriter& members, std::size_t access, std::string_view name, std::string_view descriptor,
              const std::vector<std::uint8_t>& code) {
    members.u2(access);
    members.u2(utf8(name));
    members.u2(utf8(descriptor));
    members.u2(code.empty() ? 0 : 1);
    if (!code.empty()) {
      members.u2(utf8("Code"));
      members.u4(code.size());
      members.all(code);
    }
    ++member_count_;
    if (&members == &methods_) ++method_count_;
  }

  std::string name_;
  std::string super_;
  std::size_t access_;
  std::size_t major_;
  std::map<std::vector<std::uint8_t>, std::size_t> known_;
  ByteWriter constants_;
  std::size_t next_constant_ = 1;
  std::vector<std::size_t> interfaces_;
  ByteWriter fields_;
  ByteWriter methods_;
  ByteWriter attributes_;
  std::size_t member_count_ = 0;
  std::size_t method_count_ = 0;
  std::size_t attribute_count_ = 0;
};

inline ClassBytes class_bytes(std::vector<std::uint8_t> content, std::string origin = "test") {
  auto owner = std::make_shared<std::vector<std::uint8_t>>(std::move(content));
  const std::span<const std::uint8_t> bytes{*owner};
  return {std::move(owner), bytes, std::move(origin)};
}

// Classes in memory.
class MapSource final : public ClassSource {
 public:
  void add(const std::string& name, std::vector<std::uint8_t> bytes) { classes_[name] = std::move(bytes); }
  [[nodiscard]] std::optional<ClassBytes> find(std::string_view internal_name) override {
    const auto found = classes_.find(internal_name);
    if (found == classes_.end()) return std::nullopt;
    return class_bytes(found->second, "map");
  }
  void for_each_class(const std::function<void(std::string_view)>& callback) override {
    for (const auto& [name, bytes] : classes_) callback(name);
  }

 private:
  std::map<std::string, std::vector<std::uint8_t>, std::less<>> classes_;
};

}  // namespace lockwood::jvm::test
