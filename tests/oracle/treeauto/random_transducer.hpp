#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "treeauto/automaton/transducer.hpp"
#include "treeauto/operations/homomorphism.hpp"

namespace lockwood::treeauto {

enum class Copying { Linear, Allowed };

struct RandomTransducerOptions {
  std::size_t states = 2;
  std::size_t rules = 8;
  std::size_t term_size = 4;  // about; at least 1
  Copying copying = Copying::Linear;
};

// The same seed and options give the same transducer. Both alphabets need a constant.
[[nodiscard]] Transducer random_transducer(std::uint64_t seed, const Alphabet& input, const Alphabet& output,
                                           RandomTransducerOptions options = {});
[[nodiscard]] Homomorphism random_homomorphism(std::uint64_t seed, const Alphabet& input, const Alphabet& output,
                                               Copying copying);

// One rule per line.
[[nodiscard]] std::string to_text(const Transducer& transducer);

}  // namespace lockwood::treeauto
