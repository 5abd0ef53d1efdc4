#include "frontend/java/library/effect_parser.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <optional>
#include <string>

#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"
#include "frontend/java/library/call_target.hpp"

namespace lockwood::java::library {
namespace {

constexpr auto effect_words = std::to_array<std::string_view>(
    {"abstract",     "call",     "exit",   "gap",        "ignores", "interrupt", "join", "lock",   "loop",
     "maybe",        "not-null", "notify", "notify-all", "nothing", "on",        "read", "return", "spawn",
     "synchronized", "throw",    "throws", "try-lock",   "unlock",  "wait",      "write"});
constexpr auto value_words =
    std::to_array<std::string_view>({"this", "null", "unknown", "current-thread", "new", "call", "class", "_"});

[[nodiscard]] bool is_reserved(std::string_view word) {
  return std::ranges::find(effect_words, word) != effect_words.end() ||
         std::ranges::find(value_words, word) != value_words.end() || (word.front() >= '0' && word.front() <= '9');
}

class EffectParser {
 public:
  EffectParser(TokenCursor& cursor, const EffectScope& scope, MethodModel& method)
      : cursor_{cursor}, scope_{scope}, library_{scope.library}, method_{method} {}

  void parse() {
    do {
      if (cursor_.at_line_end()) break;  // behind a last semicolon
      flag_or_effect(method_.effects);
    } while (cursor_.accept(";"));
    cursor_.expect_line_end();
    const auto is_not_return = [](const Effect& effect) { return !std::holds_alternative<ReturnValue>(effect.kind); };
    std::stable_partition(method_.effects.begin(), method_.effects.end(), is_not_return);
    if (method_.is_abstract && !method_.effects.empty()) cursor_.fail(first_, "an abstract method has no effects");
  }

 private:
  // Flags are of the whole method, so they are in no block.
  void flag_or_effect(Effects& out) {
    if (is_flag("nothing")) return;
    if (is_flag("not-null")) {
      method_.never_null = true;
    } else if (is_flag("abstract")) {
      method_.is_abstract = true;
    } else {
      effect(out);
    }
  }
  bool is_flag(std::string_view word) {
    const bool is_word = cursor_.at(word) && !(cursor_.peek(1).kind == TokenKind::Punctuation &&
                                               (cursor_.peek(1).text == "=" || cursor_.peek(1).text == "<-"));
    if (is_word) first_ = cursor_.next();
    return is_word;
  }

  void block(Effects& out) {
    const Token brace = cursor_.peek();
    if (++depth_ > max_effect_depth) cursor_.fail(brace, "effects are nested too deeply");
    if (cursor_.accept("{")) {
      while (!cursor_.at("}")) {
        if (cursor_.at_line_end()) cursor_.fail(brace, "this brace is not closed");
        effect(out);
        if (!cursor_.accept(";")) break;
      }
      if (cursor_.at_line_end()) cursor_.fail(brace, "this brace is not closed");
      cursor_.expect("}", "after the effects");
    } else {
      effect(out);
    }
    --depth_;
  }

  template <class T>
  void add(Effects& out, T effect) {
    out.push_back({std::move(effect)});
  }

  void effect(Effects& out) {
    const Token word = cursor_.peek();
    if (word.kind != TokenKind::Word) cursor_.fail_expected("an effect");
    const std::string_view text = word.text;
    if (std::ranges::find(effect_words, text) == effect_words.end()) return store_or_assignment(out);
    cursor_.next();
    if (text == "read" || text == "write") return access(out, text == "read");
    if (text == "call") {
      method_call(out, std::nullopt);
    } else if (text == "spawn") {
      spawn(out);
    } else if (text == "join") {
      add(out, ThreadJoin{value(out)});
    } else if (text == "wait") {
      add(out, MonitorWait{value(out)});
    } else if (text == "notify" || text == "notify-all") {
      add(out, MonitorNotify{value(out), text == "notify-all"});
    } else if (text == "interrupt") {
      add(out, ThreadInterrupt{value(out)});
    } else if (text == "lock" || text == "try-lock") {
      Value lock = value(out);
      const bool shared = cursor_.accept("shared");
      add(out, LockAcquire{std::move(lock), shared, text == "lock"});
    } else if (text == "unlock") {
      Value lock = value(out);
      add(out, LockRelease{std::move(lock), cursor_.accept("shared")});
    } else if (text == "return") {
      add(out, ReturnValue{value(out)});
    } else if (text == "throws") {
      may_throw(out);
    } else if (text == "throw") {
      add(out, ThrowValue{value(out)});
    } else if (text == "exit") {
      add(out, ProgramExit{});
    } else if (text == "ignores" || text == "gap") {
      remark(out, text == "gap" ? Remark::Kind::Gap : Remark::Kind::Ignores);
    } else {
      structured(out, word);
    }
  }

