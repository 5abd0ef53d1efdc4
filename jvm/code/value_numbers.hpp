#pragma once

#include <functional>

#include "base/ids/id_vector.hpp"
#include "jvm/code/method_body.hpp"

namespace lockwood::jvm {

// Registers with the same number hold the same value whenever both are defined on a way through the method.
using ValueNumber = Id<struct ValueNumberTag>;
using ValueNumbers = IdVector<Register, ValueNumber>;

// A load of this field gives the same value each time that it is done in the method, for the same object.
using UnchangingField = std::function<bool(const MemberRef&)>;

// The final fields of the class itself. Not in its initialisers, which set them.
[[nodiscard]] UnchangingField final_fields_of(const ClassFile& file, const Member& method);

// Sees through casts, phis of equal values, and loads of unchanging fields; equal computations on equal values are
// equal. Optimistic: all values are equal until something tells them apart, so that loops do not. Numbers count from 0
// in the order of registers.
[[nodiscard]] ValueNumbers value_numbers(const MethodBody& body, const ConstantPool& constants,
                                         const UnchangingField& is_unchanging);

}  // namespace lockwood::jvm
