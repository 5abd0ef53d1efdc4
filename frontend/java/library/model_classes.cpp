#include "frontend/java/library/model_classes.hpp"

#include <map>
#include <memory>
#include <string>

#include "jvm/classfile/access.hpp"

namespace lockwood::java::library {
namespace {

constexpr std::uint16_t major_version = 52;  // release 8: interfaces may have static methods and bodies

// Access flags [lindholm.21.jvm, Tables 4.1-B and 4.6-A].
constexpr std::uint16_t public_access = 0x0001;
constexpr std::uint16_t static_access = 0x0008;
constexpr std::uint16_t final_access = 0x0010;
constexpr std::uint16_t super_access = 0x0020;
constexpr std::uint16_t synchronized_access = 0x0020;
constexpr std::uint16_t native_access = 0x0100;
constexpr std::uint16_t interface_access = 0x0200;
constexpr std::uint16_t abstract_access = 0x0400;

class ClassWriter {
 public:
  std::vector<std::uint8_t> write(const ClassModel& model) {
    std::vector<std::uint8_t> members;
    put(members, static_cast<std::uint16_t>(model.is_interface ? public_access | interface_access | abstract_access
                                                               : public_access | super_access));
    put(members, class_index(model.name));
    put(members, model.superclass ? class_index(*model.superclass) : std::uint16_t{0});
    put(members, static_cast<std::uint16_t>(model.interfaces.size()));
    for (const std::string& interface : model.interfaces) put(members, class_index(interface));
    put(members, static_cast<std::uint16_t>(model.constants.size()));
    for (const ConstantField& constant : model.constants)
      member(members, public_access | static_access | final_access, constant.name, constant.type.descriptor);
    std::vector<std::uint8_t> methods;
    std::uint16_t count = 0;
    for (const MethodModel& method : model.methods) {
      if (method.is_wildcard || method.is_helper()) continue;
      ++count;
      member(methods, method_access(model, method), method.name,
             method.parameter_descriptor() + (method.result ? method.result->descriptor : "V"));
    }
    put(members, count);
    members.insert(members.end(), methods.begin(), methods.end());
    put(members, std::uint16_t{0});  // attributes
    return with_constants(members);
  }

 private:
  // A method without Code is abstract or native [lindholm.21.jvm, Sect. 4.7.3].
  [[nodiscard]] static std::uint16_t method_access(const ClassModel& model, const MethodModel& method) {
    std::uint32_t access = public_access;
    if (method.is_static) access |= static_access;
    if (method.is_synchronized && !model.is_interface) access |= synchronized_access;
    access |= method.is_abstract ? abstract_access : native_access;
    return static_cast<std::uint16_t>(access);
  }

  static void put(std::vector<std::uint8_t>& out, std::uint16_t number) {
    out.push_back(static_cast<std::uint8_t>(number >> 8U));
    out.push_back(static_cast<std::uint8_t>(number & 0xFFU));
  }
  void member(std::vector<std::uint8_t>& out, std::uint16_t access, const std::string& name,
              const std::string& descriptor) {
    put(out, access);
    put(out, utf8_index(name));
    put(out, utf8_index(descriptor));
    put(out, std::uint16_t{0});  // attributes
  }

  std::uint16_t utf8_index(const std::string& text) {
    const auto [row, is_new] = utf8_.emplace(text, count_);
    if (!is_new) return row->second;
    pool_.push_back(1);
    put(pool_, static_cast<std::uint16_t>(text.size()));
    pool_.insert(pool_.end(), text.begin(), text.end());
    return count_++;
  }
  std::uint16_t class_index(const std::string& name) {
    const std::uint16_t text = utf8_index(name);
    const auto [row, is_new] = classes_.emplace(name, count_);
    if (!is_new) return row->second;
    pool_.push_back(7);
    put(pool_, text);
    return count_++;
  }

  [[nodiscard]] std::vector<std::uint8_t> with_constants(const std::vector<std::uint8_t>& rest) const {
    std::vector<std::uint8_t> bytes{0xCA, 0xFE, 0xBA, 0xBE};
    put(bytes, std::uint16_t{0});
    put(bytes, major_version);
    put(bytes, count_);
    bytes.insert(bytes.end(), pool_.begin(), pool_.end());
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    return bytes;
  }

  std::vector<std::uint8_t> pool_;
  std::uint16_t count_ = 1;  // constants are numbered from 1
  std::map<std::string, std::uint16_t> utf8_;
  std::map<std::string, std::uint16_t> classes_;
};

}  // namespace

std::vector<std::uint8_t> class_bytes(const ClassModel& model) { return ClassWriter{}.write(model); }

std::optional<jvm::ClassBytes> ModelClassSource::find(std::string_view internal_name) {
  const auto id = library_.find(internal_name);
  if (!id) return std::nullopt;
  auto bytes = std::make_shared<std::vector<std::uint8_t>>(class_bytes(library_[*id]));
  jvm::ClassBytes result{.owner = bytes, .bytes = *bytes, .origin = "models"};
  return result;
}

void ModelClassSource::for_each_class(const std::function<void(std::string_view internal_name)>& callback) {
  for (ModelClass id : library_.classes()) callback(library_.name(id));
}

}  // namespace lockwood::java::library
