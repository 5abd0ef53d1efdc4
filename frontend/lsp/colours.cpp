#include "frontend/lsp/colours.hpp"

#include <algorithm>
#include <map>

#include "frontend/lsp/program_names.hpp"
#include "frontend/lw/parser.hpp"
#include "frontend/lw/scanner.hpp"

namespace lockwood::lsp {
namespace {

struct Paint {
  Colour colour = Colour::Variable;
  unsigned shades = Plain;
};

class PaintOf {
 public:
  explicit PaintOf(bool parameter) : parameter_{parameter} {}
  Paint operator()(std::monostate) const { return {}; }
  Paint operator()(program::Variable) const { return {Colour::Variable, Shared}; }
  Paint operator()(program::Lock) const { return {Colour::Lock}; }
  Paint operator()(program::ProcedureId) const { return {Colour::Function}; }
  Paint operator()(program::Local) const { return {parameter_ ? Colour::Parameter : Colour::Variable}; }
  Paint operator()(program::Group) const { return {Colour::Variable, Thread}; }
  Paint operator()(lw::LabelName) const { return {Colour::Label}; }

 private:
  bool parameter_;
};

IdVector<lw::NameId, Paint> paints(const lw::ProgramText& program) {
  const DeclaredNames declared = declared_names(program);
  const auto roles = roles_of_names(program);
  IdVector<lw::NameId, Paint> paints(program.tree.names.size());
  for (lw::NameId name : paints.keys()) {
    Paint& paint = paints[name];
    paint = std::visit(PaintOf{declared.parameter[name]}, program.referents[name]);
    if (declared.declares[name])
      paint.shades |= Declares;
    else if (roles[name] == NameRole::Sets)
      paint.shades |= Sets;
  }
  return paints;
}

// How the words of a text are painted: those of the program at their places, or others by what they are called.
class Painter {
 public:
  Painter(std::string_view text, const lw::ProgramText* known) {
    if (known == nullptr) return;
    const auto all = paints(*known);
    const bool current = known->text == text;
    for (lw::NameId name : all.keys())
      if (const lw::Name& written = known->tree.names[name]; current)
        by_place_.emplace(written.range.begin, all[name]);
      else
        by_text_.emplace(written.text, Paint{all[name].colour, all[name].shades & (Shared | Thread)});
  }

  [[nodiscard]] std::optional<Paint> of(TextRange range, std::string_view word) const {
    if (lw::is_keyword(word)) return Paint{Colour::Keyword};
    if (const auto found = by_place_.find(range.begin); found != by_place_.end()) return found->second;
    if (const auto found = by_text_.find(word); found != by_text_.end()) return found->second;
    return std::nullopt;
  }

 private:
  std::map<std::uint32_t, Paint> by_place_;
  std::map<std::string, Paint, std::less<>> by_text_;
};

}  // namespace

std::vector<Coloured> coloured(std::string_view text, const lw::ProgramText* known) {
  const lw::Scan scan = lw::scan(text, "");
  const Painter painter{text, known};
  std::vector<Coloured> pieces;
  for (const lw::Token& token : scan.tokens) {
    if (token.kind == lw::TokenKind::Number) pieces.push_back({token.range, Colour::Number});
    if (token.kind != lw::TokenKind::Word) continue;
    const std::string_view word = text.substr(token.range.begin, token.range.end - token.range.begin);
    if (const auto paint = painter.of(token.range, word)) pieces.push_back({token.range, paint->colour, paint->shades});
  }
  for (const lw::Comment& comment : scan.comments) pieces.push_back({comment.range, Colour::Comment});
  std::ranges::sort(pieces, {}, [](const Coloured& piece) { return piece.range.begin; });
  return pieces;
}

std::vector<Coloured> coloured(const std::vector<ModelName>& names, const dpn::Network* network) {
  std::vector<Coloured> pieces;
  for (const ModelName& name : names) {
    std::optional<Colour> colour;
    if (network != nullptr) {
      if (network->stack_symbols().find(name.text))
        colour = Colour::Label;
      else if (network->locks().find(name.text))
        colour = Colour::Lock;
      else if (network->actions().find(name.text))
        colour = Colour::Event;
      else if (network->control_states().find(name.text))
        colour = Colour::Type;
      else if (network->groups().find(name.text))
        colour = Colour::Group;
    }
    if (!colour && is_model_keyword(name.text)) colour = Colour::Keyword;
    if (colour) pieces.push_back({name.range, *colour, name.labelled ? unsigned{Declares} : unsigned{Plain}});
  }
  return pieces;
}

}  // namespace lockwood::lsp
