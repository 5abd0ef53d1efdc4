#include "frontend/lsp/protocol.hpp"

#include <algorithm>

namespace lockwood::lsp {
namespace {

// The numbers that the protocol has for severities and kinds.
int number_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return 1;
    case Severity::Warning: return 2;
    case Severity::Note: return 3;
  }
  return 1;
}

int number_of(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::Variable:
    case SymbolKind::Local: return 13;      // Variable
    case SymbolKind::Lock: return 20;       // Key
    case SymbolKind::Procedure: return 12;  // Function
    case SymbolKind::Label: return 14;      // Constant
    case SymbolKind::Query: return 24;      // Event
  }
  return 13;
}

int number_of(Proposal::Kind kind) {
  switch (kind) {
    case Proposal::Kind::Keyword: return 14;
    case Proposal::Kind::Variable:
    case Proposal::Kind::Local: return 6;         // Variable
    case Proposal::Kind::Procedure: return 3;     // Function
    case Proposal::Kind::Lock: return 18;         // Reference
    case Proposal::Kind::StackSymbol: return 21;  // Constant
    case Proposal::Kind::Action: return 23;       // Event
  }
  return 1;
}

Json to_json(TextPosition place) { return {{"line", place.line}, {"character", place.character}}; }

}  // namespace

Json response(const Json& id, Json result) { return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}; }

Json error_response(const Json& id, ErrorCode code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", static_cast<int>(code)}, {"message", message}}}};
}

Json notification(const std::string& method, Json parameters) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(parameters)}};
}

TextPosition place_of(const Json& position) {
  // A negative or enormous number is not taken for another one.
  const auto number = [&](const char* name) {
    const auto value = position.at(name).get<std::int64_t>();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, UINT32_MAX));
  };
  return {number("line"), number("character")};
}

Json to_json(const Text& text, TextRange range) {
  return {{"start", to_json(text.place(range.begin))}, {"end", to_json(text.place(range.end))}};
}

Json location(const std::string& uri, const Text& text, TextRange range) {
  return {{"uri", uri}, {"range", to_json(text, range)}};
}

Json to_json(const std::string& uri, const Text& text, const Remark& remark) {
  Json json{{"range", to_json(text, remark.range)}, {"severity", number_of(remark.severity)}};
  if (!remark.code.empty()) json["code"] = remark.code;
  json["source"] = "lockwood";
  json["message"] = remark.message;
  if (!remark.related.empty()) {
    json["relatedInformation"] = Json::array();
    for (const Remark::Related& related : remark.related)
      json["relatedInformation"].push_back(
          {{"location", location(uri, text, related.range)}, {"message", related.message}});
  }
  if (!remark.findings.empty()) {
    Json findings = Json::array();
    for (const Remark::Told& told : remark.findings) findings.push_back(to_json(told));
    json["data"] = {{"findings", std::move(findings)}};
  }
  return json;
}

Json to_json(const Remark::Told& told) {
  Json json{{"id", told.id}};
  if (!told.certainty.empty()) json["certainty"] = told.certainty;
  return json;
}

Json to_json(const Text& text, const Change& change) {
  return {{"range", to_json(text, change.range)}, {"newText", change.text}};
}

Json workspace_edit(const std::string& uri, const Text& text, const std::vector<Change>& changes) {
  Json edits = Json::array();
  for (const Change& change : changes) edits.push_back(to_json(text, change));
  Json by_document = Json::object();
  by_document[uri] = std::move(edits);
  return {{"changes", std::move(by_document)}};
}

Json to_json(const Fold& fold) {
  Json json{{"startLine", fold.first}, {"endLine", fold.last}};
  if (fold.comment) json["kind"] = "comment";
  return json;
}

Json to_json(const std::string& uri, const Text& text, const Lens& lens) {
  Json command{{"title", lens.title}, {"command", lens.findings ? findings_page_command : ""}};
  if (lens.findings) command["arguments"] = Json::array({to_json(uri, *lens.findings)});
  return {{"range", to_json(text, lens.range)}, {"command", std::move(command)}};
}

Json to_json(const std::string& uri, const FindingChoice& choice) {
  Json json{{"uri", uri}, {"rule", choice.rule}};
  if (!choice.subject.empty()) json["subject"] = choice.subject;
  if (!choice.procedure.empty()) json["procedure"] = choice.procedure;
  return json;
}

FindingChoice choice_of(const Json& argument) {
  return {.rule = argument.at("rule").get<std::string>(),
          .subject = argument.value("subject", std::string{}),
          .procedure = argument.value("procedure", std::string{})};
}

Json colour_legend() {
  Json colours = Json::array();
  for (std::string_view name : colour_names) colours.push_back(name);
  Json shades = Json::array();
  for (std::string_view name : shade_names) shades.push_back(name);
  return {{"tokenTypes", std::move(colours)}, {"tokenModifiers", std::move(shades)}};
}

// Lines and columns count from the piece before. No piece may go on in another line.
Json colour_data(const Text& text, const std::vector<Coloured>& pieces) {
  Json data = Json::array();
  TextPosition last;
  for (const Coloured& piece : pieces) {
    const TextPosition begin = text.place(piece.range.begin);
    const TextPosition end = text.place(piece.range.end);
    for (std::uint32_t line = begin.line; line <= end.line; ++line) {
      const std::uint32_t from = line == begin.line ? begin.character : 0;
      const std::uint32_t to = line == end.line ? end.character : text.place(text.offset({line, UINT32_MAX})).character;
      if (from >= to) continue;
      data.push_back(line - last.line);
      data.push_back(line == last.line ? from - last.character : from);
      data.push_back(to - from);
      data.push_back(static_cast<unsigned>(piece.colour));
      data.push_back(piece.shades);
      last = {line, from};
    }
  }
  return data;
}

Json to_json(const Text& text, const Symbol& symbol) {
  Json json{{"name", symbol.name},
            {"detail", symbol.detail},
            {"kind", number_of(symbol.kind)},
            {"range", to_json(text, symbol.range)},
            {"selectionRange", to_json(text, symbol.name_range)}};
  if (!symbol.children.empty()) {
    json["children"] = Json::array();
    for (const Symbol& child : symbol.children) json["children"].push_back(to_json(text, child));
  }
  return json;
}

Json to_json(const std::string& uri, const Text& text, const Symbol& symbol, const std::string& container) {
  Json json{
      {"name", symbol.name}, {"kind", number_of(symbol.kind)}, {"location", location(uri, text, symbol.name_range)}};
  if (!container.empty()) json["containerName"] = container;
  return json;
}

Json to_json(const Proposal& proposal) { return {{"label", proposal.word}, {"kind", number_of(proposal.kind)}}; }

}  // namespace lockwood::lsp
