#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "jvm/archive/class_source.hpp"

namespace lockwood::jvm {

// Several sources in a row: a class is that of the first one that has it. So the classes of a JDK, which stand first,
// cannot be replaced by those of a program, as in Java.
class SourceList final : public ClassSource {
 public:
  explicit SourceList(std::vector<std::shared_ptr<ClassSource>> sources);
  [[nodiscard]] std::optional<ClassBytes> find(std::string_view internal_name) override;
  void for_each_class(const std::function<void(std::string_view)>& callback) override;

 private:
  std::vector<std::shared_ptr<ClassSource>> sources_;  // none is null
};

}  // namespace lockwood::jvm
