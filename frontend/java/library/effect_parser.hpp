#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "frontend/java/library/class_names.hpp"
#include "frontend/java/library/library.hpp"
#include "frontend/java/library/token_cursor.hpp"

namespace lockwood::java::library {

// Braces and nested calls in an entry. Nobody writes more, and texts made of braces end early.
inline constexpr std::size_t max_effect_depth = 32;

// Fields and states that effects name: a field that is read must be stored or declared somewhere, and a state must be
// declared. That is known only when all models are read.
struct FieldUse {
  ModelField field;
  bool is_state;
  std::size_t offset;
};
struct FieldUses {
  std::vector<FieldUse> uses;
  std::vector<ModelField> stored;
};

// What the effects of a method may refer to. The library has the signatures of all models, and no effects yet.
struct EffectScope {
  Library& library;
  const ClassNames& names;
  ModelClass owner;
  FieldUses& fields;
};

// Reads the effects at the cursor, up to the end of the entry, into `effects`, `locals` and the flags of the method.
// Fails with BrokenEntry after noting an error.
void read_effects(TokenCursor& cursor, const EffectScope& scope, MethodModel& method);

}  // namespace lockwood::java::library
