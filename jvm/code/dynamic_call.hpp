#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "jvm/classfile/class_attributes.hpp"
#include "jvm/classfile/class_file.hpp"

namespace lockwood::jvm {

// What an invokedynamic does, as far as its bootstrap method is one that we know.

// The result is a new object that implements the interface. Its method `name` calls the handle, with the operands of
// the call in front of its own arguments.
struct LambdaCall {
  std::string_view interface;   // java/lang/Runnable
  std::string_view method;      // run
  std::string_view descriptor;  // of that method, erased
  MethodHandle implementation;
  std::string_view instantiated;          // the descriptor with the types in force
  std::vector<std::string_view> markers;  // further interfaces
  std::vector<std::string_view> bridges;  // further descriptors of the method
  bool serializable = false;
};
// The result is a new string made of the operands.
struct StringConcatenation {};
// equals, hashCode or toString of a record: reads the fields.
struct RecordMethod {
  std::string_view record;
  std::vector<MemberRef> fields;
};
// Finds the number of the case; calls nothing of the program.
struct PatternSwitch {};
// Anything else may happen.
struct UnknownDynamicCall {
  MemberRef bootstrap;
};

struct DynamicCall {
  ConstantIndex constant;
  std::string_view name;
  std::string_view descriptor;
  std::variant<LambdaCall, StringConcatenation, RecordMethod, PatternSwitch, UnknownDynamicCall> effect;
};

enum class BootstrapKind : std::uint8_t { Lambda, AlternativeLambda, Concatenation, Record, Switch };

struct KnownBootstrap {
  std::string_view owner;
  std::string_view name;
  BootstrapKind kind;
};

inline constexpr auto known_bootstraps = std::to_array<KnownBootstrap>({
    {"java/lang/invoke/LambdaMetafactory", "metafactory", BootstrapKind::Lambda},
    {"java/lang/invoke/LambdaMetafactory", "altMetafactory", BootstrapKind::AlternativeLambda},
    {"java/lang/invoke/StringConcatFactory", "makeConcat", BootstrapKind::Concatenation},
    {"java/lang/invoke/StringConcatFactory", "makeConcatWithConstants", BootstrapKind::Concatenation},
    {"java/lang/runtime/ObjectMethods", "bootstrap", BootstrapKind::Record},
    {"java/lang/runtime/SwitchBootstraps", "typeSwitch", BootstrapKind::Switch},
    {"java/lang/runtime/SwitchBootstraps", "enumSwitch", BootstrapKind::Switch},
});

// The call that an InvokeDynamic constant stands for. A known bootstrap method with arguments of another form than its
// documentation says is an unknown call. Throws MalformedBytes if the constant or the row of bootstrap methods is not
// there.
[[nodiscard]] DynamicCall dynamic_call(const ClassFile& file, const std::vector<BootstrapMethod>& bootstraps,
                                       ConstantIndex constant);

}  // namespace lockwood::jvm
