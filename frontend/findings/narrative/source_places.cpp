#include "frontend/findings/narrative/source_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/text/diagnostic.hpp"
#include "base/text/suggestion.hpp"
#include "dpn/formats/text_scanner.hpp"

namespace lockwood::findings {
namespace {

std::optional<std::uint32_t> line_number(std::string_view text) {
  std::uint32_t line = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), line);
  if (error != std::errc{} || end != text.data() + text.size() || line == 0) return std::nullopt;
  return line;
}

class Places {
 public:
  explicit Places(const PlacedProgram& program) : program_{program} {}

  // Copies the query, with the words in sets of positions replaced.
  [[nodiscard]] std::string translated(std::string_view query) {
    std::string text;
    std::string last_word;
    bool in_set = false;
    bool of_actions = false;
    while (!query.empty()) {
      const char next = query.front();
      if (next == '\'' || next == '"') {
        const std::size_t end = query.find(next, 1);
        const std::size_t width = end == std::string_view::npos ? query.size() : end + 1;
        text += query.substr(0, width);
        query.remove_prefix(width);
      } else if (is_separator(next)) {
        if (next == '{') of_actions = last_word == "avoiding" || last_word == "requiring";
        if (next == '{' || next == '}') in_set = next == '{';
        text += next;
        query.remove_prefix(1);
      } else {
        last_word = word(query);
        if (in_set && !of_actions)
          text += place(last_word, query);
        else
          text += last_word;
      }
    }
    return text;
  }

  [[nodiscard]] std::vector<dpn::StackSymbol> symbols_at(const std::string& name) const {
    const dpn::Vocabulary<dpn::StackSymbol>& stacks = program_.lowered.network.stacks();
    for (const program::LoweredLabel& label : program_.lowered.labels)
      if (label.name == name) return label.symbols;
    if (name.starts_with("line "))
      if (const auto line = line_number(std::string_view{name}.substr(name.find_last_of(' ') + 1)))
        return symbols_on(*line, std::nullopt);
    const auto symbol = stacks.find(name);
    if (symbol && name.find(':') == std::string::npos) return {*symbol};
    if (const std::size_t colon = name.rfind(':'); colon != std::string::npos)
      if (const auto line = line_number(std::string_view{name}.substr(colon + 1)))
        return symbols_on(*line, name.substr(0, colon));
    if (symbol) return {*symbol};
    Suggestion suggestion{name};
    for (const program::LoweredLabel& label : program_.lowered.labels) suggestion.consider(label.name);
    throw InputError{{Diagnostic{.file = "query",
                                 .message = fmt::format("unknown place '{}': expected a label, 'line N', '{}:N' or "
                                                        "PROCEDURE:N",
                                                        name, file_name()),
                                 .hint = suggestion.hint()}}};
  }

 private:
  static bool is_separator(char c) { return c == '{' || c == '}' || c == ',' || c == ' ' || c == '\t' || c == '\n'; }

  // Cuts the next word off.
  static std::string word(std::string_view& query) {
    std::size_t width = 0;
    while (width < query.size() && !is_separator(query[width])) ++width;
    std::string cut{query.substr(0, width)};
    query.remove_prefix(width);
    return cut;
  }

  // In a query, `line 12` is two words.
  [[nodiscard]] std::string place(const std::string& name, std::string_view& rest) const {
    if (name == "line" && std::ranges::count(program_.lowered.labels, name, &program::LoweredLabel::name) == 0) {
      std::string_view ahead = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
      if (const auto line = line_number(word(ahead))) {
        rest = ahead;
        return written(symbols_on(*line, std::nullopt));
      }
    }
    return written(symbols_at(name));
  }

  [[nodiscard]] std::string file_name() const { return std::filesystem::path{program_.path}.filename().string(); }

  // The symbols on a line of the file, or only those of a procedure. There must be a statement.
  [[nodiscard]] std::vector<dpn::StackSymbol> symbols_on(std::uint32_t line,
                                                         const std::optional<std::string>& where) const {
    const program::Program& program = program_.program;
    auto symbols = program::symbols_on_line(program, program_.lowered, program::SourceFile{0}, line);
    if (where && *where != program_.path && *where != file_name()) {
      const auto& procedures = program.procedures;
      const bool known =
          std::ranges::any_of(procedures, [&](const program::Procedure& each) { return each.name == *where; });
      if (!known) {
        Suggestion suggestion{*where};
        suggestion.consider(file_name());
        for (const program::Procedure& each : procedures) suggestion.consider(each.name);
        throw InputError{{Diagnostic{.file = "query",
                                     .message = fmt::format("'{}' is neither the file nor a procedure", *where),
                                     .hint = suggestion.hint()}}};
      }
      std::erase_if(symbols, [&](dpn::StackSymbol symbol) {
        return procedures[program_.lowered.symbols[symbol].procedure].name != *where;
      });
    }
    if (symbols.empty() && !has_point(line))
      throw InputError{program_.path, fmt::format("there is no statement in line {}", line)};
    return symbols;
  }

  // Code that is never run has no symbols, but is there.
  [[nodiscard]] bool has_point(std::uint32_t line) const {
    return std::ranges::any_of(program_.program.procedures, [&](const program::Procedure& procedure) {
      return std::ranges::any_of(procedure.points,
                                 [&](const program::Node& node) { return node.range.begin.line == line; });
    });
  }

  [[nodiscard]] std::string written(const std::vector<dpn::StackSymbol>& symbols) const {
    std::string text;
    for (dpn::StackSymbol symbol : symbols)
      text += (text.empty() ? "" : ", ") + dpn::written_name(program_.lowered.network.stacks().name(symbol));
    return text;
  }

  const PlacedProgram& program_;
};

}  // namespace

std::string with_symbols(const PlacedProgram& program, const std::string& query) {
  return Places{program}.translated(query);
}

std::vector<dpn::StackSymbol> symbols_at(const PlacedProgram& program, const std::string& place) {
  return Places{program}.symbols_at(place);
}

}  // namespace lockwood::findings
