#pragma once

#include <string>
#include <vector>

#include "frontend/lsp/colours.hpp"
#include "frontend/lsp/folding.hpp"
#include "frontend/lsp/message_stream.hpp"
#include "frontend/lsp/shown_diagnostic.hpp"
#include "frontend/lsp/text.hpp"

// What we say, in the terms of the Language Server Protocol 3.17.
namespace lockwood::lsp {

enum class ErrorCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParameters = -32602,
  InternalError = -32603,
  NotInitialized = -32002,
  RequestFailed = -32803,
  RequestCancelled = -32800
};

// A request that is not granted, and why: thrown while it is answered, and told to the client.
struct Refusal {
  ErrorCode code;
  std::string message;
};

[[nodiscard]] Json response(const Json& id, Json result);
[[nodiscard]] Json error_response(const Json& id, ErrorCode code, const std::string& message);
[[nodiscard]] Json notification(const std::string& method, Json parameters);

// Throws Json::exception if it is no place.
[[nodiscard]] TextPosition place_of(const Json& position);

[[nodiscard]] Json to_json(const Text& text, TextRange range);
[[nodiscard]] Json location(const std::string& uri, const Text& text, TextRange range);
[[nodiscard]] Json to_json(const std::string& uri, const Text& text, const Remark& remark);
// What a diagnostic carries for whoever compares it with a report.
[[nodiscard]] Json to_json(const Remark::Told& told);
[[nodiscard]] Json to_json(const Text& text, const Change& change);
// Changes of one document, which may be at the same place: then in this order.
[[nodiscard]] Json workspace_edit(const std::string& uri, const Text& text, const std::vector<Change>& changes);
[[nodiscard]] Json to_json(const Fold& fold);
// The lens is clicked to see the page of its findings.
[[nodiscard]] Json to_json(const std::string& uri, const Text& text, const Lens& lens);
// What the command to show a page has as its only argument.
inline constexpr const char* findings_page_command = "lockwood.showPage";
[[nodiscard]] Json to_json(const std::string& uri, const FindingChoice& choice);
[[nodiscard]] FindingChoice choice_of(const Json& argument);
// The colours and shades in their order, and the pieces in the protocol's five numbers each.
[[nodiscard]] Json colour_legend();
[[nodiscard]] Json colour_data(const Text& text, const std::vector<Coloured>& pieces);
[[nodiscard]] Json to_json(const Text& text, const Symbol& symbol);
// For lists of symbols of several documents. `container`: the symbol around it; may be empty.
[[nodiscard]] Json to_json(const std::string& uri, const Text& text, const Symbol& symbol,
                           const std::string& container);
[[nodiscard]] Json to_json(const Proposal& proposal);

}  // namespace lockwood::lsp
