#include "base/text/sha256.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lockwood {
namespace {

using Block = std::array<unsigned char, 64>;
using Digest = std::array<std::uint32_t, 8>;

// Fractional parts of the cube roots of the first 64 primes [nist.15.sha, Sect. 4.2.2].
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void mix_in(Digest& digest, const Block& block) {
  std::array<std::uint32_t, 64> schedule{};
  for (std::size_t t = 0; t < 16; ++t)
    schedule[t] = std::uint32_t{block[4 * t]} << 24U | std::uint32_t{block[4 * t + 1]} << 16U |
                  std::uint32_t{block[4 * t + 2]} << 8U | std::uint32_t{block[4 * t + 3]};
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t x = schedule[t - 15];
    const std::uint32_t y = schedule[t - 2];
    schedule[t] = schedule[t - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3U) + schedule[t - 7] +
                  (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10U);
  }

  auto [a, b, c, d, e, f, g, h] = digest;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                                round_constants[t] + schedule[t];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Digest added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < digest.size(); ++i) digest[i] += added[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Digest digest{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  Block block{};
  for (; bytes.size() >= block.size(); bytes.remove_prefix(block.size())) {
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<unsigned char>(bytes[i]);
    mix_in(digest, block);
  }

  // Padding: the bit 1, zeros, and the length in the last eight bytes, for which a second block may be needed.
  block.fill(0);
  for (std::size_t i = 0; i < bytes.size(); ++i) block[i] = static_cast<unsigned char>(bytes[i]);
  block[bytes.size()] = 0x80;
  if (bytes.size() >= 56) {
    mix_in(digest, block);
    block.fill(0);
  }
  for (std::size_t i = 0; i < 8; ++i) block[56 + i] = static_cast<unsigned char>(bits >> (56U - 8 * i) & 0xFFU);
  mix_in(digest, block);

  std::string text;
  for (std::uint32_t word : digest)
    for (std::size_t shift = 32; shift > 0; shift -= 4) text += "0123456789abcdef"[word >> (shift - 4) & 0xFU];
  return text;
}

}  // namespace lockwood
