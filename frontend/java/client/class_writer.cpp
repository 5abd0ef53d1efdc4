#include "frontend/java/client/class_writer.hpp"

#include <cassert>
#include <stdexcept>

#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

using jvm::Opcode;

void put1(Bytes& bytes, std::size_t value) { bytes.push_back(static_cast<std::uint8_t>(value & 0xFFU)); }
void put2(Bytes& bytes, std::size_t value) {
  put1(bytes, value >> 8U);
  put1(bytes, value);
}
void put4(Bytes& bytes, std::size_t value) {
  put2(bytes, value >> 16U);
  put2(bytes, value);
}
void append(Bytes& bytes, const Bytes& more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

constexpr std::size_t max_code = 65'535;
constexpr std::size_t max_constants = 65'534;

}  // namespace

// ---- constants

std::uint16_t ConstantWriter::add(Bytes constant) {
  const auto [known, is_new] = numbers_.emplace(std::move(constant), static_cast<std::uint16_t>(numbers_.size() + 1));
  if (numbers_.size() > max_constants) throw std::length_error{"too many constants"};
  if (is_new) append(bytes_, known->first);
  return known->second;
}
std::uint16_t ConstantWriter::utf8(std::string_view text) {
  Bytes constant{1};
  put2(constant, text.size());
  constant.insert(constant.end(), text.begin(), text.end());
  return add(std::move(constant));
}
std::uint16_t ConstantWriter::class_name(std::string_view internal_name) {
  Bytes constant{7};
  put2(constant, utf8(internal_name));
  return add(std::move(constant));
}
std::uint16_t ConstantWriter::member(MemberKind kind, std::string_view owner, std::string_view name,
                                     std::string_view descriptor) {
  Bytes name_and_type{12};
  put2(name_and_type, utf8(name));
  put2(name_and_type, utf8(descriptor));
  Bytes constant{static_cast<std::uint8_t>(kind)};
  put2(constant, class_name(owner));
  put2(constant, add(std::move(name_and_type)));
  return add(std::move(constant));
}
Bytes ConstantWriter::table() const {
  Bytes table;
  put2(table, numbers_.size() + 1);
  append(table, bytes_);
  return table;
}

// ---- code

void CodeWriter::line(std::uint16_t number) { lines_.emplace_back(here(), number); }
void CodeWriter::op(Opcode opcode) { put1(code_, static_cast<std::uint8_t>(opcode)); }
void CodeWriter::op(Opcode opcode, std::uint16_t constant) {
  op(opcode);
  put2(code_, constant);
}
void CodeWriter::load(std::uint16_t local) {
  op(Opcode::Wide);
  op(Opcode::Aload, local);
}
void CodeWriter::store(std::uint16_t local) {
  op(Opcode::Wide);
  op(Opcode::Astore, local);
}
void CodeWriter::new_object(std::string_view class_name) { op(Opcode::New, constants_.class_name(class_name)); }
void CodeWriter::new_array(std::uint8_t code) {
  op(Opcode::Newarray);
  put1(code_, code);
}
void CodeWriter::get_field(std::string_view owner, std::string_view name, std::string_view descriptor) {
  op(Opcode::Getfield, constants_.member(ConstantWriter::MemberKind::Field, owner, name, descriptor));
}
void CodeWriter::put_field(std::string_view owner, std::string_view name, std::string_view descriptor) {
  op(Opcode::Putfield, constants_.member(ConstantWriter::MemberKind::Field, owner, name, descriptor));
}
void CodeWriter::invoke(Opcode opcode, std::string_view owner, std::string_view name, std::string_view descriptor,
                        bool of_interface) {
  const auto kind = of_interface ? ConstantWriter::MemberKind::InterfaceMethod : ConstantWriter::MemberKind::Method;
  op(opcode, constants_.member(kind, owner, name, descriptor));
  if (opcode != Opcode::Invokeinterface) return;
  put1(code_, jvm::parse_method_descriptor(descriptor)->parameter_slots() + 1);
  put1(code_, 0);
}

