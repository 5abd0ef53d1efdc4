#include "frontend/findings/narrative/source_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/process/text_file.hpp"
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
    const dpn::Vocabulary<dpn::StackSymbol>& stacks = program_.lowered.network.stack_symbols();
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
    if (const auto procedures = procedures_named(name); !procedures.empty()) return entries_of(procedures);
    refuse_place(name);
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

  [[noreturn]] void refuse_place(const std::string& name) const {
    Suggestion suggestion{name};
    for (const program::LoweredLabel& label : program_.lowered.labels) suggestion.consider(label.name);
    if (of_files()) consider_procedures(suggestion);
    const std::string expected =
        of_files() ? "expected a method, CLASS:N or FILE:N"
                   : fmt::format("expected a label, 'line N', '{}:N' or PROCEDURE:N", file_name(program_.path));
    throw InputError{{Diagnostic{
        .file = "query", .message = fmt::format("unknown place '{}': {}", name, expected), .hint = suggestion.hint()}}};
  }

  // A program in one file, or one whose files are not the one that was named.
  [[nodiscard]] bool of_files() const {
    const program::SourceFiles& files = program_.program.files;
    return files.size() != 1 || files[program::SourceFile{0}] != program_.path;
  }
  static std::string file_name(const std::string& path) {
    return path == shown_path("-") ? "-" : std::filesystem::path{path}.filename().string();
  }

  // Nested classes are separated by $ in class files, and by dots in sources.
  static std::string dotted(std::string name) {
    if (name.find('.') != std::string::npos) std::ranges::replace(name, '$', '.');
    return name;
  }
  [[nodiscard]] const std::string& name_of(program::ProcedureId id) const {
    return program_.program.procedures[id].name;
  }

  // With this name, or overloads with it.
  [[nodiscard]] std::vector<program::ProcedureId> procedures_named(const std::string& name) const {
    std::vector<program::ProcedureId> found;
    if (!of_files()) return found;
    const std::string wanted = dotted(name);
    for (program::ProcedureId id : program_.program.procedures.keys()) {
      const std::string own = dotted(name_of(id));
      if (own == wanted || own.starts_with(wanted + '(')) found.push_back(id);
    }
    return found;
  }
  // The methods of a class and of classes inside of it.
  [[nodiscard]] bool is_of_class(program::ProcedureId id, const std::string& name) const {
    return of_files() && dotted(name_of(id)).starts_with(dotted(name) + '.');
  }
  [[nodiscard]] bool is_file(program::SourceFile file, const std::string& name) const {
    const std::string& path = program_.program.files[file];
    return path == name || path == shown_path(name) || path.ends_with('/' + name) ||
           (!of_files() && name == program_.path);
  }

  [[nodiscard]] std::vector<dpn::StackSymbol> entries_of(const std::vector<program::ProcedureId>& procedures) const {
    std::vector<dpn::StackSymbol> symbols;
    for (dpn::StackSymbol symbol : program_.lowered.symbols.keys()) {
      const program::SymbolOrigin& origin = program_.lowered.symbols[symbol];
      if (origin.role == program::SymbolRole::Before &&
          std::ranges::find(procedures, origin.procedure) != procedures.end() &&
          origin.point == program_.program.procedures[origin.procedure].entry)
        symbols.push_back(symbol);
    }
    return symbols;
  }

  void consider_procedures(Suggestion& suggestion) const {
    for (program::ProcedureId id : program_.program.procedures.keys())
      suggestion.consider(name_of(id).substr(0, name_of(id).find('(')));
  }

  // What is before the colon: a file, a procedure, or a class.
  using Filter = std::function<bool(program::ProcedureId, program::SourceFile)>;
  [[nodiscard]] Filter filter_of(const std::string& where) const {
    for (program::SourceFile file : program_.program.files.keys())
      if (is_file(file, where))
        return [this, where](program::ProcedureId, program::SourceFile at) { return is_file(at, where); };
    for (program::ProcedureId id : program_.program.procedures.keys())
      if (name_of(id) == where)
        return [this, where](program::ProcedureId at, program::SourceFile) { return name_of(at) == where; };
    for (program::ProcedureId id : program_.program.procedures.keys())
      if (is_of_class(id, where))
        return [this, where](program::ProcedureId at, program::SourceFile) { return is_of_class(at, where); };
    Suggestion suggestion{where};
    for (const std::string& file : program_.program.files) suggestion.consider(file_name(file));
    for (program::ProcedureId id : program_.program.procedures.keys()) {
      suggestion.consider(name_of(id));
      if (of_files())
        suggestion.consider(name_of(id).substr(0, name_of(id).substr(0, name_of(id).find('(')).rfind('.')));
    }
    const char* const what = of_files() ? "is not a source file, and not a class that the program uses"
                                        : "is neither the file nor a procedure";
    throw InputError{{Diagnostic{
        .file = "query", .message = fmt::format("'{}' {}", where, what), .excerpt = {}, .hint = suggestion.hint()}}};
  }

  // The symbols on a line of the program, of a file, of a procedure or of a class. There must be a statement.
  [[nodiscard]] std::vector<dpn::StackSymbol> symbols_on(std::uint32_t line,
                                                         const std::optional<std::string>& where) const {
    const program::Program& program = program_.program;
    if (!where && program.files.size() > 1)
      throw InputError{"query", fmt::format("the program has {} files: write FILE:{} instead of 'line {}'",
                                            program.files.size(), line, line)};
    const Filter filter = where ? filter_of(*where) : [](program::ProcedureId, program::SourceFile) { return true; };
    std::vector<dpn::StackSymbol> symbols;
    for (dpn::StackSymbol symbol : program_.lowered.symbols.keys()) {
      const program::SymbolOrigin& origin = program_.lowered.symbols[symbol];
      const program::SourceRange& range = program::range_of(program, origin);
      if (origin.role == program::SymbolRole::Before && range.begin.line == line &&
          filter(origin.procedure, range.file))
        symbols.push_back(symbol);
    }
    if (symbols.empty()) require_point(line, filter);
    return symbols;
  }

  // Code that is never run has no symbols, but is there. Models of Java programs leave out what does nothing of
  // interest.
  void require_point(std::uint32_t line, const Filter& filter) const {
    std::optional<std::uint32_t> nearest;
    const auto distance = [line](std::uint32_t other) { return other < line ? line - other : other - line; };
    for (program::ProcedureId id : program_.program.procedures.keys())
      for (const program::Node& node : program_.program.procedures[id].points) {
        const std::uint32_t other = node.range.begin.line;
        if (of_files() && !filter(id, node.range.file)) continue;
        if (other == line) return;
        if (!nearest || distance(other) < distance(*nearest)) nearest = other;
      }
    if (!of_files()) throw InputError{program_.path, fmt::format("there is no statement in line {}", line)};
    throw InputError{
        {Diagnostic{.file = "query",
                    .message = fmt::format("the model has nothing in line {}: no lock, thread, call or "
                                           "field that others can see",
                                           line),
                    .hint = nearest ? fmt::format("the nearest line that has something is {}", *nearest) : ""}}};
  }

  [[nodiscard]] std::string written(const std::vector<dpn::StackSymbol>& symbols) const {
    std::string text;
    for (dpn::StackSymbol symbol : symbols)
      text += (text.empty() ? "" : ", ") + dpn::written_name(program_.lowered.network.stack_symbols().name(symbol));
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
