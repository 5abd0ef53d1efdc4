#include "frontend/lsp/repairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "frontend/lsp/rename.hpp"
#include "frontend/lw/scanner.hpp"
#include "frontend/lw/text_lines.hpp"

namespace lockwood::lsp {
namespace {

using lw::StatementId;

bool in_comment(const lw::ProgramText& program, std::size_t offset) {
  return std::ranges::any_of(program.tree.comments, [&](const lw::Comment& comment) {
    return comment.range.begin < offset && offset < comment.range.end;
  });
}

std::string margin_of(std::string_view text, std::size_t line_begin) {
  const std::size_t end = std::min(text.find_first_not_of(" \t", line_begin), text.size());
  return std::string{text.substr(line_begin, end - line_begin)};
}

std::size_t line_begin(std::string_view text, std::size_t offset) {
  return offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;  // npos + 1 is 0
}

// A remark that stands for itself is about the line below: nothing is put between the two.
bool remark_above(const lw::ProgramText& program, std::size_t begin) {
  return std::ranges::any_of(program.tree.comments, [&](const lw::Comment& comment) {
    if (!comment.alone || comment.range.end > begin || !comment.text.starts_with("lockwood:")) return false;
    const std::string_view between =
        std::string_view{program.text}.substr(comment.range.end, begin - comment.range.end);
    return between.find_first_not_of(" \t\r\n") == std::string_view::npos && std::ranges::count(between, '\n') == 1;
  });
}

// Puts statements of one program inside of `sync (lock)`.
class Enclosing {
 public:
  Enclosing(const lw::ProgramText& program, std::string lock) : program_{program}, lock_{std::move(lock)} {}

  // False if that cannot be done, or would do more under the lock than the access and its statement.
  bool enclose(const program::Access& access) {
    const lw::TextLines lines{program_.text};
    const TextRange range{static_cast<std::uint32_t>(lines.offset(access.range.begin)),
                          static_cast<std::uint32_t>(lines.offset(access.range.end))};
    const auto statement = innermost(range);
    if (!statement || !can_be_enclosed(*statement)) return false;
    enclosed_.insert(*statement);
    return true;
  }

  // Statements inside of others that are enclosed have the lock already.
  [[nodiscard]] std::vector<StatementId> outermost() const {
    std::vector<StatementId> found;
    for (StatementId each : enclosed_)
      if (std::ranges::none_of(
              enclosed_, [&](StatementId other) { return other != each && within(range_of(each), range_of(other)); }))
        found.push_back(each);
    std::ranges::sort(found, {}, [&](StatementId each) { return range_of(each).begin; });
    return found;
  }

  [[nodiscard]] std::vector<Change> changes() const {
    std::vector<Change> changes;
    for (StatementId each : outermost()) {
      if (const auto* locals = std::get_if<lw::DeclareLocals>(&program_.tree.statements[each].form))
        split(*locals, range_of(each), changes);
      else
        surround(range_of(each), changes);
    }
    return changes;
  }

 private:
  static bool within(TextRange inner, TextRange outer) { return outer.begin <= inner.begin && inner.end <= outer.end; }
  [[nodiscard]] TextRange range_of(StatementId id) const { return program_.tree.statements[id].range; }

  [[nodiscard]] std::optional<StatementId> innermost(TextRange range) const {
    std::optional<StatementId> found;
    for (StatementId id : program_.tree.statements.keys())
      if (within(range, range_of(id)) && (!found || within(range_of(id), range_of(*found)))) found = id;
    return found;
  }

  // An access that is directly in a statement with blocks is in its condition.
  [[nodiscard]] bool can_be_enclosed(StatementId id) const {
    const lw::Statement& statement = program_.tree.statements[id];
    if (const auto* locals = std::get_if<lw::DeclareLocals>(&statement.form))
      return can_be_split(*locals, statement.range);
    if (std::holds_alternative<lw::DeclareThreads>(statement.form)) return false;
    return lw::blocks_of(statement).empty() || is_brief(statement);
  }

  // Branches that only assign end soon, and take no lock: to hold one more meanwhile makes nobody wait for ever.
  [[nodiscard]] bool is_brief(const lw::Statement& statement) const {
    if (std::holds_alternative<lw::IfStatement>(statement.form))
      return std::ranges::none_of(program_.tree.expressions,
                                  [&](const lw::Expression& each) {
                                    return std::holds_alternative<lw::CallExpression>(each.form) &&
                                           within(each.range, statement.range);
                                  }) &&
             std::ranges::all_of(lw::blocks_of(statement), [&](const lw::Block* block) {
               return std::ranges::all_of(*block,
                                          [&](StatementId inner) { return is_brief(program_.tree.statements[inner]); });
             });
    return std::holds_alternative<lw::Assignment>(statement.form) ||
           std::holds_alternative<lw::SkipStatement>(statement.form) ||
           std::holds_alternative<lw::PrintStatement>(statement.form) ||
           std::holds_alternative<lw::DeclareLocals>(statement.form);
  }

  [[nodiscard]] std::string_view text_of(TextRange range) const {
    return std::string_view{program_.text}.substr(range.begin, range.end - range.begin);
  }
  [[nodiscard]] const std::string& text_of(lw::NameId name) const { return program_.tree.names[name].text; }

