#include "frontend/lsp/features.hpp"

#include "frontend/lsp/model_names.hpp"
#include "frontend/lsp/program_names.hpp"
#include "frontend/lsp/protocol.hpp"

namespace lockwood::lsp {
namespace {

std::size_t asked_offset(const Document& document, const Json& parameters) {
  return document.text.offset(place_of(parameters.at("position")));
}

template <class Items>
Json list(const Text& text, const Items& items) {
  Json json = Json::array();
  for (const auto& item : items) json.push_back(to_json(text, item));
  return json;
}

}  // namespace

Json definition(const Document& document, const Json& parameters) {
  const std::size_t offset = asked_offset(document, parameters);
  if (document.language == Language::Model) {
    const auto names = model_names(document.text.content());
    const ModelName* name = name_at(names, offset);
    return name == nullptr ? Json{} : location(document.uri, document.text, declaration(names, name->text));
  }
  if (!document.reading->program) return {};
  const lw::ProgramText& source = document.reading->program->source();
  const auto name = name_at(source, offset);
  return name ? location(document.uri, document.text, declaration(source, *name)) : Json{};
}

Json references(const Document& document, const Json& parameters) {
  const std::size_t offset = asked_offset(document, parameters);
  bool with_declaration = true;
  if (const auto context = parameters.find("context"); context != parameters.end())
    with_declaration = context->value("includeDeclaration", true);
  Json found = Json::array();
  const auto add = [&](TextRange range, TextRange declared) {
    if (with_declaration || range.begin != declared.begin)
      found.push_back(location(document.uri, document.text, range));
  };
  if (document.language == Language::Model) {
    const auto names = model_names(document.text.content());
    if (const ModelName* name = name_at(names, offset)) {
      const TextRange declared = declaration(names, name->text);
      for (const ModelName& other : names)
        if (other.text == name->text) add(other.range, declared);
    }
  } else if (document.reading->program) {
    const lw::ProgramText& source = document.reading->program->source();
    if (const auto name = name_at(source, offset)) {
      const TextRange declared = declaration(source, *name);
      for (TextRange range : occurrences(source, *name)) add(range, declared);
    }
  }
  return found;
}

// While the text has errors, the outline stays what it was.
Json document_symbols(const Document& document, const Json&) {
  if (!document.last_good) return Json::array();
  const Reading& reading = *document.last_good;
  if (reading.program) return list(reading.text, outline(reading.program->source()));
  return list(reading.text, outline(*reading.model, reading.lines, reading.text.content()));
}

Json completion(const Document& document, const Json& parameters) {
  const std::size_t offset = asked_offset(document, parameters);
  const Reading* known = document.last_good.get();
  const auto words = document.language == Language::Model
                         ? proposals(known == nullptr ? nullptr : known->model.get())
                         : proposals(known == nullptr ? nullptr : &known->program->source(), offset);
  Json items = Json::array();
  for (const Proposal& word : words) items.push_back(to_json(word));
  return items;
}

// Of a program, the last counts above the names as they stand now. Of a model, verdicts have lines: only those of the
// text as it is.
Json code_lenses(const Document& document, const Json&) {
  if (!document.analysis || !(document.reading->program || document.reading->model)) return Json::array();
  if (document.language == Language::Model && document.analysed != document.edition) return Json::array();
  return list(document.text, lenses(*document.reading, *document.analysis));
}

}  // namespace lockwood::lsp
