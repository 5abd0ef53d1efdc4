#include "base/text/json.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/model/query_form.hpp"

namespace lockwood::dpn {
namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Appends `"key": [` with an element a line and `]`; `element` gives the JSON of each.
template <class Range, class Element>
void append_list(std::string& text, std::string_view key, const Range& range, const Element& element) {
  text += "  \"" + std::string{key} + "\": [";
  const char* separator = "\n    ";
  for (const auto& item : range) {
    text += separator;
    text += line_of(element(item));
    separator = ",\n    ";
  }
  text += separator[0] == '\n' ? "]" : "\n  ]";
}

template <class Key>
void append_symbols(std::string& text, std::string_view key, const Vocabulary<Key>& vocabulary) {
  append_list(text, key, vocabulary.keys(), [&](Key symbol) {
    const auto label = vocabulary.label(symbol);
    if (!label) return Json(vocabulary.name(symbol));
    return Json{{"name", vocabulary.name(symbol)}, {"label", *label}};
  });
  text += ",\n";
}

// The JSON values of the parts of one network.
class Values {
 public:
  explicit Values(const Network& network) : network_{network} {}

  [[nodiscard]] Json head(Head head) const {
    return Json::array({network_.control_states().name(head.control), network_.stack_symbols().name(head.top)});
  }

  [[nodiscard]] Json rule(const Rule& rule) const {
    Json value{{"kind", nullptr}, {"from", head(rule.from)}, {"action", network_.actions().name(rule.action)}};
    struct Body {
      const Values& values;
      Json& value;
      void operator()(const Base& base) const {
        value["kind"] = "base";
        value["to"] = values.head(base.to);
      }
      void operator()(const Call& call) const {
        value["kind"] = "call";
        value["enter"] = values.head(call.callee);
        value["return_to"] = values.network_.stack_symbols().name(call.return_point);
        open(call.opening);
      }
      void operator()(const Return& ret) const {
        value["kind"] = "return";
        value["control"] = values.network_.control_states().name(ret.to);
      }
      void operator()(const Spawn& spawn) const {
        value["kind"] = "spawn";
        value["to"] = values.head(spawn.parent);
        value["spawn"] = values.head(spawn.child);
        if (spawn.memberships.empty()) return;
        Json& groups = value["groups"] = Json::array();
        for (const Membership& membership : spawn.memberships)
          groups.push_back({{"group", values.network_.groups().name(membership.group)},
                            {"all", membership.all},
                            {"replace", membership.replace}});
      }
      void operator()(const Monitor& monitor) const {
        value["kind"] = "monitor";
        value["lock"] = values.network_.locks().name(monitor.lock);
        value["enter"] = values.head(monitor.callee);
        value["return_to"] = values.network_.stack_symbols().name(monitor.return_point);
        open(monitor.opening);
      }
      void operator()(const Join& join) const {
        value["kind"] = "join";
        value["to"] = values.head(join.to);
        value["groups"] = names(values.network_.groups(), join.groups);
      }
      void operator()(const Forget& forget) const {
        value["kind"] = "forget";
        value["to"] = values.head(forget.to);
        value["groups"] = names(values.network_.groups(), forget.groups);
      }
      void open(const std::vector<Group>& groups) const {
        if (!groups.empty()) value["opening"] = names(values.network_.groups(), groups);
      }
    };
    std::visit(Body{*this, value}, rule.effect);
    return value;
  }

  [[nodiscard]] Json query(const Query& query) const {
    const QueryForm form = fitting_form(query);
    Json value{{"form", form == QueryForm::Reach ? "reach" : form == QueryForm::Conflict ? "conflict" : "iterate"}};
    if (query.semantics == Semantics::LockInsensitive) value["nolocks"] = true;
    value["steps"] = Json::array();
    for (const QueryStep& each : query.steps) value["steps"].push_back(step(each));
    if (query.expected) value["expected"] = to_string(*query.expected);
    return value;
  }

 private:
  [[nodiscard]] Json step(const QueryStep& step) const {
    Json value;
    value["positions"] = Json::array();
    for (const auto& set : step.positions) value["positions"].push_back(names(network_.stack_symbols(), set));
    if (!step.avoiding.empty()) value["avoiding"] = names(network_.actions(), step.avoiding);
    if (!step.requiring.empty()) value["requiring"] = names(network_.actions(), step.requiring);
    return value;
  }

  template <class Key>
  static Json names(const Vocabulary<Key>& vocabulary, const std::vector<Key>& keys) {
    Json list = Json::array();
    for (const Key key : keys) list.push_back(vocabulary.name(key));
    return list;
  }

  const Network& network_;
};

}  // namespace

std::string to_json(const Network& network, std::span<const Query> queries, StopToken stop) {
  const Values values{network};
  std::string text = "{\n  \"schema\": \"" + std::string{model_schema} + "\",\n";
  append_symbols(text, "controls", network.control_states());
  append_symbols(text, "stacks", network.stack_symbols());
  append_symbols(text, "actions", network.actions());
  append_symbols(text, "locks", network.locks());
  if (network.groups().size() > 0) append_symbols(text, "groups", network.groups());
  text += "  \"initial\": " + line_of(values.head(network.initial())) + ",\n";
  append_list(text, "rules", network.rules(), [&](const Rule& rule) {
    stop.check();
    return values.rule(rule);
  });
  text += ",\n";
  append_list(text, "queries", queries, [&](const Query& query) { return values.query(query); });
  return text + "\n}\n";
}

}  // namespace lockwood::dpn
