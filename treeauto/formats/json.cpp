#include "treeauto/formats/json.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/json_place.hpp"
#include "base/text/json_text.hpp"
#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"
#include "treeauto/automaton/automaton_builder.hpp"

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
    constexpr std::array<std::string_view, 6> members{"format", "name", "symbols", "states", "final", "transitions"};
    check_members(document, "", members);
    if (document.contains("name"))
      if (const auto name = text_member(document, "", "name")) builder_.set_name(*name);
    each(document, "symbols", [&](const Json& symbol, const std::string& path) {
      const auto name = text_member(symbol, path, "name");
      const auto rank = symbol.is_object() && symbol.contains("rank") ? symbol["rank"] : Json{};
      if (!rank.is_number_unsigned())
        return report(path + "/rank", "expected a number from 0 to " + std::to_string(rank_limit));
      if (rank.get<std::uint64_t>() > rank_limit)
        return report(path + "/rank", "a rank can be at most " + std::to_string(rank_limit));
      constexpr std::array<std::string_view, 2> symbol_members{"name", "rank"};
      check_members(symbol, path, symbol_members);
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
      constexpr std::array<std::string_view, 3> transition_members{"symbol", "children", "target"};
      check_members(transition, path, transition_members);
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

  // What is not understood could change the meaning of the rest.
  void check_members(const Json& object, const std::string& path, std::span<const std::string_view> known) {
    for (const auto& [name, value] : object.items())
      if (std::ranges::find(known, name) == known.end())
        report(path, "unknown member '" + shown_name(name) + "'", suggestion_hint(name, known));
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

  void report(const std::string& path, const std::string& message, std::string hint = {}) {
    errors_.push_back(diagnostic_at_path(file_, text_, path, message));
    errors_.back().hint = std::move(hint);
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
