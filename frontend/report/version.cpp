#include "frontend/report/version.hpp"

namespace lockwood::frontend {

const char* version() { return LOCKWOOD_VERSION; }

}  // namespace lockwood::frontend