void CodeWriter::put_offset(std::size_t at, std::size_t from, std::size_t target) {
  const auto offset = static_cast<std::uint32_t>(static_cast<std::int64_t>(target) - static_cast<std::int64_t>(from));
  for (std::size_t i = 0; i < 4; ++i) code_[at + i] = static_cast<std::uint8_t>(offset >> (24U - 8U * i));
}
void CodeWriter::jump_to(std::size_t target) {
  const std::size_t from = here();
  op(Opcode::GotoW);
  put4(code_, 0);
  put_offset(from + 1, from, target);
}
std::size_t CodeWriter::jump() {
  const std::size_t from = here();
  op(Opcode::GotoW);
  jumps_.emplace(here(), from);
  put4(code_, 0);
  return from + 1;
}
void CodeWriter::bind(std::size_t jump) {
  assert(jumps_.contains(jump));
  put_offset(jump, jumps_.at(jump), here());
}

void CodeWriter::choose(const std::vector<std::function<void()>>& ways) {
  assert(!ways.empty());
  if (ways.size() == 1) return ways.front()();
  invoke(Opcode::Invokestatic, "java/lang/System", "nanoTime", "()J");
  op(Opcode::L2i);
  const std::size_t from = here();
  op(Opcode::Tableswitch);
  while (here() % 4 != 0) put1(code_, 0);
  const std::size_t offsets = here();
  put4(code_, 0);                // the default is the first way
  put4(code_, 1);                // low
  put4(code_, ways.size() - 1);  // high
  for (std::size_t i = 1; i < ways.size(); ++i) put4(code_, 0);
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    put_offset(i == 0 ? offsets : offsets + 8 + 4 * i, from, here());
    ways[i]();
    ends.push_back(jump());
  }
  for (std::size_t end : ends) bind(end);
}

void CodeWriter::handler(std::size_t begin, std::size_t end, std::size_t at) { handlers_.push_back({begin, end, at}); }

Bytes CodeWriter::attribute(std::uint16_t locals) const {
  if (code_.size() > max_code) throw std::length_error{"too much code"};
  constexpr std::size_t max_stack = 2'000;  // nobody runs it
  Bytes content;
  put2(content, max_stack);
  put2(content, locals);
  put4(content, code_.size());
  append(content, code_);
  put2(content, handlers_.size());
  for (const Handler& handler : handlers_) {
    put2(content, handler.begin);
    put2(content, handler.end);
    put2(content, handler.at);
    put2(content, 0);
  }
  put2(content, 1);
  put2(content, constants_.utf8("LineNumberTable"));
  put4(content, 2 + 4 * lines_.size());
  put2(content, lines_.size());
  for (const auto& [at, line] : lines_) {
    put2(content, at);
    put2(content, line);
  }
  Bytes attribute;
  put2(attribute, constants_.utf8("Code"));
  put4(attribute, content.size());
  append(attribute, content);
  return attribute;
}

// ---- classes

void ClassWriter::add_field(std::uint16_t access, std::string_view name, std::string_view descriptor) {
  put2(fields_, access);
  put2(fields_, constants_.utf8(name));
  put2(fields_, constants_.utf8(descriptor));
  put2(fields_, 0);
  ++field_count_;
}
void ClassWriter::add_method(std::uint16_t access, std::string_view name, std::string_view descriptor,
                             const CodeWriter& code, std::uint16_t locals) {
  put2(methods_, access);
  put2(methods_, constants_.utf8(name));
  put2(methods_, constants_.utf8(descriptor));
  put2(methods_, 1);
  append(methods_, code.attribute(locals));
  ++method_count_;
}
Bytes ClassWriter::bytes() {
  constexpr std::size_t magic = 0xCAFEBABE;
  constexpr std::size_t version = 49;
  constexpr std::size_t is_public_and_super = 0x0021;
  Bytes rest;
  put2(rest, is_public_and_super);
  put2(rest, constants_.class_name(name_));
  put2(rest, constants_.class_name("java/lang/Object"));
  put2(rest, interfaces_.size());
  for (std::uint16_t interface : interfaces_) put2(rest, interface);
  put2(rest, field_count_);
  append(rest, fields_);
  put2(rest, method_count_);
  append(rest, methods_);
  put2(rest, 1);
  put2(rest, constants_.utf8("SourceFile"));
  put4(rest, 2);
  put2(rest, constants_.utf8(source_));
  Bytes bytes;
  put4(bytes, magic);
  put2(bytes, 0);
  put2(bytes, version);
  append(bytes, constants_.table());
  append(bytes, rest);
  return bytes;
}

}  // namespace lockwood::java
