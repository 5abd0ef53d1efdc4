#include "frontend/lsp/program_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "frontend/lw/parser.hpp"
#include "frontend/lw/text_lines.hpp"

namespace lockwood::lsp {
namespace {

using lw::NameId;
using lw::ProgramText;

// The declaration of the procedure around the byte, if there is one.
const lw::ProcedureDeclaration* procedure_around(const ProgramText& program, std::size_t offset) {
  for (const lw::Declaration& declaration : program.tree.declarations)
    if (const auto* procedure = std::get_if<lw::ProcedureDeclaration>(&declaration))
      if (procedure->range.begin <= offset && offset < procedure->range.end) return procedure;
  return nullptr;
}

program::ProcedureId id_of(const ProgramText& program, const lw::ProcedureDeclaration& procedure) {
  return std::get<program::ProcedureId>(program.referents[procedure.name]);
}

bool within(TextRange inner, TextRange outer) { return outer.begin <= inner.begin && inner.end <= outer.end; }

std::string signature(const ProgramText& program, const lw::ProcedureDeclaration& procedure) {
  std::vector<std::string> parameters;
  for (const lw::Parameter& parameter : procedure.parameters)
    parameters.push_back((parameter.type == lw::Type::Bool ? "bool " : "") + program.tree.names[parameter.name].text);
  return fmt::format("{}({})", program.tree.names[procedure.name].text, fmt::join(parameters, ", "));
}

Symbol symbol(const ProgramText& program, NameId name, SymbolKind kind, TextRange range, std::string detail) {
  const lw::Name& written = program.tree.names[name];
  return {.name = written.text,
          .detail = std::move(detail),
          .kind = kind,
          .range = range,
          .name_range = written.range,
          .children = {}};
}

// The labels in a block and in the blocks inside, in the order of the text.
void add_labels(const ProgramText& program, const lw::Block& block, std::vector<Symbol>& labels) {
  for (lw::StatementId id : block) {
    const lw::Statement& statement = program.tree.statements[id];
    for (NameId label : statement.labels) {
      const TextRange range{program.tree.names[label].range.begin, statement.range.end};
      labels.push_back(symbol(program, label, SymbolKind::Label, range, "label"));
    }
    for (const lw::Block* inner : lw::blocks_of(statement)) add_labels(program, *inner, labels);
  }
}

class Described {
 public:
  Described(const ProgramText& program, NameId name) : program_{program}, name_{name} {}
  std::string operator()(std::monostate) const { return fmt::format("`{}`", text()); }
  std::string operator()(program::Variable variable) const {
    return fmt::format("shared variable `{}`, at first {}", text(), program_.program.variables[variable].initial);
  }
  std::string operator()(program::Lock) const { return fmt::format("lock `{}`", text()); }
  std::string operator()(program::ProcedureId id) const {
    for (const lw::Declaration& declaration : program_.tree.declarations)
      if (const auto* procedure = std::get_if<lw::ProcedureDeclaration>(&declaration))
        if (id_of(program_, *procedure) == id) return fmt::format("procedure `{}`", signature(program_, *procedure));
    return fmt::format("procedure `{}`", text());
  }
  std::string operator()(program::Local local) const {
    const auto* procedure = procedure_around(program_, program_.tree.names[name_].range.begin);
    if (procedure == nullptr) return fmt::format("local `{}`", text());
    const program::Procedure& owner = program_.program.procedures[id_of(program_, *procedure)];
    const char* kind = local.index() < owner.parameters ? "parameter" : "local";
    return fmt::format("{} `{}` of `{}`, {}", kind, text(), owner.name,
                       owner.locals[local].type == program::Type::Bool ? "bool" : "int");
  }
  std::string operator()(program::Group) const {
    const auto* procedure = procedure_around(program_, program_.tree.names[name_].range.begin);
    if (procedure == nullptr) return fmt::format("thread handle `{}`", text());
    return fmt::format("thread handle `{}` of `{}`", text(),
                       program_.program.procedures[id_of(program_, *procedure)].name);
  }
  std::string operator()(lw::LabelName) const { return fmt::format("label `{}`", text()); }

