#pragma once

namespace lockwood::frontend {

// "0.1.0": the version of the project.
[[nodiscard]] const char* version();

}  // namespace lockwood::frontend
