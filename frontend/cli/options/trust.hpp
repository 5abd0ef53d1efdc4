#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a configuration that nobody named may set. A file `lockwood.json` that is found beside the input, or in a folder
// above, may come from anybody: whoever clones a repository must be able to look at it. Such a file cannot start a
// program, read or write a file, or raise a limit (docs/security.md).
namespace lockwood::frontend {

enum class Trust {
  Harmless,        // any value
  StandardOutput,  // no file: the answer goes where the answer goes
  OnlyLower,       // a limit: at most the limit that holds without it
  Refused,         // names a file or a program, or says how much work is to be done
};

// One row: the trust in an option. A particular command wins over all commands, and an option over `*`.
struct OptionTrust {
  std::string_view command;  // "race"; "ta" stands for all operations of it; empty: all commands
  std::string_view option;   // "timeout", or * for the options of the command that no other row names
  Trust trust;
  std::string_view limit = {};  // OnlyLower: as on a command line. Empty: there is none, so any value lowers it
};

// Every option of every command has a row; a test says so.
[[nodiscard]] std::span<const OptionTrust> trust_table();

// The row for an option without its dashes, such as "timeout" of "race". Nothing if there is none.
[[nodiscard]] const OptionTrust* trust_in(std::string_view command, std::string_view option);

// Why a configuration that was found may not give the option these values, as the rest of a sentence. Nothing if it
// may. What has no row is refused.
[[nodiscard]] std::optional<std::string> distrust(std::string_view command, std::string_view option,
                                                  const std::vector<std::string>& values);

}  // namespace lockwood::frontend
