#include "treeauto/json.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/json.hpp"
#include "base/json_text.hpp"
#include "base/suggestion.hpp"
#include "treeauto/automaton_builder.hpp"

namespace lockwood::treeauto {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t error_limit = 20;
constexpr const char* format_name = "lockwood/tree-automaton/1";

// A list with one element a line.
std::string lines(const std::vector<Json>& elements) {
  std::string text = "[";
  for (std::size_t i = 0; i < elements.size(); ++i) text += (i == 0 ? "\n    " : ",\n    ") + elements[i].dump();
  return text + (elements.empty() ? "]" : "\n  ]");
}

// Finds values in a text that is known to be JSON.
class JsonText {
 public:
  explicit JsonText(std::string_view text) : text_{text} {}

  // Where the value with that path begins, or as much of the path as there is.
  [[nodiscard]] std::size_t offset_of(std::string_view path) const {
    std::size_t value = after_space(text_.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    while (!path.empty()) {
      path.remove_prefix(1);
      const std::string_view step = path.substr(0, path.find('/'));
      path.remove_prefix(step.size());
      const auto found = element(value, step);
      if (!found) return value;
      value = *found;
    }
    return value;
  }
  // Of the value that begins there: all of it, but only the bracket of a list or an object.
  [[nodiscard]] std::size_t width(std::size_t value) const {
    return text_[value] == '{' || text_[value] == '[' ? 1 : end(value) - value;
  }

 private:
  [[nodiscard]] std::size_t after_space(std::size_t offset) const {
    return std::min(text_.find_first_not_of(" \t\r\n", offset), text_.size());
  }
  [[nodiscard]] std::size_t end_of_string(std::size_t quote) const {
    std::size_t offset = quote + 1;
    while (text_[offset] != '"') offset += text_[offset] == '\\' ? 2U : 1U;
    return offset + 1;
  }
  [[nodiscard]] std::size_t end(std::size_t value) const {
    std::size_t depth = 0;
    for (std::size_t offset = value;;) {
      const char byte = text_[offset];
      if (byte == '"') {
        offset = end_of_string(offset);
      } else if (byte == '{' || byte == '[') {
        ++depth;
        ++offset;
      } else if (byte == '}' || byte == ']') {
        --depth;
        ++offset;
      } else if (depth > 0) {
        ++offset;
      } else {
        offset = std::min(text_.find_first_of(",]} \t\r\n", offset), text_.size());
      }
      if (depth == 0) return offset;
    }
  }
  // The member of an object with that name, or the element of a list with that number.
  [[nodiscard]] std::optional<std::size_t> element(std::size_t whole, std::string_view step) const {
    const bool is_object = text_[whole] == '{';
    if (!is_object && text_[whole] != '[') return std::nullopt;
    std::size_t next = after_space(whole + 1);
    for (std::size_t number = 0; text_[next] != '}' && text_[next] != ']'; ++number) {
      std::string_view name;
      if (is_object) {
        name = text_.substr(next + 1, end(next) - next - 2);
        next = after_space(after_space(end(next)) + 1);
      }
      if (is_object ? name == step : std::to_string(number) == step) return next;
      next = after_space(end(next));
      if (text_[next] == ',') next = after_space(next + 1);
    }
    return std::nullopt;
  }

  std::string_view text_;
};

class Reader {
  using Json = nlohmann::json;

 public:
  Reader(std::string_view text, std::string_view file, StopToken stop) : text_{text}, file_{file}, stop_{stop} {}

  [[nodiscard]] Automaton automaton() {
    const Json document = parse_json_text(text_, file_, {.stop = stop_});
    if (!document.is_object()) {
      report("", "expected an object");
    } else if (text_member(document, "", "format") != format_name) {
      report("/format", std::string{"expected \""} + format_name + "\"");
    } else {
      read(document);
    }
    if (!errors_.empty()) throw InputError{std::move(errors_)};
    return std::move(builder_).build();
  }

