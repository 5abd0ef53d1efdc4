#include "frontend/lsp/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "frontend/lsp/colours.hpp"
#include "frontend/lsp/folding.hpp"
#include "frontend/lsp/model_names.hpp"
#include "frontend/lsp/program_names.hpp"
#include "frontend/lsp/protocol.hpp"
#include "frontend/lsp/rename.hpp"
#include "frontend/lsp/repairs.hpp"

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
  Json shown = Json::array();
  for (const Lens& lens : lenses(*document.reading, *document.analysis))
    shown.push_back(to_json(document.uri, document.text, lens));
  return shown;
}

namespace {

Json action(const std::string& title) { return {{"title", title}, {"kind", "quickfix"}}; }

// An editor may ask for other kinds of actions only.
bool wants_repairs(const Json& parameters) {
  const Json::json_pointer only{"/context/only"};
  return !parameters.contains(only) || std::ranges::any_of(parameters.at(only), [](const Json& kind) {
    return kind.is_string() && (kind == "" || kind == "quickfix");
  });
}

// The advice about a variable, if it is about the text as it is.
const findings::VariableAdvice* advice_about(const Document& document, const std::string& variable) {
  const Decisions& decisions = document.analysis->decisions;
  if (document.analysed != document.edition || !decisions.advice) return nullptr;
  const program::Program& program = decisions.program->source().program;
  const auto found = std::ranges::find_if(*decisions.advice, [&](const findings::VariableAdvice& advice) {
    return program::shown_name(program.variables[advice.variable]) == variable;
  });
  return found == decisions.advice->end() ? nullptr : &*found;
}

// The whole advice, and the part of it that is about the line, if that is another one.
void add_guards(const Document& document, const std::string& variable, const findings::VariableAdvice& advice,
                std::uint32_t line, Json& actions) {
  const ProgramFacts& facts = *document.analysis->decisions.program;
  const auto add = [&](const Guarding& guard, const std::string& title, bool preferred) {
    Json each = action(title);
    each["edit"] = workspace_edit(document.uri, document.text, guard.changes);
    each["isPreferred"] = preferred;
    actions.push_back(std::move(each));
  };
  const auto all = guarding(facts, advice);
  if (all)
    add(*all,
        fmt::format("Hold {} at all accesses to {} that race: sync around {} {}", all->lock, variable, all->statements,
                    all->statements == 1 ? "statement" : "statements"),
        true);
  const auto here = guarding(facts, advice, line);
  if (here && !(all && all->changes == here->changes))
    add(*here, fmt::format("Hold {} at the access to {} in this line, as guards advises", here->lock, variable), !all);
}

void add_actions(const Document& document, const findings::Finding& finding, std::size_t offset, Json& actions) {
  const std::string rule = findings::to_string(finding.rule);
  const std::string on = fmt::format("{} on {}", rule == "waiting" ? "waiting for ever" : rule, finding.subject);
  if (finding.rule == findings::Rule::Race)
    if (const findings::VariableAdvice* advice = advice_about(document, finding.subject)) {
      const std::uint32_t line = document.reading->lines.position(offset).line;
      add_guards(document, finding.subject, *advice, line, actions);
    }
  if (const auto remark = ignore_remark(*document.reading, offset, rule, finding.subject)) {
    Json ignore = action(fmt::format("Ignore the {} in this line", on));
    ignore["edit"] = workspace_edit(document.uri, document.text, {*remark});
    actions.push_back(std::move(ignore));
  }
  Json show = action(fmt::format("Show the schedule of the {} as a page", on));
  show["command"] = {{"title", show["title"]},
                     {"command", findings_page_command},
                     {"arguments", Json::array({to_json(document.uri, {.rule = rule, .subject = finding.subject})})}};
  actions.push_back(std::move(show));
}

}  // namespace

// One set of actions for all findings of a rule about a subject.
Json code_actions(const Document& document, const Json& parameters) {
  Json actions = Json::array();
  if (!document.analysis || !wants_repairs(parameters)) return actions;
  const std::uint32_t first = place_of(parameters.at("range").at("start")).line;
  const std::uint32_t last = place_of(parameters.at("range").at("end")).line;
  std::set<std::pair<findings::Rule, std::string>> done;
  for (const ShownFinding& shown : document.analysis->findings)
    for (TextRange site : shown.sites) {
      const std::uint32_t line = document.text.place(site.begin).line;
      if (line < first || line > last) continue;
      if (done.emplace(shown.finding->rule, shown.finding->subject).second)
        add_actions(document, *shown.finding, site.begin, actions);
    }
  return actions;
}

