#include "frontend/lsp/model_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dpn/formats/text_format.hpp"
#include "dpn/model/procedures.hpp"
#include "dpn/model/rule_positions.hpp"
#include "dpn/semantics/describe.hpp"

namespace lockwood::lsp {
namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";
constexpr std::array<std::string_view, 25> keywords{
    "dpn",    "controls", "stacks",  "locks", "actions", "initial",  "rules",     "check",     "for",
    "reach",  "conflict", "between", "and",   "iterate", "avoiding", "nolocks",   "requiring", "expect",
    "groups", "into",     "as",      "all",   "opening", "joining",  "forgetting"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The rest of the text behind blanks.
std::string_view behind_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text;
}

// How many bytes a comment or string at the beginning takes; none if there is none.
std::size_t passed_over(std::string_view text) {
  const auto through = [&](std::string_view end, std::size_t from) {
    const std::size_t at = text.find(end, from);
    return at == std::string_view::npos ? text.size() : at + end.size();
  };
  if (text.starts_with("//")) return through("\n", 2);
  if (text.starts_with("/*")) return through("*/", 2);
  if (!text.starts_with('"')) return 0;
  std::size_t end = 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n') end += text[end] == '\\' ? 2U : 1U;
  return std::min(end + 1, text.size());
}

template <class Key>
void describe(const dpn::Vocabulary<Key>& vocabulary, const char* kind, std::string_view name, std::string& lines) {
  const auto key = vocabulary.find(name);
  if (!key) return;
  const auto label = vocabulary.label(*key);
  lines +=
      fmt::format("{}{} `{}`{}", lines.empty() ? "" : "  \n", kind, name, label ? fmt::format(": {}", *label) : "");
}

}  // namespace

std::vector<ModelName> model_names(std::string_view text) {
  std::vector<ModelName> names;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t width = passed_over(text.substr(at)); width > 0) {
      at += width;
      continue;
    }
    const bool quoted = text[at] == '\'';
    if (!quoted && !is_letter(text[at]) && !is_digit(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    if (quoted)
      while (end < text.size() && text[end] != '\'' && text[end] != '\n') ++end;
    else
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    const std::size_t begin = quoted ? at + 1 : at;
    const TextRange range{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    at = quoted ? std::min(end + 1, text.size()) : end;
    std::string_view rest = behind_blanks(text.substr(at));
    ModelName name{.text = text.substr(begin, end - begin), .range = range};
    if (rest.starts_with(':')) name.labelled = behind_blanks(rest.substr(1)).starts_with('"');
    if (rest.starts_with(')')) name.head = behind_blanks(rest.substr(1)).starts_with("--");
    names.push_back(name);
  }
  return names;
}

bool is_model_keyword(std::string_view word) { return std::ranges::find(keywords, word) != keywords.end(); }

const ModelName* name_at(const std::vector<ModelName>& names, std::size_t offset) {
  const auto found = std::ranges::find_if(
      names, [&](const ModelName& name) { return name.range.begin <= offset && offset <= name.range.end; });
  return found == names.end() ? nullptr : &*found;
}

TextRange declaration(const std::vector<ModelName>& names, std::string_view name) {
  const auto first = [&](auto property) {
    return std::ranges::find_if(names, [&](const ModelName& each) { return each.text == name && property(each); });
  };
  auto found = first([](const ModelName& each) { return each.labelled; });
  if (found == names.end()) found = first([](const ModelName& each) { return each.head; });
  if (found == names.end()) found = first([](const ModelName&) { return true; });
  return found == names.end() ? TextRange{} : found->range;
}

std::string described(const dpn::Network& network, std::string_view name) {
  std::string lines;
  describe(network.stack_symbols(), "stack symbol", name, lines);
  describe(network.control_states(), "control state", name, lines);
  describe(network.actions(), "action", name, lines);
  describe(network.locks(), "lock", name, lines);
  describe(network.groups(), "group", name, lines);
  return lines;
}

TextRange line_of(const dpn::Query& query, const lw::TextLines& lines, std::string_view text) {
  const std::size_t begin = query.at ? std::min(lines.offset(*query.at), text.size()) : 0;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

namespace {

// Procedures in the order in which their first rules stand in the text, with their rules.
std::vector<Symbol> procedure_outline(const dpn::Network& network, const lw::TextLines& lines, std::string_view text) {
  const dpn::Procedures procedures = dpn::procedures(network);
  const auto positions = dpn::rule_positions(network, text);
  std::vector<Symbol> symbols;
  IdVector<dpn::ProcedureId, std::optional<std::size_t>> entry_of(procedures.table.size());
  for (dpn::RuleId rule : network.rules().keys()) {
    const auto owner = procedures.owner[network.rule(rule).from.top];
    if (!owner || positions[rule].line == 0) continue;
    const std::size_t begin = std::min(lines.offset(positions[rule]), text.size());
    const TextRange range{static_cast<std::uint32_t>(begin),
                          static_cast<std::uint32_t>(std::min(text.find('\n', begin), text.size()))};
    if (!entry_of[*owner]) {
      entry_of[*owner] = symbols.size();
      symbols.push_back({.name = std::string{network.stack_symbols().shown(procedures.table[*owner].entry)},
                         .detail = "procedure",
                         .kind = SymbolKind::Procedure,
                         .range = range,
                         .name_range = range,
                         .children = {}});
    }
    Symbol& procedure = symbols[*entry_of[*owner]];
    procedure.range.begin = std::min(procedure.range.begin, range.begin);
    procedure.range.end = std::max(procedure.range.end, range.end);
    procedure.children.push_back({.name = dpn::describe(network, network.rule(rule)),
                                  .detail = "rule",
                                  .kind = SymbolKind::Label,
                                  .range = range,
                                  .name_range = range,
                                  .children = {}});
  }
  return symbols;
}

}  // namespace

std::vector<Symbol> outline(const dpn::ModelFile& model, const lw::TextLines& lines, std::string_view text) {
  std::vector<Symbol> symbols = procedure_outline(model.network, lines, text);
  for (const dpn::Query& query : model.queries) {
    if (!query.at) continue;
    const TextRange range = line_of(query, lines, text);
    symbols.push_back({.name = dpn::to_text(model.network, query),
                       .detail = query.expected ? std::string{"expected "} + to_string(*query.expected) : "",
                       .kind = SymbolKind::Query,
                       .range = range,
                       .name_range = range,
                       .children = {}});
  }
  return symbols;
}

std::vector<Proposal> proposals(const dpn::ModelFile* model) {
  std::vector<Proposal> words;
  for (std::string_view keyword : keywords) words.push_back({std::string{keyword}, Proposal::Kind::Keyword});
  if (model == nullptr) return words;
  const dpn::Network& network = model->network;
  const auto add = [&](const auto& vocabulary, Proposal::Kind kind) {
    for (auto key : vocabulary.keys()) words.push_back({std::string{vocabulary.name(key)}, kind});
  };
  add(network.stack_symbols(), Proposal::Kind::StackSymbol);
  add(network.locks(), Proposal::Kind::Lock);
  add(network.actions(), Proposal::Kind::Action);
  return words;
}

}  // namespace lockwood::lsp
