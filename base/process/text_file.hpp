#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/process/stop.hpp"

namespace lockwood {

// What messages call a file: `-` is "<stdin>".
[[nodiscard]] std::string shown_path(const std::string& path);

// The whole content of a file; `-` is standard input. Throws InputError if it cannot be read (absent, a directory,
// no permission). Waiting for it, or reading what has no end, ends by Interrupted when a stop is requested.
[[nodiscard]] std::string read_text_file(const std::string& path, StopToken stop = {});

// The name under which a file is replaced: the end of a chain of symbolic links, which may not exist yet. The links
// stay. What is no regular file, such as a device, is not replaced but written through, since replacing it would be a
// bad surprise: nothing then. Nor is what the links of /proc stand for, such as /dev/stdout.
[[nodiscard]] std::optional<std::string> replaceable_file(const std::string& path);

// A new file for writing under this name, never an old one: what had the name before, such as a link that somebody has
// put there, is taken away, not followed. A descriptor, or -1 and errno.
[[nodiscard]] int open_new_file(const std::string& path);

// Whether both names lead to the same regular file, through whatever links. False if there is none.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

// The permissions of a new file that takes the place of what has this name: those that are there now, since whoever
// closed a file to others wants it to stay so, or else the usual ones.
[[nodiscard]] mode_t mode_of_replacement(const std::string& path);

// Writes the file whole or not at all: to a temporary name beside it, then renamed, also where the name is a symbolic
// link. Permissions stay. What is not replaceable is written through. `-` is standard output. Throws OutputError if
// that fails.
void write_text_file(const std::string& path, std::string_view content);

// For whoever ends the process while another thread is writing a file: takes away what there is of it under the
// temporary name. Needs no memory.
void remove_unfinished_file() noexcept;

}  // namespace lockwood
