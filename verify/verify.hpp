#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/process/stop.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::verify {

struct CheckResult {
  std::string claim;                // "unreachable" of a certificate, "reachable" of a witness
  std::string problem;              // as it is in the proof
  std::string extent;               // how large the proof is, for people
  std::optional<std::string> flaw;  // none iff the claim is proved
};

// Judges a certificate or witness (docs/certificates.md) about the network by nothing but its text and the definitions
// of docs/theory.md. Throws InputError if it is neither; `file` is the name of the text in errors. Throws Interrupted.
[[nodiscard]] CheckResult judge(const dpn::Network& network, std::string_view text, std::string_view file,
                                StopToken stop = {});

}  // namespace lockwood::verify
