#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dpn/formats/model_file.hpp"
#include "frontend/lsp/shown_diagnostic.hpp"
#include "frontend/lw/text_lines.hpp"

// The names in the text of a model. A model keeps no places of its symbols, so they are looked for in the text; that
// also works while the text has errors.
namespace lockwood::lsp {

struct ModelName {
  std::string_view text;  // of the text that was looked at
  TextRange range;
  bool labelled = false;  // here it is given a text to show: `p1 : "P: q.start();"`
  bool head = false;      // here a rule begins at it: `(p1) -- …`
};

// All of them in the order of the text, but none within comments and strings.
[[nodiscard]] std::vector<ModelName> model_names(std::string_view text);

[[nodiscard]] bool is_model_keyword(std::string_view word);

// The one that the byte belongs to, or that ends just before it.
[[nodiscard]] const ModelName* name_at(const std::vector<ModelName>& names, std::size_t offset);

// Where the name is given its label, or else where the first rule begins at it, or else where it is first.
[[nodiscard]] TextRange declaration(const std::vector<ModelName>& names, std::string_view name);

// "stack symbol `p1`: P: q.start();", a line for each kind of symbol that has the name.
[[nodiscard]] std::string described(const dpn::Network& network, std::string_view name);

// The procedures with their rules, and the queries.
[[nodiscard]] std::vector<Symbol> outline(const dpn::ModelFile& model, const lw::TextLines& lines,
                                          std::string_view text);

// The line on which a query begins, to its end.
[[nodiscard]] TextRange line_of(const dpn::Query& query, const lw::TextLines& lines, std::string_view text);

[[nodiscard]] std::vector<Proposal> proposals(const dpn::ModelFile* model);

}  // namespace lockwood::lsp
