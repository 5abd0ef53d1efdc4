#pragma once

#include <string>
#include <vector>

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
  RequestCancelled = -32800
};

[[nodiscard]] Json response(const Json& id, Json result);
[[nodiscard]] Json error_response(const Json& id, ErrorCode code, const std::string& message);
[[nodiscard]] Json notification(const std::string& method, Json parameters);

// Throws Json::exception if it is no place.
[[nodiscard]] TextPosition place_of(const Json& position);

[[nodiscard]] Json to_json(const Text& text, TextRange range);
[[nodiscard]] Json location(const std::string& uri, const Text& text, TextRange range);
[[nodiscard]] Json to_json(const std::string& uri, const Text& text, const Remark& remark);
[[nodiscard]] Json to_json(const Text& text, const Lens& lens);
[[nodiscard]] Json to_json(const Text& text, const Symbol& symbol);
[[nodiscard]] Json to_json(const Proposal& proposal);

}  // namespace lockwood::lsp
