#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/java/library/effect.hpp"
#include "frontend/java/library/token_cursor.hpp"

namespace lockwood::java::library {

// The classes that models declare, by their full and by their short names: `List` is java.util.List if only one class
// with a model has this short name. Nested classes are `Map$Entry` or `Map.Entry`.
class ClassNames {
 public:
  void declare(std::string_view internal_name);
  [[nodiscard]] bool is_declared(std::string_view internal_name) const { return full_.contains(internal_name); }

  // The class that a text such as `java.util.Map.Entry` or `List` names, in the form of class files.
  struct Answer {
    std::optional<std::string> name;
    std::string message;  // if there is none
    std::string hint;
  };
  [[nodiscard]] Answer resolve(std::string_view text) const;

  // Reads the name of a class, or a type, at the cursor. A full name needs no model. Fails if nothing has the name.
  std::string read_class(TokenCursor& cursor) const;
  TypeName read_type(TokenCursor& cursor) const;

 private:
  std::map<std::string, bool, std::less<>> full_;
  std::map<std::string, std::optional<std::string>, std::less<>> short_;  // nothing: several classes have it
};

// `java.util.Map$Entry` as it is written: words between dots, at the cursor. Consumes nothing behind the name.
[[nodiscard]] std::string read_dotted(TokenCursor& cursor);

}  // namespace lockwood::java::library
