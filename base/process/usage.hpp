#pragma once

#include <CLI/App.hpp>
#include <string>

namespace lockwood {

// What is wrong with a command line, in our words; CLI11 has its own: "--timeout needs a value: --timeout=TIME",
// "MODEL is missing: the model", "--quiet and --verbose exclude each other".
[[nodiscard]] std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

// What to say about the first argument that nobody takes: "unknown option '--ouput'; did you mean '--output'?". Empty
// if all are taken.
[[nodiscard]] std::string unknown_argument(const CLI::App& app);

}  // namespace lockwood
