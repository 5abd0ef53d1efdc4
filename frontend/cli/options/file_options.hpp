#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

// Which options name files, and what becomes of the files.
namespace lockwood::frontend {

enum class FileRole { None, Read, Written };

// The role of what is given to an option, `--output`, or to an argument, `FILE`, of a command such as "ta union". A
// test says that each of them whose type is a file, or a folder, has a role.
[[nodiscard]] FileRole role_of(std::string_view command, const CLI::Option& option);

// The files that the command line names in this role, without `-`.
[[nodiscard]] std::vector<std::string> files_named(const CLI::App& app, FileRole role);

// Throws InputError if what is written would take the place of what is read, or of something else that is written:
// the same file by device and inode, whatever its name and through whatever links. What exists is compared, and names.
void refuse_overwriting(const CLI::App& app);

}  // namespace lockwood::frontend
