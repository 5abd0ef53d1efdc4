#pragma once

#include <string_view>

namespace lockwood {

// Gives standard input, output and error that were closed at the start of the program something to be, so that no file
// opened later takes their place. Reading or writing them fails, as it would without.
void hold_standard_streams();

// Writes a remark on standard error, as one piece. There is nobody to tell if that fails: it throws nothing and needs
// no memory.
void put_message(std::string_view text) noexcept;
// The same in several parts: of a line that may have to be written when memory has run out.
void put_message(std::string_view first, std::string_view second, std::string_view third) noexcept;

}  // namespace lockwood
