#pragma once

#include <optional>
#include <vector>

#include "jvm/code/method_body.hpp"
#include "jvm/code/monitor_regions.hpp"
#include "jvm/code/value_numbers.hpp"

namespace lockwood::jvm {

// All that is known about the code of one method.
struct MethodCode {
  MethodBody body;
  ValueNumbers numbers;
  MonitorRegions monitors;
};

// Makes the code of the methods of one class, each when it is asked for. The class file must outlive the reader.
class CodeReader {
 public:
  explicit CodeReader(const ClassFile& file) : file_{file} {}

  // Nothing for methods without code (abstract, native). Fields of other classes change, unless `is_unchanging` says
  // otherwise; by default the final fields of the class itself do not. Throws ClassFormatError, with the class, the
  // method and the offset in its code.
  [[nodiscard]] std::optional<MethodCode> read(const Member& method);
  [[nodiscard]] std::optional<MethodCode> read(const Member& method, const UnchangingField& is_unchanging);

 private:
  const ClassFile& file_;
  std::optional<std::vector<BootstrapMethod>> bootstraps_;  // read once
};

}  // namespace lockwood::jvm
