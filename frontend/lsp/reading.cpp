#include "frontend/lsp/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "frontend/findings/analyses/same_model.hpp"

namespace lockwood::lsp {
namespace {

// Nobody reads more, and an editor slows down. What is beyond is counted.
constexpr std::size_t max_warnings = 500;

TextRange bytes_of(const program::SourceRange& range, const lw::TextLines& lines) {
  return {static_cast<std::uint32_t>(lines.offset(range.begin)), static_cast<std::uint32_t>(lines.offset(range.end))};
}

template <class Warnings, class RemarkOf>
void add_warnings(Reading& reading, const Warnings& warnings, const RemarkOf& remark_of_warning) {
  std::size_t left_out = 0;
  for (const auto& warning : warnings) {
    std::optional<Remark> remark = remark_of_warning(warning);
    if (!remark) continue;
    if (reading.remarks.size() < max_warnings)
      reading.remarks.push_back(*std::move(remark));
    else
      ++left_out;
  }
  if (left_out > 0)
    reading.remarks.push_back({.range = {},
                               .severity = Severity::Note,
                               .code = {},
                               .message = fmt::format("{} more warnings are not shown", left_out),
                               .related = {}});
}

void read_program(Reading& reading, const std::string& name, const ReadingOptions& options, const Reading* before) {
  lw::ProgramText source = before != nullptr && before->program
                               ? lw::read_program_again(reading.text.content(), before->program->source())
                               : lw::read_program(reading.text.content(), name);
  add_warnings(reading, source.warnings, [&](const program::Warning& warning) -> std::optional<Remark> {
    if (std::ranges::find(options.silenced, warning.code) != options.silenced.end()) return std::nullopt;
    return Remark{.range = bytes_of(warning.range, reading.lines),
                  .severity = Severity::Warning,
                  .code = std::string{program::name_of(warning.code)},
                  .message = warning.message,
                  .related = {}};
  });
  reading.program = std::make_shared<const ProgramFacts>(
      std::move(source), options.lowering,
      before != nullptr && before->program ? before->program->last_network_facts() : nullptr);
}

void read_model(Reading& reading, const std::string& name) {
  dpn::ModelFile model = dpn::parse_model(reading.text.content(), name);
  add_warnings(reading, model.warnings, [&](const Diagnostic& warning) -> std::optional<Remark> {
    return remark_of(warning, reading.lines, reading.text.content());
  });
  reading.model = std::make_shared<const dpn::ModelFile>(std::move(model));
  reading.model_facts =
      std::make_shared<NetworkFacts>(std::shared_ptr<const dpn::Network>{reading.model, &reading.model->network});
}

bool same_roles(const program::Lowered& a, const program::Lowered& b) {
  return std::ranges::equal(a.symbols, b.symbols, {}, &program::SymbolOrigin::role, &program::SymbolOrigin::role);
}

}  // namespace

const program::Lowered& ProgramFacts::lowered() const {
  const std::lock_guard lock{lowered_mutex_};
  if (!lowered_) lowered_ = std::make_shared<const program::Lowered>(program::lower(source_.program, options_));
  return *lowered_;
}

std::shared_ptr<NetworkFacts> ProgramFacts::network_facts() const {
  const program::Lowered& model = lowered();
  const std::lock_guard lock{facts_mutex_};
  if (facts_) return facts_;
  if (earlier_ && findings::same_model(*earlier_->lowered(), model) && same_roles(*earlier_->lowered(), model))
    facts_ = std::move(earlier_);
  else
    facts_ = std::make_shared<NetworkFacts>(lowered_);
  earlier_.reset();
  return facts_;
}

std::shared_ptr<NetworkFacts> ProgramFacts::last_network_facts() const {
  const std::lock_guard lock{facts_mutex_};
  return facts_ ? facts_ : earlier_;
}

std::shared_ptr<const Reading> read(Text text, const std::string& name, Language language,
                                    const ReadingOptions& options, const Reading* before) {
  lw::TextLines lines{text.content()};
  auto reading = std::make_shared<Reading>(Reading{.text = std::move(text),
                                                   .lines = std::move(lines),
                                                   .remarks = {},
                                                   .program = {},
                                                   .model = {},
                                                   .model_facts = {}});
  try {
    if (language == Language::Program)
      read_program(*reading, name, options, before);
    else
      read_model(*reading, name);
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics())
      reading->remarks.push_back(remark_of(diagnostic, reading->lines, reading->text.content()));
  }
  return reading;
}

Remark remark_of(const Diagnostic& diagnostic, const lw::TextLines& lines, std::string_view text) {
  Remark remark{.range = {},
                .severity = diagnostic.severity,
                .code = {},
                .message = diagnostic.message + (diagnostic.hint.empty() ? "" : "; " + diagnostic.hint),
                .related = {}};
  if (diagnostic.at) {
    const std::size_t begin = std::min(lines.offset(*diagnostic.at), text.size());
    // Without an excerpt, the width is not known: the line is meant.
    const std::size_t line_end = std::min(text.find('\n', begin), text.size());
    const std::size_t end = diagnostic.excerpt.empty() ? line_end : std::min(begin + diagnostic.width, text.size());
    remark.range = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  return remark;
}

}  // namespace lockwood::lsp
