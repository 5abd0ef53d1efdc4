#include "frontend/cli/commands/version_files.hpp"

#include <fmt/format.h>

#include <set>

#include "base/text/sha256.hpp"
#include "frontend/lw/text_lines.hpp"

namespace lockwood::frontend {
namespace {

// "f(int,bool):int"
std::string head_of(const program::Procedure& procedure) {
  std::string head = procedure.name + '(';
  for (std::size_t i = 0; i < procedure.parameters; ++i)
    head += procedure.locals[program::Local{i}].type == program::Type::Bool ? "bool," : "int,";
  head += ')';
  if (procedure.result) head += *procedure.result == program::Type::Bool ? ":bool" : ":int";
  return head;
}

}  // namespace

std::string common_digest(const ProgramInput& input, const program::ExplorationOptions& search) {
  std::string text =
      fmt::format("{} {} {}\n", search.limits.frames, search.limits.threads, search.limits.invisible_instructions);
  for (const program::VariableInfo& variable : input.program().variables)
    text += fmt::format("var {} {}\n", variable.name, variable.initial);
  for (const program::LockInfo& lock : input.program().locks) text += fmt::format("lock {}\n", lock.name);
  return sha256(text);
}

std::map<std::string, std::string> procedure_texts(const ProgramInput& input) {
  const std::string& text = input.model.source.text;
  const lw::TextLines lines{text};
  std::map<std::string, std::string> texts;
  for (const program::Procedure& procedure : input.program().procedures) {
    const std::size_t begin = lines.offset(procedure.range.begin);
    texts[procedure.name] = text.substr(begin, lines.offset(procedure.range.end) - begin);
  }
  return texts;
}

std::map<std::string, std::string> procedure_digests(const ProgramInput& input) {
  const std::map<std::string, std::string> texts = procedure_texts(input);
  std::map<std::string, std::string> digests;
  for (const program::Procedure& procedure : input.program().procedures) {
    std::string content = texts.at(procedure.name);
    std::set<std::string> heads;
    for (const program::Node& node : procedure.points) {
      if (const auto* call = std::get_if<program::Call>(&node.instruction))
        heads.insert(head_of(input.program().procedures[call->procedure]));
      if (const auto* spawn = std::get_if<program::Spawn>(&node.instruction))
        heads.insert(head_of(input.program().procedures[spawn->procedure]));
    }
    for (const std::string& head : heads) content += '\n' + head;
    digests[procedure.name] = sha256(content);
  }
  return digests;
}

}  // namespace lockwood::frontend
