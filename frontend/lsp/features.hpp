#pragma once

#include "frontend/lsp/document.hpp"
#include "frontend/lsp/message_stream.hpp"

// The requests that are answered at once from the text. The document must have been read. They throw Json::exception if
// the parameters are not those of the protocol.
namespace lockwood::lsp {

[[nodiscard]] Json definition(const Document& document, const Json& parameters);
[[nodiscard]] Json references(const Document& document, const Json& parameters);
[[nodiscard]] Json document_symbols(const Document& document, const Json& parameters);
[[nodiscard]] Json completion(const Document& document, const Json& parameters);
[[nodiscard]] Json code_lenses(const Document& document, const Json& parameters);
[[nodiscard]] Json code_actions(const Document& document, const Json& parameters);
[[nodiscard]] Json highlights(const Document& document, const Json& parameters);
[[nodiscard]] Json folding_ranges(const Document& document, const Json& parameters);
[[nodiscard]] Json semantic_tokens(const Document& document, const Json& parameters);
// These throw Refusal if the name has to stay.
[[nodiscard]] Json prepare_rename(const Document& document, const Json& parameters);
[[nodiscard]] Json rename(const Document& document, const Json& parameters);

}  // namespace lockwood::lsp
