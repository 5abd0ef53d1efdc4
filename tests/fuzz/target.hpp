#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

// What a fuzz target is made of. A target tries one input; it may refuse it by an InputError, and nothing else: a
// crash, another exception, a sanitizer's remark or a broken law (`require`) is a finding. libFuzzer calls
// LLVMFuzzerTestOneInput, and so does replay_main.cpp, for the inputs that were findings once.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace lockwood::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) { return std::string(data, data + size); }

inline void require(bool holds, std::string_view law, std::string_view evidence = "") {
  if (holds) return;
  std::fprintf(stderr, "broken: %.*s\n%.*s\n", static_cast<int>(law.size()), law.data(),
               static_cast<int>(evidence.size()), evidence.data());
  std::abort();
}

}  // namespace lockwood::fuzz
