#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dpn/formats/model_file.hpp"

namespace lockwood::dpn {

// A number that a family of models depends on.
struct Parameter {
  std::string_view name;
  std::string_view description;
  std::int64_t initial = 0;  // its value if none is given
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;
};

// A family of models that can be made as large as wanted.
struct Family {
  std::string_view name;
  std::string_view description;  // one line
  std::vector<Parameter> parameters;
};

struct ParameterValue {
  std::string name;
  std::int64_t value = 0;
};

// All families, in the order in which they are to be listed.
[[nodiscard]] std::span<const Family> families();

// Throws InputError, with the nearest name, if there is none of this name.
[[nodiscard]] const Family& family_named(std::string_view name);

// The model of the family for these values; parameters that are not given have their initial value. The same values
// give the same model on every platform. Queries come with their expected verdicts where these are known. Throws
// InputError if a parameter is unknown, given twice, out of its bounds, or in contradiction to another one, and
// Interrupted if asked to stop.
[[nodiscard]] ModelFile generate(const Family& family, std::span<const ParameterValue> values, StopToken stop = {});

}  // namespace lockwood::dpn
