#include "jvm/archive/class_source.hpp"

namespace lockwood::jvm {

ClassSource::~ClassSource() = default;

}  // namespace lockwood::jvm
