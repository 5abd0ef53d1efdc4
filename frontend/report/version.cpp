#include "frontend/report/version.hpp"

namespace lockwood::frontend {

const char* version() { return LOCKWOOD_VERSION; }

const char* commit() { return LOCKWOOD_COMMIT; }

}  // namespace lockwood::frontend