  void structured(Effects& out, const Token& word) {
    if (word.text == "loop" || word.text == "maybe") {
      Repetition repetition{word.text == "loop" ? Repetition::Kind::Loop : Repetition::Kind::Maybe, {}};
      block(repetition.body);
      add(out, std::move(repetition));
    } else if (word.text == "synchronized") {
      SynchronizedBlock region{value(out), {}};
      if (!cursor_.at("{")) cursor_.fail_expected("'{' after the monitor");
      block(region.body);
      add(out, std::move(region));
    } else if (word.text == "on") {
      const Token result = cursor_.expect_word("'true' or 'false'");
      if (result.text != "true" && result.text != "false") cursor_.fail(result, "expected 'true' or 'false'");
      OnResult on{result.text == "true", {}};
      block(on.body);
      add(out, std::move(on));
    } else {
      cursor_.fail(word, "'" + std::string{word.text} + "' is said of the whole method, not in a block");
    }
  }

  void access(Effects& out, bool is_read) {
    const bool is_volatile =
        cursor_.at("volatile") && cursor_.peek(1).kind == TokenKind::Word && cursor_.accept("volatile");
    const Token first = cursor_.peek();
    Value place = value(out, /*last_is_state=*/true);
    if (place.path.empty())
      cursor_.fail(first, "a state of an object is read or written", "write '1.contents' or '1[]'");
    const ModelField state = place.path.back();
    place.path.pop_back();
    add(out, StateAccess{is_read ? StateAccess::Kind::Read : StateAccess::Kind::Write, is_volatile, std::move(place),
                         state});
  }

  void spawn(Effects& out) {
    const Token first = cursor_.peek();
    MethodCall call = call_expression(out, std::nullopt);
    if (!call.handler.empty())
      cursor_.fail(first, "a spawned call has no handler", "call a helper '$name' that has one");
    ThreadSpawn spawned{std::move(call), {}};
    if (cursor_.accept("as")) {
      do spawned.handles.push_back(value(out));
      while (cursor_.accept(","));
    }
    add(out, std::move(spawned));
  }

  void may_throw(Effects& out) {
    MayThrow thrown{scope_.names.read_type(cursor_), MayThrow::When::Possible, std::nullopt};
    if (cursor_.accept("if")) {
      const Token condition = cursor_.expect_word("'interrupted' or 'null'");
      if (condition.text == "interrupted") {
        thrown.when = MayThrow::When::Interrupted;
      } else if (condition.text == "null") {
        thrown.when = MayThrow::When::IsNull;
        thrown.subject = value(out);
      } else {
        cursor_.fail(condition, "a condition is 'if interrupted', 'if null VALUE' or 'unless held VALUE'");
      }
    } else if (cursor_.accept("unless")) {
      cursor_.expect("held", "after 'unless'");
      thrown.when = MayThrow::When::NotHeld;
      thrown.subject = value(out);
    }
    add(out, std::move(thrown));
  }

  void remark(Effects& out, Remark::Kind kind) {
    if (cursor_.peek().kind != TokenKind::String) cursor_.fail_expected("a text in quotes");
    add(out, Remark{kind, std::string{cursor_.next().text}});
  }

  // `element <- 1`, `x = new java.util.ArrayList`.
  void store_or_assignment(Effects& out) {
    const Token first = cursor_.peek();
    if (cursor_.peek(1).text == "=") return assignment(out);
    static constexpr auto behind_a_place = std::to_array<std::string_view>({".", "[", "<-", "::"});
    if (std::ranges::find(behind_a_place, cursor_.peek(1).text) == behind_a_place.end())
      cursor_.fail(first, "unknown effect '" + shown_name(first.text) + "'", suggestion_hint(first.text, effect_words));
    Value place = value(out, /*last_is_state=*/false, /*is_target=*/true);
    cursor_.expect("<-", "after the field");
    Value stored = value(out);
    if (!place.path.empty()) {
      const ModelField field = place.path.back();
      place.path.pop_back();
      add(out, FieldStore{std::move(place), field, std::move(stored)});
    } else if (const auto* target = std::get_if<StaticValue>(&place.root)) {
      add(out, StaticStore{target->owner, target->field, std::move(stored)});
    } else {
      cursor_.fail(first, "a value is stored into a field, not into '" + shown_name(first.text) + "'");
    }
  }