 private:
  void read(const Json& document) {
    if (document.contains("name"))
      if (const auto name = text_member(document, "", "name")) builder_.set_name(*name);
    each(document, "symbols", [&](const Json& symbol, const std::string& path) {
      const auto name = text_member(symbol, path, "name");
      const auto rank = symbol.is_object() && symbol.contains("rank") ? symbol["rank"] : Json{};
      if (!rank.is_number_unsigned())
        return report(path + "/rank", "expected a number from 0 to " + std::to_string(rank_limit));
      if (rank.get<std::uint64_t>() > rank_limit)
        return report(path + "/rank", "a rank can be at most " + std::to_string(rank_limit));
      if (name) builder_.symbol(*name, rank.get<std::size_t>());
    });
    each(document, "states", [&](const Json& state, const std::string& path) {
      if (!state.is_string()) return report(path, "expected a string");
      builder_.state(state.get_ref<const std::string&>());
    });
    each(document, "final", [&](const Json& state, const std::string& path) {
      if (const auto known = known_state(state, path)) builder_.set_final(*known);
    });
    each(document, "transitions", [&](const Json& transition, const std::string& path) {
      const auto name = text_member(transition, path, "symbol");
      if (!name) return;
      std::vector<State> children;
      const std::size_t errors_before = errors_.size();
      each(
          transition, "children",
          [&](const Json& child, const std::string& child_path) {
            if (const auto known = known_state(child, child_path)) children.push_back(*known);
          },
          path);
      const auto target = known_state(transition.contains("target") ? transition["target"] : Json{}, path + "/target");
      if (errors_.size() != errors_before) return;
      const auto symbol = builder_.find_symbol(*name, children.size());
      if (!symbol)
        return report(path + "/symbol", "unknown symbol '" + *name + "' of rank " + std::to_string(children.size()));
      builder_.add(*symbol, children, *target);
    });
  }

  template <class Visit>
  void each(const Json& object, const char* member, Visit&& visit, const std::string& object_path = "") {
    const std::string path = object_path + "/" + member;
    if (!object.contains(member) || !object[member].is_array()) return report(path, "expected a list");
    std::size_t index = 0;
    for (const Json& element : object[member]) {
      stop_.check();
      visit(element, path + "/" + std::to_string(index++));
    }
  }

  std::optional<std::string> text_member(const Json& object, const std::string& path, const char* member) {
    if (object.is_object() && object.contains(member) && object[member].is_string())
      return object[member].get<std::string>();
    report(path + "/" + member, "expected a string");
    return std::nullopt;
  }

  std::optional<State> known_state(const Json& name, const std::string& path) {
    if (!name.is_string()) {
      report(path, "expected the name of a state");
      return std::nullopt;
    }
    const auto found = builder_.find_state(name.get_ref<const std::string&>());
    if (!found) report(path, "unknown state '" + name.get<std::string>() + "'");
    return found;
  }

  void report(const std::string& path, std::string message) {
    const JsonText json{text_};
    const std::size_t offset = json.offset_of(path);
    errors_.push_back(diagnostic_at(file_, text_, offset, json.width(offset),
                                    (path.empty() ? "" : path + ": ") + std::move(message)));
    if (errors_.size() == error_limit) throw InputError{std::move(errors_)};
  }

  std::string_view text_;
  std::string_view file_;
  StopToken stop_;
  AutomatonBuilder builder_;
  std::vector<Diagnostic> errors_;
};

}  // namespace

std::string to_json(const Automaton& automaton) try {
  const Alphabet& alphabet = automaton.alphabet();
  std::vector<Json> symbols;
  for (Symbol symbol : alphabet.symbols())
    symbols.push_back({{"name", std::string{alphabet.name(symbol)}}, {"rank", alphabet.rank(symbol)}});
  std::vector<std::string> names;
  for (State state : automaton.states()) names.push_back(automaton.state_name(state));
  Json final_states = Json::array();
  for (State state : automaton.final_states()) final_states.push_back(names[state.index()]);
  std::vector<Json> transitions;
  for (TransitionId id : automaton.transitions()) {
    Json children = Json::array();
    for (State child : automaton.children(id)) children.push_back(names[child.index()]);
    transitions.push_back({{"symbol", std::string{alphabet.name(automaton.symbol(id))}},
                           {"children", std::move(children)},
                           {"target", names[automaton.target(id).index()]}});
  }
  std::string text = "{\n  \"format\": " + Json(format_name).dump();
  if (!automaton.name().empty()) text += ",\n  \"name\": " + Json(automaton.name()).dump();
  text += ",\n  \"symbols\": " + lines(symbols);
  text += ",\n  \"states\": " + Json(names).dump();
  text += ",\n  \"final\": " + final_states.dump();
  return text + ",\n  \"transitions\": " + lines(transitions) + "\n}\n";
} catch (const Json::type_error&) {
  throw InputError{"output", "a name is not UTF-8, so it cannot be written as JSON"};
}

Automaton read_json(std::string_view text, std::string_view file, StopToken stop) {
  return Reader{text, file, stop}.automaton();
}

}  // namespace lockwood::treeauto
