#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockwood::sets {

enum class ConstructKind { Statement, Set, Question, OtherValue };

// A construct of the language, as the tables of docs/sets.md tell it: form and meaning are in Markdown.
struct Construct {
  ConstructKind kind;
  std::string_view names;  // what help finds it by, separated by blanks
  std::string_view form;
  std::string_view meaning;
};

// All of them, in the order of the manual. Each word of the language is a name of one.
[[nodiscard]] std::span<const Construct> constructs();

// All constructs in short, by kind.
[[nodiscard]] std::string help_overview();

// What there is to say about a name, such as `post*` or `&`; empty if it names nothing.
[[nodiscard]] std::string help_on(std::string_view name);

// All names that help_on knows.
[[nodiscard]] std::vector<std::string_view> help_topics();

}  // namespace lockwood::sets
