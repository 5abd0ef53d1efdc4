#include "frontend/cli/input/batch_query.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/text/diagnostic.hpp"
#include "base/text/suggestion.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/model/symbol_names.hpp"
#include "solver/analyses/deadlock.hpp"

namespace lockwood::frontend {
namespace {

using Json = nlohmann::json;
using Words = std::initializer_list<std::string_view>;

// Reads one query. Errors are collected; what is read after one is of no use, but may show another.
class Reader {
 public:
  Reader(const dpn::Network& network, const PlaceNames& places) : network_{network}, places_{places} {}

  void read(const Json& value, solver::BatchQuestion& question) {
    if (value.is_string()) {
      text(value, question);
    } else if (!value.is_object()) {
      error("a query is an object or a text");
    } else if (value.contains("query")) {
      check_members(value, {"id", "query"});
      text(value["query"], question);
    } else {
      formal(value, question);
    }
    if (!errors_.empty()) question.problem = fmt::format("{}", fmt::join(errors_, "; "));
  }

 private:
  void error(std::string message, const std::string& hint = {}) {
    errors_.push_back(hint.empty() ? std::move(message) : message + ", " + hint);
  }

  void check_members(const Json& object, Words known) {
    for (const auto& [key, ignored] : object.items())
      if (std::ranges::find(known, key) == known.end())
        error(fmt::format("unknown member '{}'", key), suggestion_hint(key, known));
  }

  void ask(const dpn::Query& query, solver::BatchQuestion& question) {
    if (!errors_.empty()) return;
    question.text = dpn::to_text(network_, query);
    question.problem = solver::problem_of(query);
  }

  // As in a .dpn file.
  void text(const Json& value, solver::BatchQuestion& question) {
    if (!value.is_string()) return error("the member 'query' is not a text");
    try {
      const std::string written = value.get<std::string>();
      const auto queries = dpn::parse_queries(network_, places_ ? places_(written) : written, "query");
      if (queries.size() != 1) return error("this is not one query");
      ask(queries.front(), question);
    } catch (const InputError& refused) {
      for (const Diagnostic& diagnostic : refused.diagnostics()) error(diagnostic.message, diagnostic.hint);
    }
  }

  void formal(const Json& value, solver::BatchQuestion& question) {
    const auto form = value.find("form");
    const std::string name = form != value.end() && form->is_string() ? form->get<std::string>() : "";
    if (name == "reach" || name == "conflict" || name == "iterate") {
      steps(name, value, question);
    } else if (name == "mhp") {
      pair(value, question);
    } else if (name == "deadlock") {
      cycle(value, question);
    } else if (form == value.end()) {
      error("there is neither a member 'form' nor a member 'query'");
    } else {
      constexpr std::array<std::string_view, 5> forms{"reach", "conflict", "iterate", "mhp", "deadlock"};
      error(fmt::format("the form is none of {}", fmt::join(forms, ", ")), suggestion_hint(name, forms));
    }
  }

  // As in a model in JSON; what has just one step may leave `steps` out.
  void steps(const std::string& form, const Json& value, solver::BatchQuestion& question) {
    dpn::Query query{.form = form == "reach"      ? dpn::QueryForm::Reach
                             : form == "conflict" ? dpn::QueryForm::Conflict
                                                  : dpn::QueryForm::Iterate,
                     .semantics = semantics(value)};
    if (value.contains("steps")) {
      check_members(value, {"id", "form", "nolocks", "expected", "steps"});
      for (const Json& each : elements(value["steps"], "steps")) {
        if (each.is_object()) {
          check_members(each, {"positions", "avoiding", "requiring"});
          query.steps.push_back(step(each));
        } else {
          error("a step is not an object");
        }
      }
    } else {
      check_members(value, {"id", "form", "nolocks", "expected", "positions", "avoiding", "requiring"});
      query.steps.push_back(step(value));
    }
    if (query.steps.empty()) return error("there is no step");
    const std::size_t sets = query.steps.front().positions.size();
    if (form != "iterate" && query.steps.size() > 1) error("only \"iterate\" has several steps");
    if (form == "reach" && sets != 1) error("\"reach\" has one set of positions");
    if (form == "conflict" && sets < 2) error("\"conflict\" has at least two sets of positions");
    ask(query, question);
  }