  void assignment(Effects& out) {
    const Token name = cursor_.next();
    if (is_reserved(name.text)) cursor_.fail(name, "'" + shown_name(name.text) + "' cannot be assigned to");
    cursor_.next();
    if (cursor_.at("new")) {
      cursor_.next();
      allocation(out, name);
    } else if (cursor_.at("call")) {
      cursor_.next();
      method_call(out, name);
    } else {
      Value assigned = value(out);
      std::optional<TypeName> type = static_type(assigned);
      add(out, Assignment{bind(name.text, std::move(type)), std::move(assigned)});
    }
  }

  // `new T { field <- value, … }`, bound to the name, or to a new one.
  ModelLocal allocation(Effects& out, std::optional<Token> name) {
    TypeName type = scope_.names.read_type(cursor_);
    if (!type.is_reference()) cursor_.fail(cursor_.peek(), "only classes and arrays have objects");
    const ModelLocal local = name ? bind(name->text, type) : temporary(type);
    add(out, Allocation{local, std::move(type)});
    if (!cursor_.accept("{")) return local;
    while (!cursor_.at("}")) {
      const bool is_array = cursor_.accept("[");
      if (is_array) cursor_.expect("]", "after '['");
      const ModelField field =
          is_array ? library_.array_elements() : library_.intern_field(cursor_.expect_word("a field").text);
      scope_.fields.stored.push_back(field);
      cursor_.expect("<-", "after the field");
      Value stored = value(out);
      add(out, FieldStore{Value{LocalValue{local}, {}}, field, std::move(stored)});
      if (!cursor_.accept(",")) break;
    }
    cursor_.expect("}", "after the fields");
    return local;
  }

  void method_call(Effects& out, std::optional<Token> name) {
    MethodCall call = call_expression(out, name ? std::optional{name->text} : std::nullopt);
    add(out, std::move(call));
  }

  // Behind `call`: `V.name(…)`, `V.Type::name(…)` or `Type::name(…)`, then `catch e { … }`.
  MethodCall call_expression(Effects& out, std::optional<std::string_view> result_name) {
    if (++depth_ > max_effect_depth) cursor_.fail(cursor_.peek(), "calls are nested too deeply");
    MethodCall call;
    CallText text;
    if (is_type_ahead(0)) {
      text.explicit_owner = scope_.names.read_class(cursor_);
      cursor_.expect("::", "after the class");
    } else {
      call.receiver = receiver(out, text);
    }
    text.name = cursor_.expect_word("the name of a method");
    text.parameters = explicit_parameters();
    cursor_.expect("(", "before the arguments");
    std::vector<std::optional<TypeName>> types;
    while (!cursor_.at(")")) {
      call.arguments.push_back(value(out));
      types.push_back(argument_type(call.arguments.back()));
      if (!cursor_.accept(",")) break;
    }
    cursor_.expect(")", "after the arguments");
    text.is_static = !call.receiver;
    if (call.receiver) text.receiver_type = static_type(*call.receiver);
    call.method = call_target(library_, text, types, cursor_);
    if (result_name) {
      if (is_reserved(*result_name)) cursor_.fail(cursor_.peek(), "this name cannot be assigned to");
      call.result = bind(*result_name, call.method.result);
    }
    if (cursor_.accept("catch")) {
      const Token name = cursor_.expect_word("a name for what is caught");
      if (is_reserved(name.text)) cursor_.fail(name, "'" + shown_name(name.text) + "' cannot be assigned to");
      Handler handler{bind(name.text, TypeName{"Ljava/lang/Throwable;"}), {}};
      if (!cursor_.at("{")) cursor_.fail_expected("'{' after the name");
      block(handler.body);
      call.handler.push_back(std::move(handler));
    }
    --depth_;
    return call;
  }

  // The receiver, up to the dot before the name of the method; `Type::` may be between.
  Value receiver(Effects& out, CallText& text) {
    Value receiver = root(out, false);
    while (true) {
      if (cursor_.at("[")) {
        step(receiver);
        continue;
      }
      if (!cursor_.at(".")) cursor_.fail_expected("'.' before the name of the method");
      if (is_type_ahead(1)) {
        cursor_.next();
        text.explicit_owner = scope_.names.read_class(cursor_);
        cursor_.expect("::", "after the class");
        return receiver;
      }
      if (cursor_.peek(2).text == "(") {
        cursor_.next();
        return receiver;
      }
      step(receiver);
    }
  }

