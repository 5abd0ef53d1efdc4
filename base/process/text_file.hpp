#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/process/stop.hpp"

namespace lockwood {

// The whole content of a file; `-` is standard input. Throws InputError if it cannot be read (absent, a directory,
// no permission). Waiting for it, or reading what has no end, ends by Interrupted when a stop is requested.
[[nodiscard]] std::string read_text_file(const std::string& path, StopToken stop = {});

// There is something of this name that is no regular file, such as a device or a link: it is written through, since
// replacing it would be a bad surprise.
[[nodiscard]] bool is_special_file(const std::string& path);

// The permissions of a new file that takes the place of what has this name: those that are there now, since whoever
// closed a file to others wants it to stay so, or else the usual ones.
[[nodiscard]] mode_t mode_of_replacement(const std::string& path);

// Writes the file whole or not at all: to a temporary name beside it, then renamed. Permissions stay. What
// exists and is no regular file is written through instead. `-` is standard output. Throws OutputError if that fails.
void write_text_file(const std::string& path, std::string_view content);

// For whoever ends the process while another thread is writing a file: takes away what there is of it under the
// temporary name. Needs no memory.
void remove_unfinished_file() noexcept;

}  // namespace lockwood
