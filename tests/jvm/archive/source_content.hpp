#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "jvm/archive/class_source.hpp"

namespace lockwood::jvm {

inline std::optional<std::string> content_of(ClassSource& source, std::string_view name) {
  const auto found = source.find(name);
  if (!found) return std::nullopt;
  return std::string{found->bytes.begin(), found->bytes.end()};
}

inline std::vector<std::string> classes_of(ClassSource& source) {
  std::vector<std::string> names;
  source.for_each_class([&](std::string_view name) { names.emplace_back(name); });
  return names;
}

// The message of the InputError that the action ends with; empty if it does not.
template <class Action>
[[nodiscard]] std::string refusal(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return to_text(error.diagnostics().front());
  }
  return {};
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

inline std::string text_of(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += to_text(diagnostic);
  return text;
}

}  // namespace lockwood::jvm