Json highlights(const Document& document, const Json& parameters) {
  constexpr int as_text = 1;
  const std::size_t offset = asked_offset(document, parameters);
  Json found = Json::array();
  const auto add = [&](TextRange range, int kind) {
    found.push_back({{"range", to_json(document.text, range)}, {"kind", kind}});
  };
  if (document.language == Language::Model) {
    const auto names = model_names(document.text.content());
    if (const ModelName* name = name_at(names, offset))
      for (const ModelName& other : names)
        if (other.text == name->text) add(other.range, as_text);
  } else if (document.reading->program) {
    const lw::ProgramText& source = document.reading->program->source();
    if (const auto name = name_at(source, offset)) {
      const auto roles = roles_of_names(source);
      const auto kind = [&](lw::NameId each) {
        switch (roles[each]) {
          case NameRole::Reads: return 2;
          case NameRole::Sets: return 3;
          case NameRole::Names: break;
        }
        return as_text;
      };
      for (lw::NameId other : mentions(source, *name)) add(source.tree.names[other].range, kind(other));
    }
  }
  return found;
}

Json folding_ranges(const Document& document, const Json&) {
  Json ranges = Json::array();
  for (const Fold& fold : folds(document.text)) ranges.push_back(to_json(fold));
  return ranges;
}

Json semantic_tokens(const Document& document, const Json&) {
  const Reading* known = document.last_good.get();
  const std::string& text = document.text.content();
  const auto pieces = document.language == Language::Model
                          ? coloured(model_names(text), known == nullptr ? nullptr : &known->model->network)
                          : coloured(text, known == nullptr ? nullptr : &known->program->source());
  return {{"data", colour_data(document.text, pieces)}};
}

namespace {

// What is at the place: calls `of_model` with the name, or `of_program`. Nothing if there is no name.
template <class OfProgram, class OfModel>
Json with_name(const Document& document, const Json& parameters, OfProgram of_program, OfModel of_model) {
  const std::size_t offset = asked_offset(document, parameters);
  if (!document.reading->program && !document.reading->model)
    throw Refusal{ErrorCode::RequestFailed, "nothing can be renamed while the text has errors"};
  try {
    if (document.reading->program) {
      const lw::ProgramText& source = document.reading->program->source();
      const auto name = name_at(source, offset);
      return name ? of_program(source, *name) : Json{};
    }
    const auto names = model_names(document.text.content());
    const ModelName* name = name_at(names, offset);
    return name == nullptr ? Json{} : of_model(names, *name);
  } catch (const NotRenamed& refusal) {
    throw Refusal{ErrorCode::RequestFailed, refusal.what()};
  }
}

}  // namespace

Json prepare_rename(const Document& document, const Json& parameters) {
  const auto offered = [&](TextRange range, std::string_view name) {
    return Json{{"range", to_json(document.text, range)}, {"placeholder", name}};
  };
  return with_name(
      document, parameters,
      [&](const lw::ProgramText& source, lw::NameId name) {
        check_renamable(source, name);
        return offered(source.tree.names[name].range, source.tree.names[name].text);
      },
      [&](const std::vector<ModelName>&, const ModelName& name) {
        check_renamable(*document.reading->model, name);
        return offered(name.range, name.text);
      });
}

Json rename(const Document& document, const Json& parameters) {
  const auto to = parameters.at("newName").get<std::string>();
  const auto made = [&](const std::vector<Change>& changes) {
    return workspace_edit(document.uri, document.text, changes);
  };
  return with_name(
      document, parameters,
      [&](const lw::ProgramText& source, lw::NameId name) { return made(renaming(source, name, to)); },
      [&](const std::vector<ModelName>& names, const ModelName& name) {
        return made(renaming(document.text.content(), *document.reading->model, names, name, to));
      });
}

}  // namespace lockwood::lsp
