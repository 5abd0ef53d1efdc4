#include "dpn/model/query.hpp"

namespace lockwood::dpn {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Reachable: return "reachable";
    case Verdict::Unreachable: return "unreachable";
    case Verdict::Unknown: return "unknown";
  }
  return "unknown";
}

}  // namespace lockwood::dpn
