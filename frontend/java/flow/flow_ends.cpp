#include "frontend/java/flow/flow_ends.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "base/text/diagnostic.hpp"
#include "jvm/classfile/annotation.hpp"
#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Nested classes are separated by $ in class files and by dots in sources.
std::string dotted(std::string_view name) {
  std::string text = jvm::java_class_name(std::string{name});
  std::ranges::replace(text, '$', '.');
  return text;
}

std::optional<ValueRole> role_of(std::string_view annotation_type) {
  const auto is = [&](std::string_view name) {
    return annotation_type.ends_with(std::string{"/"} + std::string{name} + ";") ||
           annotation_type.ends_with(std::string{"$"} + std::string{name} + ";") ||
           annotation_type == "L" + std::string{name} + ";";
  };
  if (is("Source")) return ValueRole::Source;
  if (is("Sink")) return ValueRole::Sink;
  return std::nullopt;
}

// Of @Source("secret"), @Source(level = "secret") or @Source(Level.SECRET).
std::string level_of(const jvm::ClassFile& file, const jvm::Annotation& annotation) {
  for (const auto& [name, element] : annotation.elements) {
    if (name != "value" && name != "level") continue;
    if (const auto* constant = std::get_if<jvm::EnumConstant>(&element.value)) return std::string{constant->name};
    if (const auto* text = std::get_if<jvm::ConstantIndex>(&element.value))
      if (file.constants.tag(*text) == jvm::ConstantTag::Utf8) return std::string{file.constants.utf8(*text)};
  }
  return {};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

struct NotedEnd {
  ValueRole role;
  std::string key;
};
// What `// lockwood: source key` in a line says.
std::optional<NotedEnd> noted_end(std::string_view line) {
  constexpr std::string_view begin = "// lockwood:";
  const std::size_t at = line.find(begin);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = trimmed(line.substr(at + begin.size()));
  const std::string_view word = rest.substr(0, rest.find(' '));
  const std::string key{trimmed(rest.substr(word.size()))};
  if (word == "source") return NotedEnd{ValueRole::Source, key.empty() ? "source" : key};
  if (word == "sink") return NotedEnd{ValueRole::Sink, key.empty() ? "sink" : key};
  return std::nullopt;
}

}  // namespace

void Levels::add(const std::string& lower, const std::string& higher) {
  if (lower == higher || lower_.contains({higher, lower}))
    throw std::invalid_argument{fmt::format("the levels '{}' and '{}' are lower than each other", lower, higher)};
  auto all = lower_;
  all.emplace(lower, higher);
  for (const auto& [a, b] : lower_) {
    if (b == lower) all.emplace(a, higher);
    if (a == higher) all.emplace(lower, b);
    for (const auto& [c, d] : lower_)
      if (b == lower && c == higher) all.emplace(a, d);
  }
  lower_ = std::move(all);
}

bool Levels::allows(const std::string& from, const std::string& to) const {
  if (from.empty() || to.empty()) return false;
  return from == to || lower_.contains({from, to});
}

bool Levels::knows(const std::string& level) const {
  return std::ranges::any_of(lower_, [&](const auto& pair) { return pair.first == level || pair.second == level; });
}

FlowEnds::FlowEnds(const Universe& universe, std::vector<WantedEnd> wanted, bool noted,
                   std::vector<std::string> source_path)
    : universe_{universe}, ends_{std::move(wanted)}, noted_{noted}, sources_{universe, std::move(source_path), {}} {
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const std::string& text = ends_[i].text;
    Pattern pattern{.row = i, .owner = {}, .member = {}, .argument = {}};
    std::string_view rest = text;
    if (const std::size_t colon = rest.rfind(':'); colon != std::string_view::npos) {
      const auto line = number(rest.substr(colon + 1));
      if (!line) throw InputError{text, "behind the colon there must be the number of a line"};
      pattern.is_line = true;
      pattern.line = *line;
      pattern.owner = rest.substr(0, colon);
      patterns_.push_back(std::move(pattern));
      continue;
    }
    if (rest.ends_with('=')) {
      pattern.is_field_write = true;
      rest.remove_suffix(1);
    }
    if (const std::size_t open = rest.find('('); open != std::string_view::npos) {
      const std::string_view inside = rest.substr(open + 1, rest.size() - open - 2);
      pattern.has_arguments = true;
      pattern.is_result = inside.empty();
      if (!inside.empty() && inside != "*") {
        pattern.argument = number(inside);
        if (!rest.ends_with(')') || !pattern.argument)
          throw InputError{text, "in the parentheses there must be the number of an argument, *, or nothing"};
      }
      rest = rest.substr(0, open);
    }
    const std::size_t dot = rest.rfind('.');
    if (dot == std::string_view::npos) {
      if (pattern.has_arguments || pattern.is_field_write)
        throw InputError{text, "a method or field is named with its class: pkg.Class.member"};
      keys_.emplace(std::pair{ends_[i].role, text}, i);
      continue;
    }
    pattern.owner = rest.substr(0, dot);
    pattern.member = rest.substr(dot + 1);
    std::ranges::replace(pattern.owner, '$', '.');
    patterns_.push_back(std::move(pattern));
  }
}

