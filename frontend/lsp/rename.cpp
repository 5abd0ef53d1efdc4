#include "frontend/lsp/rename.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/findings/suppressions.hpp"
#include "frontend/lsp/program_names.hpp"
#include "frontend/lw/parser.hpp"
#include "frontend/lw/text_lines.hpp"

namespace lockwood::lsp {
namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return begins_name(c) || (c >= '0' && c <= '9'); });
}

[[noreturn]] void refuse(std::string_view from, std::string_view to, std::string_view why) {
  throw NotRenamed{fmt::format("'{}' cannot be called '{}': {}", from, to, why)};
}

// What a comment says to ignore, if it is such a remark.
std::vector<std::string> ignored_names(const lw::Comment& comment) {
  const auto found = findings::suppressions({{.text = comment.text, .at = {}, .line = 0, .alone = false}}, "");
  return found.all.empty() ? std::vector<std::string>{} : found.all.front().subjects;
}

// Where the name is in the list of names of the remark `lockwood: ignore race(x) -- reason`, which is the first
// parenthesis.
std::vector<TextRange> places_in_remark(std::string_view text, const lw::Comment& comment, std::string_view name) {
  std::vector<TextRange> places;
  const std::string_view written = text.substr(comment.range.begin, comment.range.end - comment.range.begin);
  const std::size_t end = written.find(')');
  for (std::size_t at = written.find('('); at < end;) {
    at = std::min(written.find_first_not_of("( ,\t\r\n", at), end);
    const std::size_t stop = std::min(written.find_first_of(" ,\t\r\n)", at), end);
    if (written.substr(at, stop - at) == name)
      places.push_back({comment.range.begin + static_cast<std::uint32_t>(at),
                        comment.range.begin + static_cast<std::uint32_t>(stop)});
    at = stop;
  }
  return places;
}

// Remarks name shared variables and locks.
void add_remarks(const lw::ProgramText& program, std::string_view from, std::string_view to,
                 std::vector<Change>& changes) {
  const lw::TextLines lines{program.text};
  for (const lw::Comment& comment : program.tree.comments) {
    const std::vector<std::string> names = ignored_names(comment);
    if (std::ranges::find(names, to) != names.end())
      refuse(from, to,
             fmt::format("a comment in line {} ignores findings of '{}' already",
                         lines.position(comment.range.begin).line, to));
    if (std::ranges::find(names, from) == names.end()) continue;
    for (TextRange place : places_in_remark(program.text, comment, from)) changes.push_back({place, std::string{to}});
  }
}

// Whether both are names of the same kind, of which there is only one: shared variables, locks and procedures; labels.
bool share_names(const lw::Referent& a, const lw::Referent& b) {
  const auto shared = [](const lw::Referent& each) {
    return std::holds_alternative<program::Variable>(each) || std::holds_alternative<program::Lock>(each) ||
           std::holds_alternative<program::ProcedureId>(each);
  };
  const bool labels = std::holds_alternative<lw::LabelName>(a) && std::holds_alternative<lw::LabelName>(b);
  return labels || (shared(a) && shared(b));
}

// The line of the first name that means something else than before, or none.
std::optional<std::uint32_t> misunderstood(const lw::ProgramText& before, const lw::ProgramText& after) {
  const std::size_t names = std::min(before.tree.names.size(), after.tree.names.size());
  for (lw::NameId name : IdRange<lw::NameId>{names})
    if (before.referents[name] != after.referents[name])
      return lw::TextLines{after.text}.position(after.tree.names[name].range.begin).line;
  return std::nullopt;
}

}  // namespace

std::string changed(std::string_view text, const std::vector<Change>& changes) {
  std::string result;
  std::size_t at = 0;
  for (const Change& change : changes) {
    result += text.substr(at, change.range.begin - at);
    result += change.text;
    at = change.range.end;
  }
  return result += text.substr(at);
}

void check_renamable(const lw::ProgramText& program, lw::NameId name) {
  if (std::holds_alternative<program::ProcedureId>(program.referents[name]) && program.tree.names[name].text == "main")
    throw NotRenamed{"'main' is where the program begins, and keeps its name"};
}

