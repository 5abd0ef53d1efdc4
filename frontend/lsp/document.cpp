#include "frontend/lsp/document.hpp"

#include <charconv>

#include "frontend/lsp/protocol.hpp"

namespace lockwood::lsp {
namespace {

// The last part of the address, for messages: `bank%20one.lw` is `bank one.lw`.
std::string file_name(const std::string& uri) {
  const std::string_view last = std::string_view{uri}.substr(uri.rfind('/') + 1);
  std::string name;
  for (std::size_t i = 0; i < last.size(); ++i) {
    unsigned byte = 0;
    const char* digits = last.data() + i + 1;
    if (last[i] == '%' && i + 2 < last.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      name += static_cast<char>(byte);
      i += 2;
    } else {
      name += last[i];
    }
  }
  return name;
}

std::optional<Language> language_of(const std::string& uri, const std::string& id) {
  if (uri.ends_with(".lw")) return Language::Program;
  if (uri.ends_with(".dpn")) return Language::Model;
  if (id == "lockwood" || id == "lw") return Language::Program;
  if (id == "dpn") return Language::Model;
  return std::nullopt;
}

}  // namespace

std::optional<Document> opened(const Json& parameters) {
  const Json& told = parameters.at("textDocument");
  auto uri = told.at("uri").get<std::string>();
  const auto language = language_of(uri, told.value("languageId", ""));
  if (!language) return std::nullopt;
  return Document{.uri = std::move(uri),
                  .language = *language,
                  .version = told.value("version", std::int64_t{0}),
                  .text = Text{told.at("text").get<std::string>()},
                  .reading = {},
                  .last_good = {},
                  .analysis = {},
                  .analysis_due = {},
                  .running = {},
                  .computing = {}};
}

void change(Document& document, const Json& parameters) {
  Text text = document.text;  // if one change is wrong, none is made
  std::optional<Analysis> analysis;
  if (document.analysis) analysis = *document.analysis;
  for (const Json& each : parameters.at("contentChanges")) {
    const auto by = each.at("text").get<std::string>();
    lw::TextEdit made;
    if (const auto range = each.find("range"); range != each.end()) {
      made = text.replace(place_of(range->at("start")), place_of(range->at("end")), by);
    } else {  // editors that send the whole text have changed a part of it
      made = lw::difference(text.content(), by);
      text = Text{by};
    }
    if (analysis) move(*analysis, made);
  }
  document.text = std::move(text);
  if (analysis) document.analysis = std::make_shared<const Analysis>(*std::move(analysis));
  document.version = parameters.at("textDocument").value("version", document.version + 1);
  ++document.edition;
  document.reading.reset();
}

const Reading& current_reading(Document& document, const ReadingOptions& options) {
  if (!document.reading) {
    document.reading =
        read(document.text, file_name(document.uri), document.language, options, document.last_good.get());
    if (document.reading->program || document.reading->model) document.last_good = document.reading;
  }
  return *document.reading;
}

}  // namespace lockwood::lsp