 private:
  [[nodiscard]] const std::string& text() const { return program_.tree.names[name_].text; }
  const ProgramText& program_;
  NameId name_;
};

}  // namespace

std::optional<NameId> name_at(const ProgramText& program, std::size_t offset) {
  for (NameId name : program.tree.names.keys()) {
    const TextRange range = program.tree.names[name].range;
    if (range.begin <= offset && offset <= range.end) return name;
  }
  return std::nullopt;
}

std::vector<NameId> mentions(const ProgramText& program, NameId name) {
  const lw::Referent referent = program.referents[name];
  const lw::Name& asked = program.tree.names[name];
  if (std::holds_alternative<std::monostate>(referent)) return {name};
  // Locals and handles are numbered in each procedure anew, and a label is known by its text.
  const bool local =
      std::holds_alternative<program::Local>(referent) || std::holds_alternative<program::Group>(referent);
  const auto* scope = local ? procedure_around(program, asked.range.begin) : nullptr;
  const bool label = std::holds_alternative<lw::LabelName>(referent);
  std::vector<NameId> found;
  for (NameId other : program.tree.names.keys()) {
    const lw::Name& candidate = program.tree.names[other];
    const lw::Referent& meant = program.referents[other];
    const bool same = label ? meant == referent && candidate.text == asked.text : meant == referent;
    if (same && (scope == nullptr || within(candidate.range, scope->range))) found.push_back(other);
  }
  std::ranges::sort(found, {}, [&](NameId each) { return program.tree.names[each].range.begin; });
  return found;
}

std::vector<TextRange> occurrences(const ProgramText& program, NameId name) {
  std::vector<TextRange> found;
  for (NameId each : mentions(program, name)) found.push_back(program.tree.names[each].range);
  return found;
}

IdVector<NameId, NameRole> roles_of_names(const ProgramText& program) {
  const lw::SyntaxTree& tree = program.tree;
  IdVector<NameId, NameRole> roles(tree.names.size(), NameRole::Names);
  for (const lw::Expression& expression : tree.expressions)
    if (const auto* used = std::get_if<lw::NameUse>(&expression.form)) roles[used->name] = NameRole::Reads;
  for (const lw::Statement& statement : tree.statements) {
    if (const auto* assignment = std::get_if<lw::Assignment>(&statement.form))
      roles[assignment->target] = NameRole::Sets;
    else if (const auto* spawn = std::get_if<lw::SpawnStatement>(&statement.form); spawn != nullptr && spawn->handle)
      roles[*spawn->handle] = NameRole::Sets;
    else if (const auto* join = std::get_if<lw::JoinStatement>(&statement.form); join != nullptr && join->handle)
      roles[*join->handle] = NameRole::Reads;
  }
  const DeclaredNames declared = declared_names(program);
  for (NameId name : roles.keys())
    if (declared.declares[name] && !std::holds_alternative<program::Lock>(program.referents[name]) &&
        !std::holds_alternative<program::ProcedureId>(program.referents[name]) &&
        !std::holds_alternative<lw::LabelName>(program.referents[name]))
      roles[name] = NameRole::Sets;
  return roles;
}

DeclaredNames declared_names(const ProgramText& program) {
  const lw::SyntaxTree& tree = program.tree;
  DeclaredNames names{IdVector<NameId, bool>(tree.names.size()), IdVector<NameId, bool>(tree.names.size())};
  const auto declares = [&](NameId name) { names.declares[name] = true; };
  std::vector<const lw::ProcedureDeclaration*> procedures;  // in the order of the text
  for (const lw::Declaration& declaration : tree.declarations) {
    if (const auto* variables = std::get_if<lw::SharedVariables>(&declaration)) {
      for (const auto& item : variables->items) declares(item.name);
    } else if (const auto* locks = std::get_if<lw::Locks>(&declaration)) {
      for (NameId name : locks->names) declares(name);
    } else {
      const auto& procedure = std::get<lw::ProcedureDeclaration>(declaration);
      declares(procedure.name);
      for (const lw::Parameter& parameter : procedure.parameters) declares(parameter.name);
      procedures.push_back(&procedure);
    }
  }
  for (const lw::Statement& statement : tree.statements) {
    for (NameId label : statement.labels) declares(label);
    if (const auto* locals = std::get_if<lw::DeclareLocals>(&statement.form))
      for (const lw::DeclareItem& item : locals->items) declares(item.name);
    if (const auto* threads = std::get_if<lw::DeclareThreads>(&statement.form))
      for (const auto& item : threads->items) declares(item.name);
  }
  for (NameId name : tree.names.keys()) {
    const auto* local = std::get_if<program::Local>(&program.referents[name]);
    if (local == nullptr) continue;
    const std::uint32_t at = tree.names[name].range.begin;
    const auto behind = std::ranges::upper_bound(
        procedures, at, {}, [](const lw::ProcedureDeclaration* procedure) { return procedure->range.begin; });
    if (behind == procedures.begin()) continue;
    const auto owner = id_of(program, **std::prev(behind));
    names.parameter[name] = local->index() < program.program.procedures[owner].parameters;
  }
  return names;
}

TextRange declaration(const ProgramText& program, NameId name) {
  const auto bytes = [&](const program::SourceRange& range) {
    const lw::TextLines lines{program.text};
    return TextRange{static_cast<std::uint32_t>(lines.offset(range.begin)),
                     static_cast<std::uint32_t>(lines.offset(range.end))};
  };
  const lw::Referent referent = program.referents[name];
  if (const auto* variable = std::get_if<program::Variable>(&referent))
    return bytes(program.program.variables[*variable].range);
  if (const auto* lock = std::get_if<program::Lock>(&referent)) return bytes(program.program.locks[*lock].range);
  if (const auto* procedure = std::get_if<program::ProcedureId>(&referent))
    for (const lw::Declaration& each : program.tree.declarations)
      if (const auto* declared = std::get_if<lw::ProcedureDeclaration>(&each))
        if (id_of(program, *declared) == *procedure) return program.tree.names[declared->name].range;
  // A local is declared before its uses, and a label is not used.
  return occurrences(program, name).front();
}

std::string described(const ProgramText& program, NameId name) {
  return std::visit(Described{program, name}, program.referents[name]);
}

std::vector<Symbol> outline(const ProgramText& program) {
  std::vector<Symbol> symbols;
  for (const lw::Declaration& declaration : program.tree.declarations) {
    if (const auto* variables = std::get_if<lw::SharedVariables>(&declaration)) {
      for (const auto& [name, initial] : variables->items)
        symbols.push_back(
            symbol(program, name, SymbolKind::Variable, program.tree.names[name].range, "shared variable"));
    } else if (const auto* locks = std::get_if<lw::Locks>(&declaration)) {
      for (NameId name : locks->names)
        symbols.push_back(symbol(program, name, SymbolKind::Lock, program.tree.names[name].range, "lock"));
    } else {
      const auto& procedure = std::get<lw::ProcedureDeclaration>(declaration);
      Symbol entry =
          symbol(program, procedure.name, SymbolKind::Procedure, procedure.range, signature(program, procedure));
      add_labels(program, procedure.body, entry.children);
      symbols.push_back(std::move(entry));
    }
  }
  return symbols;
}

std::vector<Proposal> proposals(const ProgramText* program, std::size_t offset) {
  std::vector<Proposal> words;
  for (std::string_view keyword : lw::keywords()) words.push_back({std::string{keyword}, Proposal::Kind::Keyword});
  if (program == nullptr) return words;
  for (const auto& variable : program->program.variables) words.push_back({variable.name, Proposal::Kind::Variable});
  for (const auto& lock : program->program.locks) words.push_back({lock.name, Proposal::Kind::Lock});
  for (const auto& procedure : program->program.procedures)
    words.push_back({procedure.name, Proposal::Kind::Procedure});
  if (const auto* around = procedure_around(*program, offset)) {
    std::set<std::string> locals;  // the name of a hidden local is there twice
    for (const auto& local : program->program.procedures[id_of(*program, *around)].locals)
      if (!local.name.empty()) locals.insert(local.name);
    for (const auto& group : program->program.procedures[id_of(*program, *around)].groups)
      if (!group.name.empty()) locals.insert(group.name);
    for (const std::string& local : locals) words.push_back({local, Proposal::Kind::Local});
  }
  return words;
}

}  // namespace lockwood::lsp