std::size_t FlowEnds::row(ValueRole role, const std::string& text, const std::string& level) const {
  for (std::size_t i = 0; i < ends_.size(); ++i)
    if (ends_[i].role == role && ends_[i].text == text && ends_[i].level == level) return i;
  ends_.push_back({role, text, level});
  return ends_.size() - 1;
}

// The class, or one of those that it inherits from.
bool FlowEnds::fits(const Pattern& pattern, jvm::ClassId owner, std::string_view name) const {
  if (pattern.is_line || pattern.member != name) return false;
  const jvm::ClassHierarchy& hierarchy = universe_.hierarchy();
  for (std::optional<jvm::ClassId> type = owner; type; type = hierarchy.superclass(*type))
    if (dotted(hierarchy.name(*type)) == pattern.owner) return true;
  return std::ranges::any_of(hierarchy.superinterfaces(owner),
                             [&](jvm::ClassId type) { return dotted(hierarchy.name(type)) == pattern.owner; });
}

std::vector<MethodEnd> FlowEnds::of_method(jvm::ClassId owner, std::string_view name,
                                           std::string_view descriptor) const {
  std::vector<MethodEnd> found;
  for (const Pattern& pattern : patterns_) {
    if (pattern.is_field_write || !fits(pattern, owner, name)) continue;
    const ValueRole role = ends_[pattern.row].role;
    const bool result = pattern.is_result || (!pattern.has_arguments && role == ValueRole::Source);
    found.push_back({pattern.row, role, result, pattern.argument});
  }
  if (noted_) add_annotated(found, owner, name, descriptor);
  return found;
}

// An annotation of a method is about its result if it is a source, else about its arguments.
void FlowEnds::add_annotated(std::vector<MethodEnd>& ends, jvm::ClassId owner, std::string_view name,
                             std::string_view descriptor) const {
  const jvm::ClassFile* const file = universe_.hierarchy().file(owner);
  const jvm::Member* const member = file == nullptr ? nullptr : jvm::find_method(*file, name, descriptor);
  if (member == nullptr) return;
  const std::string text = fmt::format("{}.{}", dotted(file->name), name);
  for (const jvm::Annotation& annotation : jvm::annotations(*file, member->attributes))
    if (const auto role = role_of(annotation.type))
      ends.push_back({row(*role, text, level_of(*file, annotation)), *role, *role == ValueRole::Source, {}});
  const auto parameters = jvm::parameter_annotations(*file, *member);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    for (const jvm::Annotation& annotation : parameters[i])
      if (const auto role = role_of(annotation.type))
        ends.push_back({row(*role, fmt::format("{}({})", text, i + 1), level_of(*file, annotation)), *role, false,
                        static_cast<std::uint32_t>(i + 1)});
}

std::vector<FieldEnd> FlowEnds::of_field(jvm::ClassId owner, std::string_view name) const {
  std::vector<FieldEnd> found;
  for (const Pattern& pattern : patterns_)
    if (!pattern.has_arguments && fits(pattern, owner, name))
      found.push_back({pattern.row, ends_[pattern.row].role, pattern.is_field_write});
  const jvm::ClassFile* const file = universe_.hierarchy().file(owner);
  if (!noted_ || file == nullptr) return found;
  for (const jvm::Member& member : file->fields)
    if (member.name == name)
      for (const jvm::Annotation& annotation : jvm::annotations(*file, member.attributes))
        if (const auto role = role_of(annotation.type))
          found.push_back(
              {row(*role, fmt::format("{}.{}", dotted(file->name), name), level_of(*file, annotation)), *role});
  return found;
}

std::vector<FieldEnd> FlowEnds::of_line(jvm::ClassId owner, std::uint32_t line) const {
  const auto known = lines_.find({owner, line});
  if (known != lines_.end()) return known->second;
  std::vector<FieldEnd> found;
  const jvm::ClassFile* const file = universe_.hierarchy().file(owner);
  const std::string_view name = file == nullptr ? "" : jvm::source_file(*file).value_or("");
  for (const Pattern& pattern : patterns_)
    if (pattern.is_line && pattern.line == line &&
        (pattern.owner == name || pattern.owner.ends_with("/" + std::string{name})))
      found.push_back({pattern.row, ends_[pattern.row].role});
  const auto add_noted = [&](std::string_view text) {
    const auto end = noted_end(text);
    if (!end) return;
    if (const auto asked = keys_.find({end->role, end->key}); asked != keys_.end())
      found.push_back({asked->second, end->role});
    else if (noted_)
      found.push_back({row(end->role, end->key, {}), end->role});
  };
  add_noted(sources_.line(owner, line));
  // A comment on a line of its own is about the next line.
  if (line > 1 && trimmed(sources_.line(owner, line - 1)).starts_with("//")) add_noted(sources_.line(owner, line - 1));
  return lines_.emplace(std::pair{owner, line}, std::move(found)).first->second;
}

}  // namespace lockwood::java
