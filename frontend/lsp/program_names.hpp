#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "frontend/lsp/shown_diagnostic.hpp"
#include "frontend/lw/program_text.hpp"

// What the names of a program refer to.
namespace lockwood::lsp {

// The name that the byte belongs to, or that ends just before it.
[[nodiscard]] std::optional<lw::NameId> name_at(const lw::ProgramText& program, std::size_t offset);

// All names that refer to what this one refers to, itself among them, in the order of the text.
[[nodiscard]] std::vector<lw::NameId> mentions(const lw::ProgramText& program, lw::NameId name);

// What a name does where it stands: it sets a variable or handle (also its declaration does), reads it, or just names
// something.
enum class NameRole { Sets, Reads, Names };
[[nodiscard]] IdVector<lw::NameId, NameRole> roles_of_names(const lw::ProgramText& program);

// The names of locals and handles that are parameters, and those that declare something.
struct DeclaredNames {
  IdVector<lw::NameId, bool> declares;
  IdVector<lw::NameId, bool> parameter;
};
[[nodiscard]] DeclaredNames declared_names(const lw::ProgramText& program);

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
