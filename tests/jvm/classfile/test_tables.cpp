#include <doctest/doctest.h>

#include <set>
#include <sstream>

#include "base/ids/random.hpp"
#include "jvm/classfile/attribute.hpp"
#include "jvm/classfile/constant_pool.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/classfile/instruction.hpp"
#include "jvm/classfile/modified_utf8.hpp"
#include "jvm/classfile/opcode.hpp"

using namespace lockwood::jvm;
using lockwood::Random;

namespace {

// The mnemonics by opcode, and the bytes of operands, as the specification lists them in its chapter 7. A star is a
// length that depends on the code.
constexpr const char* specified_opcodes =
    "nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1 fconst_0 "
    "fconst_1 "
    "fconst_2 dconst_0 dconst_1 bipush/1 sipush/2 ldc/1 ldc_w/2 ldc2_w/2 iload/1 lload/1 fload/1 dload/1 aload/1 "
    "iload_0 "
    "iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0 fload_1 fload_2 fload_3 dload_0 dload_1 dload_2 "
    "dload_3 aload_0 aload_1 aload_2 aload_3 iaload laload faload daload aaload baload caload saload istore/1 lstore/1 "
    "fstore/1 dstore/1 astore/1 istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 "
    "fstore_1 "
    "fstore_2 fstore_3 dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3 iastore lastore fastore "
    "dastore aastore bastore castore sastore pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap iadd ladd fadd dadd "
    "isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem ineg lneg fneg dneg ishl lshl "
    "ishr "
    "lshr iushr lushr iand land ior lor ixor lxor iinc/2 i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s "
    "lcmp fcmpl fcmpg dcmpl dcmpg ifeq/2 ifne/2 iflt/2 ifge/2 ifgt/2 ifle/2 if_icmpeq/2 if_icmpne/2 if_icmplt/2 "
    "if_icmpge/2 if_icmpgt/2 if_icmple/2 if_acmpeq/2 if_acmpne/2 goto/2 jsr/2 ret/1 tableswitch/* lookupswitch/* "
    "ireturn "
    "lreturn freturn dreturn areturn return getstatic/2 putstatic/2 getfield/2 putfield/2 invokevirtual/2 "
    "invokespecial/2 invokestatic/2 invokeinterface/4 invokedynamic/4 new/2 newarray/1 anewarray/2 arraylength athrow "
    "checkcast/2 instanceof/2 monitorenter monitorexit wide/* multianewarray/3 ifnull/2 ifnonnull/2 goto_w/4 jsr_w/4";

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream{text};
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

// A sequence of units, each by itself.
std::string encoded(const std::u16string& units) {
  std::string bytes;
  for (char16_t unit : units) {
    if (unit != 0 && unit < 0x80) {
      bytes += static_cast<char>(unit);
    } else if (unit < 0x800) {
      bytes += static_cast<char>(0xC0 | unit >> 6);
      bytes += static_cast<char>(0x80 | (unit & 0x3F));
    } else {
      bytes += static_cast<char>(0xE0 | unit >> 12);
      bytes += static_cast<char>(0x80 | (unit >> 6 & 0x3F));
      bytes += static_cast<char>(0x80 | (unit & 0x3F));
    }
  }
  return bytes;
}

// The grammar of descriptors, by trying all ways to cut a text.
bool derives_field(const std::string& text) {
  if (text.size() == 1) return std::string_view{"BCDFIJSZ"}.find(text[0]) != std::string_view::npos;
  if (text.starts_with('[')) return derives_field(text.substr(1));
  return text.size() > 2 && text.front() == 'L' && text.find(';') == text.size() - 1 &&
         text.find_first_of(".[") == std::string::npos;
}

bool derives_fields(const std::string& text) {
  if (text.empty()) return true;
  for (std::size_t cut = 1; cut <= text.size(); ++cut)
    if (derives_field(text.substr(0, cut)) && derives_fields(text.substr(cut))) return true;
  return false;
}

bool derives_method(const std::string& text) {
  for (std::size_t cut = 1; cut < text.size(); ++cut) {
    const std::string result = text.substr(cut + 1);
    if (text[0] == '(' && text[cut] == ')' && derives_fields(text.substr(1, cut - 1)) &&
        (result == "V" || derives_field(result)))
      return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the table of opcodes has every mnemonic and length of the specification") {
  const auto specified = words(specified_opcodes);
  REQUIRE(specified.size() == opcode_count);
  for (std::size_t code = 0; code < 256; ++code) {
    CAPTURE(code);
    const auto opcode = opcode_of(static_cast<std::uint8_t>(code));
    REQUIRE(opcode.has_value() == (code < specified.size()));
    if (!opcode) continue;
    const std::string& entry = specified[code];
    const std::size_t slash = entry.find('/');
    CHECK(mnemonic(*opcode) == entry.substr(0, slash));
    if (entry.ends_with('*')) continue;
    const std::size_t operands = slash == std::string::npos ? 0 : static_cast<std::size_t>(entry[slash + 1] - '0');
    // The operand bytes are zero but for what must not be: an array type, dimensions.
    std::vector<std::uint8_t> bytes(8, 0);
    bytes[0] = static_cast<std::uint8_t>(code);
    if (*opcode == Opcode::Newarray) bytes[1] = 10;
    if (*opcode == Opcode::Multianewarray) bytes[3] = 1;
    CHECK(decode_instruction(bytes, 0).length == 1 + operands);
    // One byte less is an error, and never a read past the end.
    bytes.resize(1 + operands);
    if (operands == 0) continue;
    bytes.pop_back();
    CHECK_THROWS_AS(static_cast<void>(decode_instruction(bytes, 0)), MalformedBytes);
  }
}

TEST_CASE("effects of opcodes agree with the letters of their mnemonics") {
  for (std::size_t code = 0; code < opcode_count; ++code) {
    const OpcodeLayout& layout = opcode_layouts[code];
    const std::string name{layout.mnemonic};
    CAPTURE(name);
    REQUIRE(std::count(layout.effect.begin(), layout.effect.end(), '>') == 1);
    REQUIRE(layout.effect.find_first_not_of("ilfda?>") == std::string_view::npos);
    const std::string effect{layout.effect};
    const std::string first{name[0]};
    const std::string rest = name.substr(1);
    const bool is_typed = std::string_view{"ilfda"}.find(name[0]) != std::string_view::npos;
    if (is_typed && (rest == "load" || rest.starts_with("load_"))) CHECK(effect == ">" + first);
    if (is_typed && (rest == "store" || rest.starts_with("store_"))) CHECK(effect == first + ">");
    for (const char* operation : {"add", "sub", "mul", "div", "rem", "and", "or", "xor"})
      if (is_typed && rest == operation) CHECK(effect == first + first + ">" + first);
    for (const char* operation : {"shl", "shr", "ushr"})
      if (is_typed && rest == operation) CHECK(effect == first + "i>" + first);
    if (is_typed && rest.size() == 2 && rest[0] == '2' &&
        std::string_view{"ilfd"}.find(rest[1]) != std::string_view::npos)
      CHECK(effect == first + ">" + rest[1]);
    if (is_typed && rest == "return") {
      CHECK(effect == first + ">");
      CHECK(layout.flow == Flow::Return);
    }
    // Integer division throws, that of floating-point numbers does not.
    if (rest == "div" || rest == "rem") CHECK(layout.throws_exception == (name[0] == 'i' || name[0] == 'l'));
    if (name.starts_with("if")) CHECK(layout.flow == Flow::Branch);
  }
}

TEST_CASE("tables of constants, attributes and types name each thing once, in their order") {
  std::set<std::uint8_t> tags;
  for (const ConstantLayout& layout : constant_layouts)
    CHECK(tags.insert(static_cast<std::uint8_t>(layout.tag)).second);
  CHECK(tags == std::set<std::uint8_t>{1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20});
  for (unsigned tag = 0; tag < 256; ++tag) {
    const ConstantLayout* layout = constant_layout(static_cast<std::uint8_t>(tag));
    CHECK((layout != nullptr) == tags.contains(static_cast<std::uint8_t>(tag)));
  }
  for (std::size_t i = 0; i < attribute_layouts.size(); ++i) {
    CHECK(static_cast<std::size_t>(attribute_layouts[i].kind) == i);
    for (unsigned owner : {1U, 2U, 4U, 8U, 16U}) {
      const auto kind = attribute_kind(attribute_layouts[i].name, static_cast<AttributeOwner>(owner));
      CHECK(kind.has_value() == ((attribute_layouts[i].owners & owner) != 0));
    }
  }
  CHECK_FALSE(attribute_kind("StackMapTable", AttributeOwner::Code));
  for (unsigned code = 0; code < 256; ++code) {
    const PrimitiveType* type = primitive_by_array_code(static_cast<std::uint8_t>(code));
    CHECK((type != nullptr) == (code >= 4 && code <= 11));
    if (type != nullptr) CHECK(primitive_by_letter(type->letter) == type);
  }
}

TEST_CASE("modified UTF-8 is what each unit by itself says") {
  Random random{1};
  for (int round = 0; round < 3000; ++round) {
    std::u16string units;
    for (std::size_t i = random.below(12); i > 0; --i) {
      const std::size_t shift = random.below(16);
      units += static_cast<char16_t>(random.below(0x10000) >> shift);
    }
    const std::string bytes = encoded(units);
    CHECK_FALSE(malformed_modified_utf8(bytes));
    CHECK(utf16_of(bytes) == units);
  }
  CHECK(utf8_of("plain") == "plain");
  CHECK(utf8_of(encoded(u"\u00e4\u20ac")) == "\xC3\xA4\xE2\x82\xAC");
  CHECK(utf8_of(encoded(u"\U0001F600")) == "\xF0\x9F\x98\x80");
  CHECK(utf8_of(encoded(std::u16string{char16_t{0xD800}, u'x'})) == "\xEF\xBF\xBDx");
}

TEST_CASE("malformed modified UTF-8 is found where a slow reader finds it") {
  Random random{2};
  for (int round = 0; round < 5000; ++round) {
    std::string bytes;
    for (std::size_t i = random.below(20); i > 0; --i) {
      constexpr std::string_view interesting{"\0aA\x7F\x80\xBF\xC0\xC3\xDF\xE0\xE2\xEF\xF0\xFF", 14};
      bytes += random.percent(60) ? 'x' : interesting[random.below(interesting.size())];
    }
    std::optional<std::size_t> expected;
    std::size_t at = 0;
    while (at < bytes.size()) {
      const auto top = static_cast<unsigned char>(bytes[at]);
      const std::size_t length = top != 0 && top < 0x80      ? 1
                                 : top >= 0xC0 && top < 0xE0 ? 2
                                 : top >= 0xE0 && top < 0xF0 ? 3
                                                             : 0;
      bool good = length > 0 && at + length <= bytes.size();
      for (std::size_t i = 1; good && i < length; ++i)
        good = static_cast<unsigned char>(bytes[at + i]) >= 0x80 && static_cast<unsigned char>(bytes[at + i]) < 0xC0;
      if (!good) {
        expected = at;
        break;
      }
      at += length;
    }
    CAPTURE(round);
    CHECK(malformed_modified_utf8(bytes) == expected);
  }
}

TEST_CASE("descriptors are those that the grammar derives") {
  Random random{3};
  std::size_t fields = 0;
  std::size_t methods = 0;
  for (int round = 0; round < 20000; ++round) {
    static constexpr std::string_view letters = "IJVZ[L;()a./D";
    std::string text = random.percent(60) ? "(" : "";
    for (std::size_t i = random.below(9); i > 0; --i) text += letters[random.below(letters.size())];
    if (random.percent(60)) text += ")V";
    CAPTURE(text);
    const bool is_field = derives_field(text);
    const bool is_method = derives_method(text);
    CHECK(parse_field_descriptor(text).has_value() == is_field);
    CHECK(parse_method_descriptor(text).has_value() == is_method);
    CHECK(is_method_descriptor(text) == is_method);
    fields += is_field ? 1U : 0U;
    methods += is_method ? 1U : 0U;
  }
  CHECK(fields > 100);
  CHECK(methods > 100);
}

TEST_CASE("descriptors have limits, and names for people") {
  CHECK(parse_field_descriptor(std::string(255, '[') + 'I'));
  CHECK_FALSE(parse_field_descriptor(std::string(256, '[') + 'I'));
  CHECK(parse_method_descriptor('(' + std::string(255, 'I') + ")V"));
  CHECK_FALSE(parse_method_descriptor('(' + std::string(256, 'I') + ")V"));
  CHECK_FALSE(parse_method_descriptor('(' + std::string(128, 'J') + ")V"));
  const auto type = parse_method_descriptor("(I[[JLjava/lang/String;)[Z");
  REQUIRE(type);
  CHECK(type->parameters.size() == 3);
  CHECK(type->parameter_slots() == 3);
  CHECK(java_name(type->parameters[1]) == "long[][]");
  CHECK(type->parameters[1].class_name() == "[[J");
  CHECK(type->parameters[2].class_name() == "java/lang/String");
  CHECK(java_parameters("(I[[JLjava/lang/String;)[Z") == "(int, long[][], java.lang.String)");
  CHECK(java_class_name("[Ljava/lang/Object;") == "java.lang.Object[]");
}
