#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "frontend/lsp/shown_diagnostic.hpp"
#include "frontend/lw/program_text.hpp"

// What the names of a program refer to.
namespace lockwood::lsp {

// The name that the byte belongs to, or that ends just before it.
[[nodiscard]] std::optional<lw::NameId> name_at(const lw::ProgramText& program, std::size_t offset);

// All occurrences of what the name refers to, in the order of the text, the declaration among them.
[[nodiscard]] std::vector<TextRange> occurrences(const lw::ProgramText& program, lw::NameId name);

// Where it is declared.
[[nodiscard]] TextRange declaration(const lw::ProgramText& program, lw::NameId name);

// "shared variable `x`", "procedure `f(a, b)`".
[[nodiscard]] std::string described(const lw::ProgramText& program, lw::NameId name);

// Variables, locks, and procedures with their labels.
[[nodiscard]] std::vector<Symbol> outline(const lw::ProgramText& program);

// Keywords and the names that mean something at the byte.
[[nodiscard]] std::vector<Proposal> proposals(const lw::ProgramText* program, std::size_t offset);

}  // namespace lockwood::lsp
