#include "frontend/java/library/class_names.hpp"

#include <algorithm>

#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"
#include "jvm/archive/class_name.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java::library {
namespace {

[[nodiscard]] std::string_view short_name(std::string_view internal_name) {
  return internal_name.substr(internal_name.rfind('/') + 1);
}

// The texts that may be meant: java/util/Map/Entry, java/util/Map$Entry, java/util$Map$Entry, …
[[nodiscard]] std::vector<std::string> spellings(std::string_view text) {
  std::string name{text};
  std::ranges::replace(name, '.', '/');
  std::vector<std::string> all{name};
  for (std::size_t slash = name.rfind('/'); slash != std::string::npos; slash = name.rfind('/')) {
    name[slash] = '$';
    all.push_back(name);
  }
  return all;
}

// A descriptor may have so many dimensions.
constexpr std::size_t max_dimensions = 255;

}  // namespace

void ClassNames::declare(std::string_view internal_name) {
  if (!full_.emplace(internal_name, true).second) return;
  const auto [row, is_new] = short_.emplace(short_name(internal_name), internal_name);
  if (!is_new) row->second.reset();
}

ClassNames::Answer ClassNames::resolve(std::string_view text) const {
  const std::vector<std::string> candidates = spellings(text);
  for (const std::string& name : candidates)
    if (full_.contains(name)) return {name, {}, {}};
  for (const std::string& name : candidates) {
    const auto row = short_.find(name);
    if (row == short_.end()) continue;
    if (row->second) return {row->second, {}, {}};
    return {{}, "several classes are named '" + shown_name(text) + "'", "write the name with its package"};
  }
  // A class without a model may be named with its package.
  if (text.find('.') != std::string_view::npos && jvm::is_class_name(candidates.front())) {
    const std::string_view last = short_name(candidates.front());
    if (last.front() >= 'A' && last.front() <= 'Z') return {candidates.front(), {}, {}};
  }
  Suggestion suggestion{text};
  for (const auto& [name, owner] : short_) suggestion.consider(name);
  std::string hint = suggestion.hint();
  if (hint.empty()) hint = "write the name with its package, if the class has no model";
  return {{}, "no model has a class '" + shown_name(text) + "'", std::move(hint)};
}

std::string read_dotted(TokenCursor& cursor) {
  std::string text{cursor.expect_word("a name").text};
  while (cursor.at(".") && cursor.peek(1).kind == TokenKind::Word) {
    cursor.next();
    text += '.';
    text += cursor.next().text;
  }
  return text;
}

std::string ClassNames::read_class(TokenCursor& cursor) const {
  if (!cursor.at_word()) cursor.fail_expected("the name of a class");
  const Token first = cursor.peek();
  const std::string text = read_dotted(cursor);
  Answer answer = resolve(text);
  if (!answer.name) {
    cursor.errors().add(first.offset, text.size(), std::move(answer.message), std::move(answer.hint));
    throw BrokenEntry{};
  }
  return *answer.name;
}

TypeName ClassNames::read_type(TokenCursor& cursor) const {
  std::string descriptor;
  const auto primitive = std::ranges::find(jvm::primitive_types, cursor.peek().text,
                                           [](const jvm::PrimitiveType& type) { return type.name; });
  if (cursor.at_word() && primitive != jvm::primitive_types.end()) {
    cursor.next();
    descriptor = std::string(1, primitive->letter);
  } else {
    if (!cursor.at_word()) cursor.fail_expected("a type");
    descriptor = "L" + read_class(cursor) + ";";
  }
  std::size_t dimensions = 0;
  while (cursor.at("[") && cursor.peek(1).text == "]") {
    cursor.next();
    const Token bracket = cursor.next();
    if (++dimensions > max_dimensions) cursor.fail(bracket, "an array has at most 255 dimensions");
  }
  return {std::string(dimensions, '[') + descriptor};
}

}  // namespace lockwood::java::library
