#include "frontend/java/library/call_target.hpp"

#include <algorithm>
#include <vector>

#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java::library {
namespace {

struct Candidate {
  ModelClass owner;
  const MethodModel* method;
};

[[nodiscard]] std::string owner_name(const CallText& text) {
  if (text.explicit_owner) return *text.explicit_owner;
  if (!text.receiver_type) return "java/lang/Object";
  // An array has the methods of Object.
  if (!text.receiver_type->descriptor.starts_with('L')) return "java/lang/Object";
  return text.receiver_type->internal_name();
}

[[nodiscard]] std::vector<Candidate> named_methods(const Library& library, ModelClass owner, const CallText& text) {
  std::vector<Candidate> all;
  std::vector<ModelClass> order = library.lookup_order(owner);
  // Interfaces have the methods of Object, too.
  if (const auto object = library.find("java/lang/Object"); object && std::ranges::find(order, *object) == order.end())
    order.push_back(*object);
  for (ModelClass id : order)
    for (const MethodModel& method : library[id].methods) {
      if (method.name != text.name.text || method.is_static != text.is_static) continue;
      const bool overridden = std::ranges::any_of(
          all, [&](const Candidate& other) { return other.method->parameters == method.parameters; });
      if (!overridden) all.push_back({id, &method});
    }
  return all;
}

[[nodiscard]] bool fits(const MethodModel& method, const CallText& text,
                        std::span<const std::optional<TypeName>> arguments) {
  if (text.parameters) return method.parameter_descriptor() == *text.parameters;
  if (method.parameters.size() != arguments.size()) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] && arguments[i]->is_reference() != method.parameters[i].is_reference()) return false;
  return true;
}

[[nodiscard]] bool fits_exactly(const MethodModel& method, std::span<const std::optional<TypeName>> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (method.parameters[i].is_reference() &&
        (arguments[i] ? *arguments[i] : TypeName{"Ljava/lang/Object;"}) != method.parameters[i])
      return false;
  return true;
}

[[nodiscard]] std::string hint_for(const Library& library, ModelClass owner, const CallText& text) {
  Suggestion suggestion{text.name.text};
  for (ModelClass id : library.lookup_order(owner))
    for (const MethodModel& method : library[id].methods) suggestion.consider(method.name);
  if (suggestion.nearest() && *suggestion.nearest() != text.name.text) return suggestion.hint();
  if (!text.explicit_owner && !text.receiver_type)
    return "the class of the receiver is not known here: write 'VALUE.Class::" + std::string{text.name.text} + "(…)'";
  return {};
}

}  // namespace

MethodName call_target(const Library& library, const CallText& text, std::span<const std::optional<TypeName>> arguments,
                       TokenCursor& cursor) {
  const std::string owner = owner_name(text);
  const auto id = library.find(owner);
  if (!id) cursor.fail(text.name, "no model has the class '" + shown_name(jvm::java_class_name(owner)) + "'");
  std::vector<Candidate> candidates = named_methods(library, *id, text);
  std::erase_if(candidates, [&](const Candidate& candidate) { return !fits(*candidate.method, text, arguments); });
  if (candidates.size() > 1 && std::ranges::count_if(candidates, [&](const Candidate& candidate) {
                                 return fits_exactly(*candidate.method, arguments);
                               }) == 1)
    std::erase_if(candidates, [&](const Candidate& candidate) { return !fits_exactly(*candidate.method, arguments); });
  if (candidates.empty())
    cursor.fail(text.name,
                jvm::java_class_name(owner) + " has no " + (text.is_static ? "static " : "") + "method '" +
                    shown_name(text.name.text) + "' with such arguments",
                hint_for(library, *id, text));
  if (candidates.size() > 1)
    cursor.fail(text.name, "several methods of " + jvm::java_class_name(owner) + " fit these arguments",
                "write their types before them: '" + std::string{text.name.text} +
                    jvm::java_parameters(candidates.front().method->parameter_descriptor() + "V") + "(…)'");
  const MethodModel& method = *candidates.front().method;
  return {owner, method.name, method.parameter_descriptor(), method.result};
}

}  // namespace lockwood::java::library
