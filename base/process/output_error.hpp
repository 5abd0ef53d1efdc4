#pragma once

#include <stdexcept>
#include <string>

namespace lockwood {

// A result could not be written: disk full, closed pipe, no permission.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::string& path, const std::string& reason) : std::runtime_error{path + ": " + reason} {}
};

}  // namespace lockwood
