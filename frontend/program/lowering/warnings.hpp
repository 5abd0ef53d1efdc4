#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/program/ir/program.hpp"

namespace lockwood::program {

// What is odd about a program without being wrong. Each kind has a name by which it can be switched off.
enum class WarningCode {
  UnusedVariable,
  UnusedLock,
  UnusedLocal,
  UnreachableProcedure,
  UnreachableCode,
  ReentrantSync,
  UnlockedWait,
  ShadowedName
};
inline constexpr std::size_t warning_codes = 8;

// `unused-variable` and so on.
[[nodiscard]] std::string_view name_of(WarningCode code);
[[nodiscard]] std::optional<WarningCode> warning_code(std::string_view name);

struct Warning {
  WarningCode code;
  SourceRange range;
  std::string message;
};

// What the control-flow graphs tell, by place; ShadowedName is not among it.
[[nodiscard]] std::vector<Warning> warnings(const Program& program);

// What is wrong though it can be run: a wait or notify whose lock is never held there.
[[nodiscard]] std::vector<Warning> impossible_waits(const Program& program);

}  // namespace lockwood::program