  // `(Object, int)` if another parenthesis follows: the parameters that choose an overloaded method.
  std::optional<std::string> explicit_parameters() {
    if (!cursor_.at("(")) return std::nullopt;
    std::size_t open = 0;
    std::size_t ahead = 0;
    do {
      const Token& token = cursor_.peek(ahead++);
      if (token.kind == TokenKind::End || token.kind == TokenKind::LineEnd) return std::nullopt;
      if (token.text == "(") ++open;
      if (token.text == ")") --open;
    } while (open > 0);
    if (cursor_.peek(ahead).text != "(") return std::nullopt;
    cursor_.next();
    std::string parameters = "(";
    while (!cursor_.at(")")) {
      parameters += scope_.names.read_type(cursor_).descriptor;
      if (!cursor_.accept(",")) break;
    }
    cursor_.expect(")", "after the parameters");
    return parameters + ")";
  }

  // A class, and `::` behind it. `this.target.Runnable::run` has fields before the class, so words between dots must be
  // a class that has a model.
  [[nodiscard]] bool is_type_ahead(std::size_t ahead) const {
    if (cursor_.peek(ahead).kind != TokenKind::Word) return false;
    if (cursor_.peek(ahead + 1).text == "::") return true;
    std::string text{cursor_.peek(ahead).text};
    while (cursor_.peek(ahead + 1).text == "." && cursor_.peek(ahead + 2).kind == TokenKind::Word) {
      ahead += 2;
      text += '.';
      text += cursor_.peek(ahead).text;
    }
    if (cursor_.peek(ahead + 1).text != "::") return false;
    const auto name = scope_.names.resolve(text).name;
    return name && scope_.names.is_declared(*name);
  }

  Value value(Effects& out, bool last_is_state = false, bool is_target = false) {
    Value value = root(out, last_is_state, is_target);
    while (cursor_.at(".") || cursor_.at("[")) step(value, last_is_state, is_target);
    return value;
  }

  void step(Value& value, bool last_is_state = false, bool is_target = false) {
    if (cursor_.accept("[")) {
      cursor_.expect("]", "after '['");
      value.path.push_back(library_.array_elements());
      return;
    }
    cursor_.expect(".", "before a field");
    const Token name = cursor_.expect_word("a field");
    value.path.push_back(use_field(name, last_is_state, is_target));
  }

  ModelField use_field(const Token& name, bool last_is_state, bool is_target) {
    const ModelField field = library_.intern_field(name.text);
    const bool is_last = !cursor_.at(".") && !cursor_.at("[");
    if (is_last && is_target) {
      scope_.fields.stored.push_back(field);
    } else {
      scope_.fields.uses.push_back({field, is_last && last_is_state, name.offset});
    }
    return field;
  }

  Value root(Effects& out, bool last_is_state, bool is_target = false) {
    const Token word = cursor_.expect_word("a value");
    if (word.text == "this") {
      if (method_.is_static) cursor_.fail(word, "a static method has no 'this'");
      return {This{}, {}};
    }
    if (word.text == "null") return {NullValue{}, {}};
    if (word.text == "_") return {PrimitiveValue{}, {}};
    if (word.text == "current-thread") return {CurrentThread{}, {}};
    if (word.text == "class") return {ClassObject{scope_.names.read_class(cursor_)}, {}};
    if (word.text == "unknown") return {UnknownValue{unknown_type()}, {}};
    if (word.text == "new") return {LocalValue{allocation(out, std::nullopt)}, {}};
    if (word.text == "call") return call_value(out);
    if (word.text.front() >= '0' && word.text.front() <= '9') return {argument(word), {}};
    if (std::ranges::find(effect_words, word.text) != effect_words.end())
      cursor_.fail(word, "'" + std::string{word.text} + "' is an effect and no name of a value");
    if (const auto local = find_local(word.text)) return {LocalValue{*local}, {}};
    cursor_.jump(cursor_.index() - 1);
    if (is_type_ahead(0)) return static_field(is_target);
    cursor_.next();
    if (method_.is_static)
      cursor_.fail(word, "no value is named '" + shown_name(word.text) + "' here",
                   suggestion_hint(word.text, method_.locals.rows()));
    return {This{}, {use_field(word, last_is_state, is_target)}};
  }