  dpn::QueryStep step(const Json& value) {
    dpn::QueryStep step;
    if (!value.contains("positions")) error("there is no member 'positions'");
    for (const Json& set : elements(value.value("positions", Json::array()), "positions"))
      step.positions.push_back(symbols(set, network_.stack_symbols(), "stack symbol"));
    step.avoiding = symbols(value.value("avoiding", Json::array()), network_.actions(), "action");
    step.requiring = symbols(value.value("requiring", Json::array()), network_.actions(), "action");
    if (value.contains("requiring") && value["requiring"].empty())
      error("'requiring' needs an action: of none of them, none is done");
    return step;
  }

  void pair(const Json& value, solver::BatchQuestion& question) {
    check_members(value, {"id", "form", "nolocks", "pair"});
    dpn::QueryStep step;
    for (const Json& name : elements(value.value("pair", Json::array()), "pair"))
      step.positions.push_back(symbols(Json::array({name}), network_.stack_symbols(), "stack symbol"));
    if (step.positions.size() != 2) return error("the member 'pair' is not two stack symbols");
    dpn::Query query{.form = dpn::QueryForm::Conflict, .semantics = semantics(value)};
    query.steps.push_back(std::move(step));
    ask(query, question);
  }

  // The locks of a deadlock in their order: each is held by a thread that wants the next one.
  void cycle(const Json& value, solver::BatchQuestion& question) {
    check_members(value, {"id", "form", "ring"});
    const auto locks = symbols(value.value("ring", Json::array()), network_.locks(), "lock");
    if (locks.size() < 2) error("the member 'ring' is not two or more locks");
    if (!errors_.empty()) return;
    std::vector<std::string_view> names;
    for (dpn::Lock lock : locks) names.push_back(network_.locks().name(lock));
    question.text = fmt::format("deadlock {{{}}}", fmt::join(names, ", "));
    question.problem = solver::cycle_problem(solver::CycleShape::of_locks(locks));
  }

  // --- values ---

  dpn::Semantics semantics(const Json& value) {
    const Json nolocks = value.value("nolocks", Json(false));
    if (!nolocks.is_boolean()) error("the member 'nolocks' is neither true nor false");
    return nolocks == true ? dpn::Semantics::LockInsensitive : dpn::Semantics::LockSensitive;
  }

  std::vector<Json> elements(const Json& value, const char* member) {
    if (value.is_array()) return value;
    error(fmt::format("the member '{}' is not an array", member));
    return {};
  }

  template <class Key>
  std::vector<Key> symbols(const Json& value, const dpn::Vocabulary<Key>& vocabulary, const char* kind) {
    std::vector<Key> keys;
    if (!value.is_array()) error(fmt::format("the names of {}s are not an array", kind));
    for (const Json& name : value.is_array() ? value : Json::array()) {
      if (!name.is_string()) {
        error(fmt::format("the name of a {} is not a text", kind));
        continue;
      }
      const auto& text = name.get_ref<const std::string&>();
      const std::vector<Key> called = dpn::symbols_called(vocabulary, text);
      keys.insert(keys.end(), called.begin(), called.end());
      if (called.empty()) error(fmt::format("unknown {} '{}'", kind, text), dpn::symbol_hint(vocabulary, text));
    }
    return keys;
  }

  const dpn::Network& network_;
  const PlaceNames& places_;
  std::vector<std::string> errors_;
};

}  // namespace

solver::BatchQuestion question_of(const dpn::Network& network, const WrittenQuery& query, const PlaceNames& places) {
  solver::BatchQuestion question{.id = query.id, .text = {}, .problem = std::string{}};
  if (query.flaw) {
    question.problem = *query.flaw;
  } else {
    Reader{network, places}.read(query.value, question);
  }
  return question;
}

}  // namespace lockwood::frontend