  [[nodiscard]] bool follows_a_statement(TextRange range) const {
    const std::vector<lw::Token> tokens = lw::scan(program_.text, program_.path).tokens;
    const auto here = std::ranges::find(tokens, range.begin, [](const lw::Token& token) { return token.range.begin; });
    if (here == tokens.begin() || here == tokens.end()) return false;
    const std::string_view before = text_of(std::prev(here)->range);
    return before == "{" || before == "}" || before == ";";
  }

  // Not if it is the whole body of a loop or branch, without braces: of two statements, only the first would be. Nor if
  // an initial value speaks of a variable that has the name of one of the locals.
  [[nodiscard]] bool can_be_split(const lw::DeclareLocals& locals, TextRange range) const {
    return follows_a_statement(range) &&
           std::ranges::all_of(program_.tree.expressions, [&](const lw::Expression& expression) {
             const auto* used = std::get_if<lw::NameUse>(&expression.form);
             if (used == nullptr) return true;
             const bool inside = std::ranges::any_of(locals.items, [&](const lw::DeclareItem& item) {
               return item.initial && within(expression.range, program_.tree.expressions[*item.initial].range);
             });
             return !inside || std::ranges::none_of(locals.items, [&](const lw::DeclareItem& item) {
               return text_of(item.name) == text_of(used->name);
             });
           });
  }

  // `local i = x;` becomes `local i; sync (a) { i = x; }`
  void split(const lw::DeclareLocals& locals, TextRange range, std::vector<Change>& changes) const {
    std::string declared = locals.type == lw::Type::Bool ? "bool" : "local";
    std::string assigned;
    for (const lw::DeclareItem& item : locals.items) {
      declared += fmt::format("{} {}", &item == &locals.items.front() ? "" : ",", text_of(item.name));
      if (item.initial)
        assigned +=
            fmt::format(" {} = {};", text_of(item.name), text_of(program_.tree.expressions[*item.initial].range));
    }
    changes.push_back({range, fmt::format("{}; sync ({}) {{{} }}", declared, lock_, assigned)});
  }

  // On one line, or with the statement on lines of its own, further in.
  void surround(TextRange range, std::vector<Change>& changes) const {
    const std::string_view text = program_.text;
    const std::string margin = margin_of(text, line_begin(text, range.begin));
    const std::size_t first_end = std::min(text.find('\n', range.begin), text.size());
    if (first_end >= range.end) {
      changes.push_back({{range.begin, range.begin}, fmt::format("sync ({}) {{ ", lock_)});
      changes.push_back({{range.end, range.end}, " }"});
      return;
    }
    changes.push_back({{range.begin, range.begin}, fmt::format("sync ({}) {{\n{}  ", lock_, margin)});
    for (std::size_t at = first_end + 1; at < range.end; at = std::min(text.find('\n', at), text.size()) + 1) {
      const auto here = static_cast<std::uint32_t>(at);
      if (text[at] != '\n' && text[at] != '\r' && !in_comment(program_, at)) changes.push_back({{here, here}, "  "});
    }
    changes.push_back({{range.end, range.end}, fmt::format("\n{}}}", margin)});
  }

  const lw::ProgramText& program_;
  std::string lock_;
  std::set<StatementId> enclosed_;
};

}  // namespace

std::optional<Change> ignore_remark(const Reading& reading, std::size_t offset, const std::string& rule,
                                    const std::string& subject) {
  if (!reading.program) return std::nullopt;
  const lw::ProgramText& program = reading.program->source();
  const std::string_view text = program.text;
  const std::size_t begin = line_begin(text, offset);
  const std::string remark = fmt::format("// lockwood: ignore {}({}) -- say why", rule, subject);
  if (!in_comment(program, begin) && !remark_above(program, begin)) {
    const auto here = static_cast<std::uint32_t>(begin);
    return Change{{here, here}, margin_of(text, begin) + remark + '\n'};
  }
  std::size_t end = std::min(text.find('\n', offset), text.size());
  while (end > offset && (text[end - 1] == '\r' || text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
  const bool behind_comment = std::ranges::any_of(program.tree.comments, [&](const lw::Comment& comment) {
    return offset < comment.range.begin && comment.range.begin < end;
  });
  if (behind_comment || in_comment(program, end)) return std::nullopt;
  const auto here = static_cast<std::uint32_t>(end);
  return Change{{here, here}, "  " + remark};
}

std::optional<Guarding> guarding(const ProgramFacts& facts, const findings::VariableAdvice& advice,
                                 std::optional<std::uint32_t> line) {
  if (!advice.addition || advice.addition->adds_deadlock) return std::nullopt;
  const lw::ProgramText& program = facts.source();
  const std::string& lock = program.program.locks[program::Lock{advice.addition->lock.index()}].name;
  Enclosing enclosing{program, lock};
  for (const findings::LockAddition::Around& around : advice.addition->around) {
    const program::Access& access = facts.lowered().accesses[around.at.index()];
    if (line && access.range.begin.line != *line) continue;
    if (!enclosing.enclose(access)) return std::nullopt;
  }
  if (enclosing.outermost().empty()) return std::nullopt;
  Guarding guarding{lock, enclosing.outermost().size(), enclosing.changes()};
  try {
    (void)lw::read_program(changed(program.text, guarding.changes), program.path);
  } catch (const InputError&) {  // `if (c) local i = x; else …`
    return std::nullopt;
  }
  return guarding;
}

}  // namespace lockwood::lsp