std::vector<Change> renaming(const lw::ProgramText& program, lw::NameId name, std::string_view to) {
  const std::string& from = program.tree.names[name].text;
  check_renamable(program, name);
  if (to == from) return {};
  if (!is_word(to) || !begins_name(to.front()))
    refuse(from, to, "a name is a letter or '_', and then letters, digits and '_'");
  if (lw::is_keyword(to)) refuse(from, to, fmt::format("'{}' is a reserved word", to));
  for (lw::NameId other : program.tree.names.keys())
    if (program.tree.names[other].text == to && share_names(program.referents[name], program.referents[other]))
      refuse(from, to,
             fmt::format("'{}' is declared already, in line {}", to,
                         lw::TextLines{program.text}.position(declaration(program, other).begin).line));
  std::vector<Change> changes;
  for (TextRange range : occurrences(program, name)) changes.push_back({range, std::string{to}});
  const lw::Referent& referent = program.referents[name];
  if (std::holds_alternative<program::Variable>(referent) || std::holds_alternative<program::Lock>(referent)) {
    add_remarks(program, from, to, changes);
    std::ranges::sort(changes, {}, [](const Change& change) { return change.range.begin; });
  }
  try {
    const lw::ProgramText after = lw::read_program(changed(program.text, changes), program.path);
    if (const auto line = misunderstood(program, after))
      refuse(from, to, fmt::format("'{}' in line {} would mean something else", to, *line));
  } catch (const InputError& error) {
    refuse(from, to, error.diagnostics().front().message);
  }
  return changes;
}

namespace {

// How many kinds of things of the model have the name.
std::size_t kinds_called(const dpn::Network& network, std::string_view name) {
  const auto has = [&](const auto& vocabulary) { return vocabulary.find(name) ? std::size_t{1} : std::size_t{0}; };
  return has(network.stack_symbols()) + has(network.control_states()) + has(network.actions()) + has(network.locks()) +
         has(network.groups());
}

// All names but the one are as they were, and that one is now another.
template <class Key>
bool renamed_only(const dpn::Vocabulary<Key>& before, const dpn::Vocabulary<Key>& after, std::string_view from,
                  std::string_view to) {
  if (before.size() != after.size()) return false;
  return std::ranges::all_of(before.keys(), [&](Key key) {
    return after.name(key) == (before.name(key) == from ? to : before.name(key)) &&
           after.label(key) == before.label(key);
  });
}

bool same_but_for_the_name(const dpn::ModelFile& before, const dpn::ModelFile& after, std::string_view from,
                           std::string_view to) {
  const dpn::Network& a = before.network;
  const dpn::Network& b = after.network;
  return a.rules() == b.rules() && a.initial() == b.initial() && before.queries == after.queries &&
         renamed_only(a.stack_symbols(), b.stack_symbols(), from, to) &&
         renamed_only(a.control_states(), b.control_states(), from, to) &&
         renamed_only(a.actions(), b.actions(), from, to) && renamed_only(a.locks(), b.locks(), from, to) &&
         renamed_only(a.groups(), b.groups(), from, to);
}

bool is_quoted(std::string_view text, const ModelName& name) {
  return name.range.begin > 0 && text[name.range.begin - 1] == '\'';
}

}  // namespace

void check_renamable(const dpn::ModelFile& model, const ModelName& name) {
  const std::size_t kinds = kinds_called(model.network, name.text);
  if (kinds == 0) throw NotRenamed{fmt::format("'{}' is not a name of the model", name.text)};
  if (kinds > 1) throw NotRenamed{fmt::format("'{}' is the name of several things of different kinds", name.text)};
}

std::vector<Change> renaming(std::string_view text, const dpn::ModelFile& model, const std::vector<ModelName>& names,
                             const ModelName& name, std::string_view to) {
  const std::string from{name.text};
  check_renamable(model, name);
  if (to == from) return {};
  std::vector<Change> changes;
  bool all_quoted = true;
  for (const ModelName& each : names) {
    if (each.text != name.text) continue;
    changes.push_back({each.range, std::string{to}});
    all_quoted = all_quoted && is_quoted(text, each);
  }
  const bool printable = !to.empty() && to.find_first_of("'\n\r\\") == std::string_view::npos;
  if (!is_word(to) && !(all_quoted && printable)) refuse(from, to, "a name without quotes is letters, digits and '_'");
  try {
    const dpn::ModelFile after = dpn::parse_model(changed(text, changes), "model.dpn");
    if (!same_but_for_the_name(model, after, from, to)) refuse(from, to, "the model would be another one");
  } catch (const InputError& error) {
    refuse(from, to, error.diagnostics().front().message);
  }
  return changes;
}

}  // namespace lockwood::lsp
