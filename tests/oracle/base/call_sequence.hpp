#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids/random.hpp"

// Random sequences of calls of an interface, tried on the real thing and on a simple model of it. A call is a kind and
// some numbers, which whoever makes the call takes modulo what there is at that moment: so every part of a sequence is
// legal too, and a sequence on which the two differ can be shrunk by leaving calls out.
namespace lockwood::testing {

struct AnyCall {
  std::size_t kind;
  std::size_t a;
  std::size_t b;
  std::size_t c;
  std::size_t d;
};
using CallSequence = std::vector<AnyCall>;

// How the real thing and its model differ after these calls; nothing if they do not.
using Difference = std::function<std::optional<std::string>(const CallSequence&)>;

inline CallSequence random_calls(std::uint64_t seed, std::size_t kinds, std::size_t most) {
  Random random{seed};
  CallSequence calls;
  const auto number = [&] { return random.below(1000); };
  for (std::size_t left = random.below(most + 1); left > 0; --left)
    calls.push_back({random.below(kinds), number(), number(), number(), number()});
  return calls;
}

// Leaves out ever smaller pieces while there is a difference [zeller.02.simplifying]; no single call can be left out of
// the result.
inline CallSequence shrunk(CallSequence calls, const Difference& difference) {
  for (std::size_t piece = calls.size(); piece > 0; piece /= 2)
    for (std::size_t begin = 0; begin < calls.size();) {
      CallSequence fewer = calls;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
      fewer.erase(first, fewer.begin() + static_cast<std::ptrdiff_t>(std::min(begin + piece, calls.size())));
      if (difference(fewer))
        calls = std::move(fewer);
      else
        begin += piece;
    }
  return calls;
}

inline std::string to_text(const CallSequence& calls) {
  std::string text;
  for (const auto& [kind, a, b, c, d] : calls)
    text += "  kind " + std::to_string(kind) + " with " + std::to_string(a) + ", " + std::to_string(b) + ", " +
            std::to_string(c) + ", " + std::to_string(d) + "\n";
  return text;
}

// The difference on a shortest part of the first sequence that shows one, for a test to print; nothing if there is
// none.
inline std::optional<std::string> first_difference(std::uint64_t seeds, std::size_t kinds, std::size_t most,
                                                   const Difference& difference) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const CallSequence calls = random_calls(seed, kinds, most);
    if (!difference(calls)) continue;
    const CallSequence fewest = shrunk(calls, difference);
    return "seed " + std::to_string(seed) + ": " + *difference(fewest) + " after\n" + to_text(fewest);
  }
  return std::nullopt;
}

}  // namespace lockwood::testing
