#include <algorithm>
#include <array>

#include "base/text/json.hpp"
#include "base/text/json_place.hpp"
#include "base/text/json_text.hpp"
#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/formats/text_scanner.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/model/query_form.hpp"
#include "dpn/model/symbol_names.hpp"

namespace lockwood::dpn {
namespace {

using Json = nlohmann::json;

constexpr std::size_t depth_limit = 16;  // a model nests six deep
constexpr std::size_t error_limit = 20;

// Thrown when there are so many errors that going on helps nobody.
struct ErrorLimitReached {};

// Where a value is in the document; only errors spell it out.
struct Path {
  const Path* parent = nullptr;
  std::string_view member;  // empty: an element
  std::size_t index = 0;
  [[nodiscard]] Path of(std::string_view name) const { return {this, name}; }
  [[nodiscard]] Path at(std::size_t element) const { return {this, {}, element}; }
};

std::string to_text(const Path& path) {
  if (path.parent == nullptr) return "";
  return to_text(*path.parent) + '/' + (path.member.empty() ? std::to_string(path.index) : std::string{path.member});
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : text_{text}, file_{file} {}

  ModelFile read(StopToken stop) {
    builder_.listen_to(stop);
    const auto take = [this](const Json& document, std::string_view member, const Json& element) {
      return member == "rules" && read_early(document, element);
    };
    try {
      root(parse_json_text(text_, file_, {.depth_limit = depth_limit, .take = take, .stop = stop}));
    } catch (const ErrorLimitReached&) {
    }
    if (!errors_.empty()) throw InputError{std::move(errors_)};
    Network network = std::move(builder_).build();
    if (const std::size_t repeated = rule_count_ - network.rules().size(); repeated > 0)
      warnings_.push_back({.severity = Severity::Warning,
                           .file = std::string{file_},
                           .message = "/rules: " + std::to_string(repeated) + " rules are there already"});
    return ModelFile{std::move(network), std::move(queries_), std::move(warnings_)};
  }

 private:
  // --- errors ---

  void error(const Path& path, const std::string& message, std::string hint = {}) {
    if (errors_.size() == error_limit) {
      errors_.push_back({.file = std::string{file_}, .message = "too many errors, the rest is not read"});
      throw ErrorLimitReached{};
    }
    errors_.push_back(diagnostic_at_path(file_, text_, to_text(path), message));
    errors_.back().hint = std::move(hint);
  }

  bool is(bool condition, const Path& path, const char* expected) {
    if (!condition) error(path, std::string{"expected "} + expected);
    return condition;
  }

  // Complains about members that are not among these: most likely misspelt.
  void check_members(const Json& object, const Path& path, std::span<const std::string_view> known) {
    for (const auto& [key, value] : object.items())
      if (std::ranges::find(known, key) == known.end())
        error(path, "unknown member '" + shown_name(key) + "'", suggestion_hint(key, known));
  }

  const Json* member(const Json& object, const Path& path, const char* key) {
    const auto found = object.find(key);
    if (found != object.end()) return &*found;
    error(path, std::string{"no member '"} + key + "'");
    return nullptr;
  }

  // Calls `read` with each element of an array and its path.
  template <class Read>
  void each(const Json& array, const Path& path, const Read& read) {
    if (!is(array.is_array(), path, "an array")) return;
    for (std::size_t i = 0; i < array.size(); ++i) read(array[i], path.at(i));
  }

  // --- the parts of a model ---

  [[nodiscard]] static bool is_model(const Json& document) {
    const auto schema = document.find("schema");
    return schema != document.end() && *schema == model_schema;
  }

  // Reads a rule before the document is whole, if the symbols that it may name are there. A file of millions of rules
  // as nlohmann's values would take a kilobyte for each.
  bool read_early(const Json& document, const Json& element) {
    const Path here;
    if (!symbols_read_) {
      constexpr std::array<const char*, 4> lists{"controls", "stacks", "actions", "locks"};
      if (!is_model(document) || !std::ranges::all_of(lists, [&](const char* key) { return document.contains(key); }))
        return false;
      symbols(document, here);
    }
    rule(element, here.of("rules"));
    return true;
  }

  void symbols(const Json& document, const Path& here) {
    symbols_read_ = true;
    const auto list = [&](const char* key, const auto& intern) {
      if (const Json* listed = member(document, here, key))
        each(*listed, here.of(key), [&](const Json& value, const Path& path) { symbol(value, path, intern); });
    };
    list("controls", [&](std::string_view name) { return builder_.control(name); });
    list("stacks", [&](std::string_view name) { return builder_.stack(name); });
    list("actions", [&](std::string_view name) { return builder_.action(name); });
    list("locks", [&](std::string_view name) { return builder_.lock(name); });
    if (document.contains("groups")) list("groups", [&](std::string_view name) { return builder_.group(name); });
  }

  void root(const Json& document) {
    const Path here;
    if (!is(document.is_object(), here, "an object")) return;
    if (!is_model(document))
      return error(here, "no model: the member 'schema' is not \"" + std::string{model_schema} + '"');
    constexpr std::array<std::string_view, 9> members{"schema", "controls", "stacks", "actions", "locks",
                                                      "groups", "initial",  "rules",  "queries"};
    check_members(document, here, members);
    if (!symbols_read_) symbols(document, here);
    if (const Json* initial = member(document, here, "initial"))
      if (const auto found = head(*initial, here.of("initial"))) builder_.initial(*found);
    if (const Json* rules = member(document, here, "rules"))
      if (is(rules->is_array(), here.of("rules"), "an array"))
        for (const Json& each : *rules) rule(each, here.of("rules"));
    if (document.contains("queries"))
      each(document["queries"], here.of("queries"), [&](const Json& value, const Path& path) { query(value, path); });
  }

  // A name, or an object of a name and a label.
  template <class Intern>
  void symbol(const Json& value, const Path& path, const Intern& intern) {
    if (!is(value.is_string() || value.is_object(), path, "a name or an object")) return;
    const Json* name = value.is_string() ? &value : member(value, path, "name");
    if (name == nullptr || !is(name->is_string(), path.of("name"), "a string")) return;
    const auto key = intern(name->get_ref<const std::string&>());
    std::size_t& listed = count_of(key);
    if (key.index() < listed)
      return error(path, "the name '" + shown_name(name->get_ref<const std::string&>()) + "' is there already");
    ++listed;
    if (value.is_string()) return;
    constexpr std::array<std::string_view, 2> members{"name", "label"};
    check_members(value, path, members);
    const auto label = value.find("label");
    if (label == value.end() || !is(label->is_string(), path.of("label"), "a string")) return;
    builder_.label(key, label->get<std::string>());
  }

  // How many symbols of the kind were listed; a name that is listed again gets a number below.
  std::size_t& count_of(ControlState) { return counts_[0]; }
  std::size_t& count_of(StackSymbol) { return counts_[1]; }
  std::size_t& count_of(Action) { return counts_[2]; }
  std::size_t& count_of(Lock) { return counts_[3]; }
  std::size_t& count_of(Group) { return counts_[4]; }
  template <class Key>
  std::optional<Key> known(const Json& value, const Path& path, const Vocabulary<Key>& vocabulary, const char* kind) {
    if (!is(value.is_string(), path, "a name")) return std::nullopt;
    const auto& name = value.get_ref<const std::string&>();
    const auto key = vocabulary.find(name);
    if (key) return key;
    Suggestion suggestion{name};
    for (Key candidate : vocabulary.keys()) suggestion.consider(vocabulary.name(candidate));
    std::string hint = suggestion.hint();
    if (std::is_same_v<Key, Group> && vocabulary.size() == 0) hint = "the list \"groups\" must come before the rules";
    error(path, std::string{"unknown "} + kind + " '" + shown_name(name) + "'", std::move(hint));
    return std::nullopt;
  }
  std::optional<ControlState> control(const Json& value, const Path& path) {
    return known(value, path, builder_.symbols().controls, "control state");
  }
  std::optional<StackSymbol> stack(const Json& value, const Path& path) {
    return known(value, path, builder_.symbols().stacks, "stack symbol");
  }
  std::optional<Action> action(const Json& value, const Path& path) {
    return known(value, path, builder_.symbols().actions, "action");
  }

  // [control state, stack symbol]
  std::optional<Head> head(const Json& value, const Path& path) {
    if (!is(value.is_array() && value.size() == 2, path, "an array of a control state and a stack symbol"))
      return std::nullopt;
    const auto at = control(value[0], path.at(0));
    const auto top = stack(value[1], path.at(1));
    return at && top ? std::optional{Head{*at, *top}} : std::nullopt;
  }

  // The value of a member, read by `read`; nothing if it is absent or wrong.
  template <class Read>
  auto part(const Json& object, const Path& path, const char* key, const Read& read) {
    const Json* value = member(object, path, key);
    using Result = decltype(read(object, path));
    return value == nullptr ? Result{} : read(*value, path.of(key));
  }

  std::optional<Group> group(const Json& value, const Path& path) {
    return known(value, path, builder_.symbols().groups, "group");
  }
  // The groups in a list; nothing if one of them is wrong.
  std::optional<std::vector<Group>> groups(const Json& value, const Path& path) {
    std::vector<Group> found;
    each(value, path, [&](const Json& v, const Path& p) {
      if (const auto key = group(v, p)) found.push_back(*key);
    });
    return value.is_array() && found.size() == value.size() ? std::optional{found} : std::nullopt;
  }
  // {"group": name, "all": true, "replace": false}, where false may be left out.
  std::optional<Membership> membership(const Json& value, const Path& path) {
    if (!is(value.is_object(), path, "an object")) return std::nullopt;
    constexpr std::array<std::string_view, 3> members{"group", "all", "replace"};
    check_members(value, path, members);
    const auto key = part(value, path, "group", [&](const Json& v, const Path& p) { return group(v, p); });
    const auto flag = [&](const char* name) {
      const auto found = value.find(name);
      return found != value.end() && is(found->is_boolean(), path.of(name), "true or false") && found->get<bool>();
    };
    const bool all = flag("all");
    const bool replace = flag("replace");
    return key ? std::optional{Membership{*key, all, replace}} : std::nullopt;
  }
  std::optional<std::vector<Membership>> memberships(const Json& rule, const Path& path) {
    std::vector<Membership> found;
    if (!rule.contains("groups")) return found;
    std::vector<Group> seen;
    const std::size_t before = errors_.size();
    each(rule["groups"], path.of("groups"), [&](const Json& v, const Path& p) {
      const auto one = membership(v, p);
      if (!one) return;
      if (std::ranges::find(seen, one->group) != seen.end())
        error(p, "the new thread is a member of this group already");
      seen.push_back(one->group);
      found.push_back(*one);
    });
    return errors_.size() == before ? std::optional{found} : std::nullopt;
  }
  std::optional<std::vector<Group>> opening(const Json& rule, const Path& path) {
    if (!rule.contains("opening")) return std::vector<Group>{};
    return groups(rule["opening"], path.of("opening"));
  }

  void rule(const Json& value, const Path& rules) {
    const Path path = rules.at(rule_count_++);
    if (!is(value.is_object(), path, "an object")) return;
    const auto read_head = [&](const Json& v, const Path& p) { return head(v, p); };
    const auto read_stack = [&](const Json& v, const Path& p) { return stack(v, p); };
    const auto kind = part(value, path, "kind", [&](const Json& v, const Path& p) {
      return is(v.is_string(), p, "a string") ? std::optional{v.get<std::string>()} : std::nullopt;
    });
    const auto from = part(value, path, "from", read_head);
    const auto by = part(value, path, "action", [&](const Json& v, const Path& p) { return action(v, p); });
    if (!kind) return;
    const auto add = [&](const std::optional<Effect>& effect, std::initializer_list<std::string_view> members) {
      std::vector<std::string_view> all{"kind", "from", "action"};
      all.insert(all.end(), members);
      check_members(value, path, all);
      if (from && by && effect) builder_.add({*from, *by, *effect});
    };
    if (*kind == "base") {
      const auto to = part(value, path, "to", read_head);
      add(to ? std::optional<Effect>{Base{*to}} : std::nullopt, {"to"});
    } else if (*kind == "return") {
      const auto to = part(value, path, "control", [&](const Json& v, const Path& p) { return control(v, p); });
      add(to ? std::optional<Effect>{Return{*to}} : std::nullopt, {"control"});
    } else if (*kind == "spawn") {
      const auto to = part(value, path, "to", read_head);
      const auto child = part(value, path, "spawn", read_head);
      auto members = memberships(value, path);
      add(to && child && members ? std::optional<Effect>{Spawn{*to, *child, std::move(*members)}} : std::nullopt,
          {"to", "spawn", "groups"});
    } else if (*kind == "join" || *kind == "forget") {
      const auto to = part(value, path, "to", read_head);
      auto named = part(value, path, "groups", [&](const Json& v, const Path& p) { return groups(v, p); });
      if (named && named->empty()) {
        error(path.of("groups"), "expected a group");
        named.reset();
      }
      std::optional<Effect> effect;
      if (to && named && *kind == "join") effect = Join{*to, std::move(*named)};
      if (to && named && *kind == "forget") effect = Forget{*to, std::move(*named)};
      add(effect, {"to", "groups"});
    } else if (*kind == "call" || *kind == "monitor") {
      const auto callee = part(value, path, "enter", read_head);
      const auto back = part(value, path, "return_to", read_stack);
      auto opened = opening(value, path);
      if (*kind == "call")
        return add(
            callee && back && opened ? std::optional<Effect>{Call{*callee, *back, std::move(*opened)}} : std::nullopt,
            {"enter", "return_to", "opening"});
      const auto lock = part(value, path, "lock", [&](const Json& v, const Path& p) {
        return known(v, p, builder_.symbols().locks, "lock");
      });
      add(callee && back && lock && opened ? std::optional<Effect>{Monitor{*callee, *back, *lock, std::move(*opened)}}
                                           : std::nullopt,
          {"lock", "enter", "return_to", "opening"});
    } else {
      constexpr std::array<std::string_view, 7> kinds{"base", "call", "return", "spawn", "monitor", "join", "forget"};
      error(path.of("kind"), "unknown kind of rule '" + shown_name(*kind) + "'", suggestion_hint(*kind, kinds));
    }
  }

  // --- queries ---

  void query(const Json& value, const Path& path) {
    if (!is(value.is_object(), path, "an object")) return;
    constexpr std::array<std::string_view, 4> members{"form", "nolocks", "steps", "expected"};
    check_members(value, path, members);
    Query query;
    if (const Json* form = member(value, path, "form")) {
      if (*form != "reach" && *form != "conflict" && *form != "iterate")
        error(path.of("form"), "expected \"reach\", \"conflict\" or \"iterate\"");
      query.form = *form == "reach" ? QueryForm::Reach : *form == "conflict" ? QueryForm::Conflict : QueryForm::Iterate;
    }
    if (const auto nolocks = value.find("nolocks"); nolocks != value.end())
      if (is(nolocks->is_boolean(), path.of("nolocks"), "true or false") && nolocks->get<bool>())
        query.semantics = Semantics::LockInsensitive;
    if (const Json* steps = member(value, path, "steps"))
      each(*steps, path.of("steps"), [&](const Json& v, const Path& p) { query.steps.push_back(step(v, p)); });
    if (query.steps.empty()) {
      error(path, "a query has at least one step");
    } else if (query.form != QueryForm::Iterate && query.steps.size() > 1) {
      error(path, "only \"iterate\" has several steps");
    } else if (query.form == QueryForm::Conflict && query.steps[0].positions.size() != 2) {
      error(path, "a conflict is between two sets of positions");
    } else if (query.form == QueryForm::Reach && query.steps[0].positions.size() != 1) {
      error(path, "\"reach\" has one set of positions; several threads are the matter of \"iterate\"");
    } else if (query.form != fitting_form(query)) {
      error(path, "only \"iterate\" has restrictions");
    }
    if (const auto expected = value.find("expected"); expected != value.end()) {
      for (const Verdict verdict : {Verdict::Reachable, Verdict::Unreachable})
        if (*expected == to_string(verdict)) query.expected = verdict;
      if (!query.expected) error(path.of("expected"), "expected \"reachable\" or \"unreachable\"");
    }
    queries_.push_back(std::move(query));
  }

  QueryStep step(const Json& value, const Path& path) {
    QueryStep step;
    if (!is(value.is_object(), path, "an object")) return step;
    constexpr std::array<std::string_view, 3> members{"positions", "avoiding", "requiring"};
    check_members(value, path, members);
    if (const Json* positions = member(value, path, "positions")) {
      each(*positions, path.of("positions"), [&](const Json& set, const Path& p) {
        std::vector<StackSymbol> symbols;
        each(set, p,
             [&](const Json& v, const Path& at) { call(v, at, builder_.symbols().stacks, "stack symbol", symbols); });
        step.positions.push_back(std::move(symbols));
      });
    }
    const auto actions = [&](const char* key, std::vector<Action>& into) {
      if (!value.contains(key)) return;
      each(value[key], path.of(key),
           [&](const Json& v, const Path& p) { call(v, p, builder_.symbols().actions, "action", into); });
    };
    actions("avoiding", step.avoiding);
    actions("requiring", step.requiring);
    if (value.contains("requiring") && value["requiring"].empty())
      error(path.of("requiring"), "expected an action: of none of them, none is done");
    return step;
  }

  // Adds what a query calls by this name.
  template <class Key>
  void call(const Json& value, const Path& path, const Vocabulary<Key>& vocabulary, const char* kind,
            std::vector<Key>& into) {
    if (!is(value.is_string(), path, "a name")) return;
    const auto& name = value.get_ref<const std::string&>();
    const std::vector<Key> called = symbols_called(vocabulary, name);
    into.insert(into.end(), called.begin(), called.end());
    if (called.empty())
      error(path, std::string{"unknown "} + kind + " '" + shown_name(name) + "'", symbol_hint(vocabulary, name));
  }

  std::string_view text_;
  std::string_view file_;
  NetworkBuilder builder_;
  std::array<std::size_t, 5> counts_{};
  std::size_t rule_count_ = 0;
  bool symbols_read_ = false;
  std::vector<Query> queries_;
  std::vector<Diagnostic> errors_;
  std::vector<Diagnostic> warnings_;
};

}  // namespace

ModelFile parse_json(std::string_view text, std::string_view file, StopToken stop) {
  return Reader{text, file}.read(stop);
}

}  // namespace lockwood::dpn
