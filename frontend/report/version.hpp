#pragma once

namespace lockwood::frontend {

// "0.1.0": the version of the project.
[[nodiscard]] const char* version();

// The commit from which it was built, abbreviated; empty if the sources were not a checkout.
[[nodiscard]] const char* commit();

}  // namespace lockwood::frontend
