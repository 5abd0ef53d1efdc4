#include "frontend/lw/resolve.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/text/suggestion.hpp"
#include "frontend/lw/foreign.hpp"
#include "frontend/lw/max_errors.hpp"

namespace lockwood::lw {
namespace {

struct TooManyErrors {};

const char* kind_of(const Referent& referent) {
  switch (referent.index()) {
    case 1: return "a shared variable";
    case 2: return "a lock";
    case 3: return "a procedure";
    case 4: return "a local variable";
    case 5: return "a label";
    case 6: return "a thread handle";
    default: return "unknown";
  }
}

class Resolving {
 public:
  Resolving(const SyntaxTree& tree, const TextLines& lines, std::string_view text, std::string_view file)
      : tree_{tree}, lines_{lines}, text_{text}, file_{file} {
    result_.referents.resize(tree.names.size());
    result_.outline.files.push_back(std::string{file});
  }

  Resolved run() && {
    try {
      declare_globals();
      for (const Declaration& declaration : tree_.declarations)
        if (const auto* procedure = std::get_if<ProcedureDeclaration>(&declaration)) resolve_procedure(*procedure);
      find_main();
    } catch (const TooManyErrors&) {  // they are reported like fewer
    }
    if (!errors_.empty()) throw InputError{std::move(errors_)};
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::string_view text_of(NameId name) const { return tree_.names[name].text; }
  [[nodiscard]] program::SourceRange range_of(NameId name) const { return lines_.range(tree_.names[name].range); }

  void error(TextRange where, std::string message, std::string hint = {}) {
    Diagnostic diagnostic = diagnostic_at(file_, text_, where.begin, where.end - where.begin, std::move(message));
    diagnostic.hint = std::move(hint);
    errors_.push_back(std::move(diagnostic));
    if (errors_.size() >= max_errors) throw TooManyErrors{};
  }
  void error_at(NameId name, std::string message, std::string hint = {}) {
    error(tree_.names[name].range, std::move(message), std::move(hint));
  }

  // ---- Declarations

  template <class Key>
  void declare_global(NameId name, Key key) {
    result_.referents[name] = key;
    const auto [known, is_new] = globals_.try_emplace(text_of(name), name);
    if (is_new) return;
    const Position before = lines_.position(tree_.names[known->second].range.begin);
    error_at(name, "'" + std::string{text_of(name)} + "' is declared already, in line " + std::to_string(before.line));
  }

  void declare_globals() {
    program::Program& outline = result_.outline;
    for (const Declaration& declaration : tree_.declarations) {
      if (const auto* variables = std::get_if<SharedVariables>(&declaration)) {
        for (const auto& [name, initial] : variables->items)
          declare_global(
              name, outline.variables.push_back({std::string{text_of(name)}, initial.value_or(0), range_of(name)}));
      } else if (const auto* locks = std::get_if<Locks>(&declaration)) {
        for (NameId name : locks->names)
          declare_global(name, outline.locks.push_back({std::string{text_of(name)}, range_of(name)}));
      } else {
        declare_procedure(std::get<ProcedureDeclaration>(declaration));
      }
    }
  }

  void declare_procedure(const ProcedureDeclaration& declared) {
    program::Procedure procedure;
    procedure.name = text_of(declared.name);
    procedure.parameters = declared.parameters.size();
    procedure.range = lines_.range(declared.range);
    procedure.result = declared.result;
    if (!procedure.result && returns_a_value(declared.body)) procedure.result = Type::Int;
    declare_global(declared.name, result_.outline.procedures.push_back(std::move(procedure)));
  }

  [[nodiscard]] bool returns_a_value(const Block& body) const {
    std::vector<const Block*> worklist{&body};
    while (!worklist.empty()) {
      const Block& block = *worklist.back();
      worklist.pop_back();
      for (StatementId id : block) {
        const Statement& statement = tree_.statements[id];
        const auto* ret = std::get_if<ReturnStatement>(&statement.form);
        if (ret != nullptr && ret->value) return true;
        for (const Block* inner : blocks_of(statement)) worklist.push_back(inner);
      }
    }
    return false;
  }

  void find_main() {
    const auto known = globals_.find("main");
    const auto* main = known == globals_.end() ? nullptr : std::get_if<program::ProcedureId>(&referent(known->second));
    if (main == nullptr) {
      errors_.push_back(diagnostic_at(file_, text_, 0, 1, "there is no procedure 'main'"));
      errors_.back().hint = main_hint();
      return;
    }
    result_.outline.main = *main;
    if (result_.outline.procedures[*main].parameters > 0) error_at(known->second, "'main' has no parameters");
  }
  [[nodiscard]] std::string main_hint() const {
    Suggestion suggestion{"main"};
    for (const program::Procedure& procedure : result_.outline.procedures) suggestion.consider(procedure.name);
    return suggestion.nearest() ? "should '" + *suggestion.nearest() + "' be it?" : std::string{};
  }

  // ---- Names in procedures

  [[nodiscard]] const Referent& referent(NameId name) const { return result_.referents[name]; }

  // The innermost declaration of the name, if there is one.
  [[nodiscard]] std::optional<Referent> lookup(std::string_view name) const {
    const auto local = locals_.find(name);
    if (local != locals_.end() && !local->second.empty()) return local->second.back().meaning;
    const auto global = globals_.find(name);
    if (global != globals_.end()) return referent(global->second);
    return std::nullopt;
  }

  template <class Wanted>
  bool use(NameId name, const char* wanted) {
    const auto found = lookup(text_of(name));
    if (!found) {
      if (const auto foreign = foreign_word(text_of(name))) {
        error_at(name, "unknown name '" + std::string{text_of(name)} + "': expected " + wanted,
                 std::string{foreign->advice});
        return false;
      }
      Suggestion suggestion{text_of(name)};
      for (const auto& [known, locals] : locals_)
        if (!locals.empty() && (std::holds_alternative<Wanted>(locals.back().meaning) ||
                                (std::is_same_v<Wanted, program::Variable> &&
                                 std::holds_alternative<program::Local>(locals.back().meaning))))
          candidates_.push_back(known);
      for (const auto& [known, where] : globals_)
        if (std::holds_alternative<Wanted>(referent(where))) candidates_.push_back(known);
      std::ranges::sort(candidates_);  // the suggestion does not depend on the order of a hash table
      for (std::string_view candidate : candidates_) suggestion.consider(candidate);
      candidates_.clear();
      error_at(name, "unknown name '" + std::string{text_of(name)} + "': expected " + wanted, suggestion.hint());
      return false;
    }
    const bool value = std::is_same_v<Wanted, program::Variable> && std::holds_alternative<program::Local>(*found);
    if (!value && !std::holds_alternative<Wanted>(*found)) {
      error_at(name, "'" + std::string{text_of(name)} + "' is " + kind_of(*found) + ", expected " + wanted,
               hint_about_kinds<Wanted>(name, *found));
      return false;
    }
    result_.referents[name] = *found;
    return true;
  }

  // Neither a handle nor a lock is copied, stored or passed: says what to write instead.
  template <class Wanted>
  [[nodiscard]] std::string hint_about_kinds(NameId name, const Referent& found) const {
    const std::string handle{text_of(name)};
    if (std::holds_alternative<program::Group>(found))
      return "a handle is assigned by '" + handle + " = spawn f();' and waited for by 'join " + handle +
             ";', in the procedure that declares it";
    if (std::is_same_v<Wanted, program::Group>) return "declare a handle: 'thread t = spawn f();'";
    if (std::is_same_v<Wanted, program::Variable> && std::holds_alternative<program::Lock>(found))
      return "a lock has no value: it is held by 'sync (" + handle + ") { … }'";
    return {};
  }

  void declare_local(NameId name, Type type) {
    program::Procedure& procedure = result_.outline.procedures[current_];
    bind(name, procedure.locals.push_back({std::string{text_of(name)}, type, range_of(name)}));
  }
  void declare_handle(NameId name) {
    program::Procedure& procedure = result_.outline.procedures[current_];
    bind(name, procedure.groups.push_back({std::string{text_of(name)}, range_of(name)}));
  }
  void bind(NameId name, const Referent& meaning) {
    result_.referents[name] = meaning;
    const auto hidden = lookup(text_of(name));
    auto& bindings = locals_[text_of(name)];
    if (!bindings.empty() && bindings.back().scope == scopes_.size())
      error_at(name, "'" + std::string{text_of(name)} + "' is declared already in this block");
    else if (hidden)
      result_.warnings.push_back({program::WarningCode::ShadowedName, range_of(name),
                                  "'" + std::string{text_of(name)} + "' hides " + kind_of(*hidden)});
    bindings.push_back({meaning, scopes_.size()});
    scopes_.back().push_back(text_of(name));
  }

  void open_scope() { scopes_.emplace_back(); }
  void close_scope() {
    for (std::string_view name : scopes_.back()) locals_[name].pop_back();
    scopes_.pop_back();
  }

  void resolve_procedure(const ProcedureDeclaration& declared) {
    current_ = std::get<program::ProcedureId>(referent(declared.name));
    open_scope();
    for (const Parameter& parameter : declared.parameters) declare_local(parameter.name, parameter.type);
    resolve_block(declared.body);
    close_scope();
  }

  void resolve_block(const Block& block) {
    open_scope();
    for (StatementId id : block) resolve_statement(tree_.statements[id]);
    close_scope();
  }

  void resolve_statement(const Statement& statement) {
    for (NameId label : statement.labels) {
      result_.referents[label] = LabelName{};
      const auto [known, is_new] = labels_.try_emplace(text_of(label), label);
      if (is_new) continue;
      const Position before = lines_.position(tree_.names[known->second].range.begin);
      error_at(label,
               "label '" + std::string{text_of(label)} + "' is there already, in line " + std::to_string(before.line));
    }
    std::visit([&](const auto& form) { look(form, statement); }, statement.form);
  }

  void look(const DeclareLocals& declared, const Statement&) {
    for (const auto& [name, initial] : declared.items) {
      if (initial) resolve_expression(*initial);
      declare_local(name, declared.type);
    }
  }
  void look(const Assignment& assignment, const Statement&) {
    resolve_expression(assignment.value);
    use<program::Variable>(assignment.target, "a variable");
  }
  void look(const CallStatement& call, const Statement&) { resolve_call(call.call); }
  void look(const SpawnStatement& spawn, const Statement&) {
    resolve_call(spawn.call);
    if (spawn.handle) use<program::Group>(*spawn.handle, "a thread handle");
  }
  void look(const DeclareThreads& declared, const Statement&) {
    for (const auto& [name, call] : declared.items) {
      if (call) resolve_call(*call);
      declare_handle(name);
    }
  }
  // Without a handle, all threads that the activation started itself are a group, too, without a name.
  void look(const JoinStatement& join, const Statement& statement) {
    if (join.handle) {
      use<program::Group>(*join.handle, "a thread handle");
      return;
    }
    auto& groups = result_.outline.procedures[current_].groups;
    const bool there = std::ranges::any_of(groups, [](const program::GroupInfo& group) { return group.name.empty(); });
    if (!there) groups.push_back({"", lines_.range(statement.range)});
  }
  void look(const PrintStatement& print, const Statement&) {
    for (ExpressionId value : print.values) resolve_expression(value);
  }
  void look(const AssertStatement& assertion, const Statement&) { resolve_expression(assertion.condition); }
  void look(const IfStatement& chosen, const Statement&) {
    for (const auto& [condition, block] : chosen.arms) {
      resolve_expression(condition);
      resolve_block(block);
    }
    if (chosen.otherwise) resolve_block(*chosen.otherwise);
  }
  void look(const WhileStatement& loop, const Statement&) {
    resolve_expression(loop.condition);
    ++loops_;
    resolve_block(loop.block);
    --loops_;
  }
  void look(const BreakStatement&, const Statement& statement) { in_loop("break", statement); }
  void look(const ContinueStatement&, const Statement& statement) { in_loop("continue", statement); }
  void in_loop(const char* word, const Statement& statement) {
    if (loops_ == 0) error(statement.range, std::string{"'"} + word + "' outside a loop");
  }
  void look(const ReturnStatement& ret, const Statement&) {
    if (ret.value) resolve_expression(*ret.value);
  }
  void look(const SyncStatement& sync, const Statement&) {
    use<program::Lock>(sync.lock, "a lock");
    resolve_block(sync.block);
  }
  void look(const WaitStatement& wait, const Statement&) { use<program::Lock>(wait.lock, "a lock"); }
  void look(const NotifyStatement& notify, const Statement&) { use<program::Lock>(notify.lock, "a lock"); }
  template <class Other>
  void look(const Other&, const Statement& statement) {
    for (const Block* block : blocks_of(statement)) resolve_block(*block);
  }

  void resolve_expression(ExpressionId id) {
    const Expression& expression = tree_.expressions[id];
    if (const auto* used = std::get_if<NameUse>(&expression.form)) {
      use<program::Variable>(used->name, "a variable");
    } else if (const auto* unary = std::get_if<Unary>(&expression.form)) {
      resolve_expression(unary->operand);
    } else if (const auto* binary = std::get_if<Binary>(&expression.form)) {
      resolve_expression(binary->left);
      resolve_expression(binary->right);
    } else if (const auto* call = std::get_if<CallExpression>(&expression.form)) {
      if (!resolve_call(id)) return;
      const auto procedure = std::get<program::ProcedureId>(referent(call->procedure));
      if (!result_.outline.procedures[procedure].result)
        error_at(call->procedure, "procedure '" + std::string{text_of(call->procedure)} + "' returns no value");
    }
  }

  bool resolve_call(ExpressionId id) {
    const auto& call = std::get<CallExpression>(tree_.expressions[id].form);
    const bool known = use<program::ProcedureId>(call.procedure, "a procedure");
    if (!known && foreign_word(text_of(call.procedure))) return false;  // its arguments would only be more errors
    for (ExpressionId argument : call.arguments) resolve_expression(argument);
    if (!known) return false;
    const auto procedure = std::get<program::ProcedureId>(referent(call.procedure));
    const std::size_t wanted = result_.outline.procedures[procedure].parameters;
    if (wanted == call.arguments.size()) return true;
    error(tree_.expressions[id].range,
          "procedure '" + std::string{text_of(call.procedure)} + "' has " + std::to_string(wanted) +
              (wanted == 1 ? " parameter, not " : " parameters, not ") + std::to_string(call.arguments.size()));
    return false;
  }

  struct Binding {  // of the name of a local or handle
    Referent meaning;
    std::size_t scope;  // how many scopes were open
  };

  const SyntaxTree& tree_;
  const TextLines& lines_;
  std::string_view text_;
  std::string_view file_;
  Resolved result_;
  std::unordered_map<std::string_view, NameId> globals_;
  std::unordered_map<std::string_view, NameId> labels_;
  std::unordered_map<std::string_view, std::vector<Binding>> locals_;  // innermost last
  std::vector<std::vector<std::string_view>> scopes_;                  // the names that are declared in each
  std::vector<std::string_view> candidates_;
  program::ProcedureId current_{0};
  std::size_t loops_ = 0;
  std::vector<Diagnostic> errors_;
};

}  // namespace

Resolved resolve(const SyntaxTree& tree, const TextLines& lines, std::string_view text, std::string_view file) {
  return Resolving{tree, lines, text, file}.run();
}

}  // namespace lockwood::lw