  Value static_field(bool is_target) {
    std::string owner = scope_.names.read_class(cursor_);
    cursor_.expect("::", "after the class");
    const Token name = cursor_.expect_word("a static field");
    const ModelField field = library_.intern_field(name.text);
    if (is_target && !cursor_.at(".") && !cursor_.at("[")) {
      scope_.fields.stored.push_back(field);
    } else {
      scope_.fields.uses.push_back({field, false, name.offset});
    }
    return {StaticValue{std::move(owner), field}, {}};
  }

  std::optional<TypeName> unknown_type() {
    static constexpr auto follows = std::to_array<std::string_view>({"as", "catch", "shared", "if", "unless"});
    if (!cursor_.at_word() || std::ranges::find(follows, cursor_.peek().text) != follows.end()) return std::nullopt;
    return scope_.names.read_type(cursor_);
  }

  Value call_value(Effects& out) {
    MethodCall call = call_expression(out, std::nullopt);
    const ModelLocal local = temporary(call.method.result);
    call.result = local;
    add(out, std::move(call));
    return {LocalValue{local}, {}};
  }

  Argument argument(const Token& word) {
    std::uint32_t number = 0;
    const char* end = word.text.data() + word.text.size();
    const auto [rest, error] = std::from_chars(word.text.data(), end, number);
    if (error != std::errc{} || rest != end || number == 0 || number > method_.parameters.size())
      cursor_.fail(word, "the method has " + std::to_string(method_.parameters.size()) + " parameters, counted from 1");
    return {number};
  }

  // ---- Locals ----
  [[nodiscard]] std::optional<ModelLocal> find_local(std::string_view name) const {
    for (ModelLocal local : method_.locals.keys())
      if (method_.locals[local] == name) return local;
    return std::nullopt;
  }
  ModelLocal bind(std::string_view name, std::optional<TypeName> type) {
    if (const auto known = find_local(name)) {
      // Two types for one name: only what both are is known.
      if (types_[*known] != type) types_[*known] = std::nullopt;
      return *known;
    }
    types_.push_back(std::move(type));
    return method_.locals.push_back(std::string{name});
  }
  ModelLocal temporary(std::optional<TypeName> type) {
    std::string name;
    do name = "t" + std::to_string(++temporaries_);
    while (find_local(name));
    return bind(name, std::move(type));
  }

  // ---- Static types, as far as they are known ----
  [[nodiscard]] std::optional<TypeName> argument_type(const Value& value) const {
    if (std::holds_alternative<PrimitiveValue>(value.root)) return TypeName{"I"};
    return static_type(value);
  }
  [[nodiscard]] std::optional<TypeName> static_type(const Value& value) const {
    std::optional<TypeName> type = root_type(value.root);
    for (ModelField field : value.path) {
      if (!type) return std::nullopt;
      if (field == library_.array_elements()) {
        if (!type->descriptor.starts_with('[')) return std::nullopt;
        type->descriptor.erase(0, 1);
        continue;
      }
      const auto owner = type->is_reference() ? library_.find(type->internal_name()) : std::nullopt;
      type = owner ? library_.field_type(*owner, field) : std::nullopt;
    }
    return type;
  }
  [[nodiscard]] std::optional<TypeName> root_type(const ValueRoot& root) const {
    if (std::holds_alternative<This>(root)) return TypeName{"L" + std::string{library_.name(scope_.owner)} + ";"};
    if (const auto* argument = std::get_if<Argument>(&root)) return method_.parameters[argument->number - 1];
    if (const auto* local = std::get_if<LocalValue>(&root)) return types_[local->local];
    if (const auto* unknown = std::get_if<UnknownValue>(&root)) return unknown->type ? unknown->type : method_.result;
    if (std::holds_alternative<CurrentThread>(root)) return TypeName{"Ljava/lang/Thread;"};
    if (std::holds_alternative<ClassObject>(root)) return TypeName{"Ljava/lang/Class;"};
    return std::nullopt;
  }

  TokenCursor& cursor_;
  const EffectScope& scope_;
  Library& library_;
  MethodModel& method_;
  Token first_ = cursor_.peek();
  IdVector<ModelLocal, std::optional<TypeName>> types_;
  std::size_t depth_ = 0;
  std::size_t temporaries_ = 0;
};

}  // namespace

void read_effects(TokenCursor& cursor, const EffectScope& scope, MethodModel& method) {
  EffectParser{cursor, scope, method}.parse();
}

}  // namespace lockwood::java::library
