#include "jvm/archive/class_name.hpp"

#include <algorithm>

namespace lockwood::jvm {
namespace {

bool is_forbidden(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || c == '.' || c == ';' || c == '[' || c == '\\';
}

}  // namespace

bool is_class_name(std::string_view name) {
  constexpr std::size_t max_length = 65'535;  // of any name in a class file
  if (name.empty() || name.size() > max_length || name.front() == '/' || name.back() == '/') return false;
  // Without dots there are no segments `.` and `..`, and without two slashes in a row none that are empty.
  return std::ranges::none_of(name, is_forbidden) && name.find("//") == std::string_view::npos;
}

bool is_description(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('/') + 1);  // npos + 1 is 0: the whole name
  return last == "module-info" || last == "package-info";
}

std::string_view package_of(std::string_view internal_name) {
  const std::size_t slash = internal_name.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : internal_name.substr(0, slash);
}

}  // namespace lockwood::jvm
