#include "frontend/lw/translate.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "frontend/lw/graph_builder.hpp"
#include "frontend/lw/reparse.hpp"

namespace lockwood::lw {
namespace {

using program::Local;
using program::Point;
using program::Region;
using program::SourceRange;
using Value = program::Expression;  // over locals, as against an expression of the text

// The ways to leave a statement other than by its end.
enum class Way { Return, Break, Continue, Throw };
constexpr std::size_t ways = 4;

// What stands around a statement, innermost first: a loop, a handler, a region. At the outside is the procedure.
struct Surroundings {
  enum class Kind { Procedure, Loop, Handler, Monitor };
  Kind kind;
  Surroundings* outside;
  std::optional<Region> monitor;
  // Where the ways lead that end here. For a region or procedure: found out when first needed.
  std::array<std::optional<Point>, ways> ends;
};

// A step of evaluating an expression, which sets a temporary local.
struct ReadStep {
  program::Variable variable;
};
struct CallStep {
  program::ProcedureId procedure;
  std::vector<Value> arguments;
};
struct DivideStep {
  Value value;
};
struct ConditionStep {  // 1 if the condition holds, else 0: evaluated by branching
  ExpressionId condition;
};
struct Step {
  std::variant<ReadStep, CallStep, DivideStep, ConditionStep> form;
  Local target;
  TextRange range;
};

// How to compute an expression: steps in order, then a value over locals.
struct Plan {
  std::vector<Step> steps;
  Value value;
};

class ProcedureTranslation {
 public:
  ProcedureTranslation(const SyntaxTree& tree, const IdVector<NameId, Referent>& referents, const TextLines& lines,
                       program::Program& program)
      : tree_{tree}, referents_{referents}, lines_{lines}, program_{program} {}

  void run(const ProcedureDeclaration& declared) {
    id_ = std::get<program::ProcedureId>(referents_[declared.name]);
    end_ = {declared.range.end - 1, declared.range.end};
    Surroundings outermost{Surroundings::Kind::Procedure, nullptr, std::nullopt, {}};
    builder_.begin_statement();
    const Point end = builder_.add(program::Return{std::nullopt}, lines_.range(end_));
    const Point entry = block(declared.body, end, outermost);
    const auto final = std::move(builder_).finish(entry, procedure());
    for (std::size_t i = labels_.size(); i-- > 0;) {
      labels_[i].point = final[labels_[i].point];
      program_.labels.push_back(std::move(labels_[i]));
    }
  }

 private:
  [[nodiscard]] program::Procedure& procedure() { return program_.procedures[id_]; }
  [[nodiscard]] SourceRange range(TextRange range) const { return lines_.range(range); }
  Local temporary(Type type, TextRange where) { return procedure().locals.push_back({"", type, range(where)}); }

  // ---- Ways out

  // Where to go for the way from inside these surroundings. Out of a region by a Leave of its own, made once.
  Point way_out(Way way, Surroundings& from) {
    std::optional<Point>& known = from.ends[static_cast<std::size_t>(way)];
    if (known) return *known;
    if (from.kind == Surroundings::Kind::Procedure) {
      known = outside_regions([&] {
        if (way == Way::Throw) return builder_.add(program::Raise{}, range(end_));
        return builder_.add(program::Return{program::value_of(*result_)}, range(end_));
      });
    } else if (from.kind == Surroundings::Kind::Monitor) {
      const Point beyond = way_out(way, *from.outside);
      program::MonitorRegion& region = builder_.region_at(*from.monitor);
      region.exits.push_back(beyond);
      const auto saved = builder_.region();
      builder_.enter_region(from.monitor);
      known = builder_.add(program::Leave{region.exits.size() - 1}, closing_[from.monitor->index()]);
      builder_.enter_region(saved);
    } else {
      return way_out(way, *from.outside);
    }
    return *known;
  }

  template <class Make>
  Point outside_regions(Make make) {
    const auto saved = builder_.region();
    builder_.enter_region(std::nullopt);
    const Point point = make();
    builder_.enter_region(saved);
    return point;
  }

  // ---- Statements: from the point behind to the point before

  Point block(const Block& statements, Point next, Surroundings& around) {
    for (std::size_t i = statements.size(); i-- > 0;) next = statement(tree_.statements[statements[i]], next, around);
    return next;
  }

  Point statement(const Statement& statement, Point next, Surroundings& around) {
    Point entry =
        std::visit([&](const auto& form) { return translate(form, statement, next, around); }, statement.form);
    if (statement.labels.empty()) return entry;
    // These have no first step of their own: the label needs one.
    const bool own = !(std::holds_alternative<BlockStatement>(statement.form) ||
                       std::holds_alternative<TryStatement>(statement.form) ||
                       std::holds_alternative<BreakStatement>(statement.form) ||
                       std::holds_alternative<ContinueStatement>(statement.form));
    if (!own) {
      builder_.begin_statement();
      entry = builder_.add(program::Skip{entry, "skip"}, range(statement.range));
    }
    for (std::size_t i = statement.labels.size(); i-- > 0;) {
      const Name& name = tree_.names[statement.labels[i]];
      labels_.push_back({name.text, id_, entry, range(statement.range), range(name.range)});
    }
    return entry;
  }

  Point translate(const DeclareLocals& declared, const Statement&, Point next, Surroundings& around) {
    for (std::size_t i = declared.items.size(); i-- > 0;) {
      const auto& [name, initial] = declared.items[i];
      const auto local = std::get<Local>(referents_[name]);
      TextRange where = tree_.names[name].range;
      if (initial) where.end = tree_.expressions[*initial].range.end;
      builder_.begin_statement();
      next = initial ? assign_local(local, *initial, where, next, around)
                     : builder_.add(program::Assign{local, program::constant(0), next, {}}, range(where));
    }
    return next;
  }

  Point translate(const Assignment& assignment, const Statement& statement, Point next, Surroundings& around) {
    builder_.begin_statement();
    const TextRange where{statement.range.begin, statement.range.end - 1};  // without the semicolon
    const Referent& target = referents_[assignment.target];
    if (const auto* variable = std::get_if<program::Variable>(&target)) {
      const Plan plan = assignment.op ? compound(assignment, where) : plan_of(assignment.value);
      return steps(plan, builder_.add(program::Write{*variable, plan.value, next}, range(where)), around);
    }
    const auto local = std::get<Local>(target);
    if (!assignment.op) return assign_local(local, assignment.value, where, next, around);
    Plan plan = compound(assignment, where);
    return set_local(local, std::move(plan), Type::Int, where, next, around);
  }

  // The value of `target op value`.
  Plan compound(const Assignment& assignment, TextRange where) {
    Plan left;
    left.value = operand(assignment.target, tree_.names[assignment.target].range, left.steps);
    Plan right = plan_of(assignment.value);
    left.steps.insert(left.steps.end(), right.steps.begin(), right.steps.end());
    left.value = combined(*assignment.op, std::move(left.value), right.value, where, left.steps);
    return left;
  }

  Point assign_local(Local local, ExpressionId value, TextRange where, Point next, Surroundings& around) {
    return set_local(local, plan_of(value), type_of(value), where, next, around);
  }

  // A value that some last step has just computed into a temporary is computed into the local instead.
  Point set_local(Local local, Plan plan, Type type, TextRange where, Point next, Surroundings& around) {
    const Type wanted = procedure().locals[local].type;
    if (!plan.steps.empty() && plan.value == program::value_of(plan.steps.back().target) &&
        procedure().locals[plan.steps.back().target].type == wanted) {
      plan.steps.back().target = local;
      return steps(plan, next, around);
    }
    Value value = wanted == Type::Bool ? as_bool(std::move(plan.value), type) : std::move(plan.value);
    return steps(plan, builder_.add(program::Assign{local, std::move(value), next, {}}, range(where)), around);
  }

  Point translate(const CallStatement& called, const Statement& statement, Point next, Surroundings& around) {
    builder_.begin_statement();
    const auto& call = std::get<CallExpression>(tree_.expressions[called.call].form);
    Plan plan;
    std::vector<Value> values = arguments(call, plan.steps);
    const auto callee = std::get<program::ProcedureId>(referents_[call.procedure]);
    const TextRange where{statement.range.begin, statement.range.end - 1};
    const Point on_throw = way_out(Way::Throw, around);
    return steps(plan, builder_.add(program::Call{callee, std::move(values), {}, next, on_throw}, range(where)),
                 around);
  }

  Point translate(const SpawnStatement& spawned, const Statement& statement, Point next, Surroundings& around) {
    builder_.begin_statement();
    const auto& call = std::get<CallExpression>(tree_.expressions[spawned.call].form);
    Plan plan;
    std::vector<Value> values = arguments(call, plan.steps);
    const auto callee = std::get<program::ProcedureId>(referents_[call.procedure]);
    const TextRange where{statement.range.begin, statement.range.end - 1};
    program::Spawn spawn{callee, std::move(values), next, memberships(spawned.handle)};
    return steps(plan, builder_.add(std::move(spawn), range(where)), around);
  }

  // A new thread is what the handle means from now on, and one of all threads of the activation.
  std::vector<program::Membership> memberships(const std::optional<NameId>& handle) {
    std::vector<program::Membership> found;
    if (handle) found.push_back({.group = std::get<program::Group>(referents_[*handle]), .replace = true});
    if (const auto all = group_of_all()) found.push_back({.group = *all});
    return found;
  }
  std::optional<program::Group> group_of_all() {
    for (program::Group group : procedure().groups.keys())
      if (procedure().groups[group].name.empty()) return group;
    return std::nullopt;
  }

  Point translate(const DeclareThreads& declared, const Statement&, Point next, Surroundings& around) {
    for (std::size_t i = declared.items.size(); i-- > 0;) {
      const auto& [name, started] = declared.items[i];
      TextRange where = tree_.names[name].range;
      builder_.begin_statement();
      if (!started) {
        next = builder_.add(program::Forget{{std::get<program::Group>(referents_[name])}, next}, range(where));
        continue;
      }
      where.end = tree_.expressions[*started].range.end;
      const auto& call = std::get<CallExpression>(tree_.expressions[*started].form);
      Plan plan;
      std::vector<Value> values = arguments(call, plan.steps);
      const auto callee = std::get<program::ProcedureId>(referents_[call.procedure]);
      program::Spawn spawn{callee, std::move(values), next, memberships(name)};
      next = steps(plan, builder_.add(std::move(spawn), range(where)), around);
    }
    return next;
  }

  Point translate(const JoinStatement& join, const Statement& statement, Point next, Surroundings&) {
    builder_.begin_statement();
    const program::Group group = join.handle ? std::get<program::Group>(referents_[*join.handle]) : *group_of_all();
    const TextRange where{statement.range.begin, statement.range.end - 1};
    return builder_.add(program::Join{{group}, next}, range(where));
  }

  // Like a region with a lock: every way out is a Leave, which waits here.
  Point translate(const FinishStatement& finish, const Statement& statement, Point next, Surroundings& around) {
    return region(std::nullopt, finish.block, finish.header, statement, next, around);
  }

  Point translate(const PrintStatement& print, const Statement& statement, Point next, Surroundings& around) {
    builder_.begin_statement();
    Plan plan;
    std::vector<Value> values;
    for (ExpressionId value : print.values) values.push_back(planned(value, plan.steps));
    const TextRange where{statement.range.begin, statement.range.end - 1};
    return steps(plan, builder_.add(program::Print{std::move(values), next}, range(where)), around);
  }

  Point translate(const AssertStatement& assertion, const Statement& statement, Point next, Surroundings& around) {
    builder_.begin_statement();
    const Plan plan = plan_of(assertion.condition);
    const TextRange where{statement.range.begin, statement.range.end - 1};
    return steps(plan, builder_.add(program::Assert{plan.value, next}, range(where)), around);
  }

  Point translate(const SkipStatement&, const Statement& statement, Point next, Surroundings&) {
    builder_.begin_statement();
    return builder_.add(program::Skip{next, "skip"}, range(statement.range));
  }

  Point translate(const IfStatement& chosen, const Statement&, Point next, Surroundings& around) {
    Point otherwise = chosen.otherwise ? block(*chosen.otherwise, next, around) : next;
    for (std::size_t i = chosen.arms.size(); i-- > 0;) {
      const Point then = block(chosen.arms[i].block, next, around);
      builder_.begin_statement();
      otherwise = condition(chosen.arms[i].condition, then, otherwise, around);
    }
    return otherwise;
  }

  Point translate(const WhileStatement& loop, const Statement& statement, Point next, Surroundings& around) {
    const Point again = builder_.junction(range(statement.range));
    Surroundings inside{Surroundings::Kind::Loop, &around, std::nullopt, {}};
    inside.ends[static_cast<std::size_t>(Way::Break)] = next;
    inside.ends[static_cast<std::size_t>(Way::Continue)] = again;
    const Point body = block(loop.block, again, inside);
    builder_.begin_statement();
    const Point test = condition(loop.condition, body, next, around);
    builder_.connect(again, test);
    return test;
  }

  Point translate(const ChooseStatement& chosen, const Statement& statement, Point next, Surroundings& around) {
    std::vector<Point> targets(chosen.branches.size(), next);
    for (std::size_t i = chosen.branches.size(); i-- > 0;) targets[i] = block(chosen.branches[i], next, around);
    builder_.begin_statement();
    const TextRange word{statement.range.begin, statement.range.begin + 6};
    return builder_.add(program::Choose{std::move(targets)}, range(word));
  }

  Point translate(const BreakStatement&, const Statement&, Point, Surroundings& around) {
    return way_out(Way::Break, around);
  }
  Point translate(const ContinueStatement&, const Statement&, Point, Surroundings& around) {
    return way_out(Way::Continue, around);
  }
  Point translate(const ThrowStatement&, const Statement& statement, Point, Surroundings& around) {
    builder_.begin_statement();
    return builder_.add(program::Skip{way_out(Way::Throw, around), "throw"}, range(statement.range));
  }

  // Inside regions, the result waits in a local until all of them are left.
  Point translate(const ReturnStatement& ret, const Statement& statement, Point, Surroundings& around) {
    builder_.begin_statement();
    const TextRange where{statement.range.begin, statement.range.end - 1};
    Plan plan;
    Value value = program::constant(0);
    if (ret.value) {
      plan = plan_of(*ret.value);
      value = procedure().result == Type::Bool ? as_bool(plan.value, type_of(*ret.value)) : plan.value;
    }
    Point leaving{0};
    if (!builder_.region()) {
      leaving = builder_.add(program::Return{ret.value ? std::optional{std::move(value)} : std::nullopt}, range(where));
    } else {
      if (!result_) result_ = temporary(procedure().result.value_or(Type::Int), end_);
      const Point out = way_out(Way::Return, around);
      leaving = builder_.add(program::Assign{*result_, std::move(value), out, {}}, range(where));
    }
    return steps(plan, leaving, around);
  }

  Point translate(const SyncStatement& sync, const Statement& statement, Point next, Surroundings& around) {
    return region(std::get<program::Lock>(referents_[sync.lock]), sync.block, sync.header, statement, next, around);
  }

  Point region(std::optional<program::Lock> lock, const Block& statements, TextRange header, const Statement& statement,
               Point next, Surroundings& around) {
    const auto outer = builder_.region();
    const Region region = builder_.add_region({lock, next, next, {next}, outer, range(statement.range)});
    closing_.push_back(range({statement.range.end - 1, statement.range.end}));
    Surroundings inside{Surroundings::Kind::Monitor, &around, region, {}};
    builder_.begin_statement();
    builder_.enter_region(region);
    const Point leave = builder_.add(program::Leave{0}, closing_.back());
    const Point body = block(statements, leave, inside);
    builder_.enter_region(outer);
    builder_.begin_statement();
    const Point enter = builder_.add(program::Enter{region}, range(header));
    builder_.region_at(region).body = body;
    builder_.region_at(region).enter = enter;
    return enter;
  }

  Point translate(const WaitStatement& wait, const Statement& statement, Point next, Surroundings&) {
    builder_.begin_statement();
    return builder_.add(program::Wait{std::get<program::Lock>(referents_[wait.lock]), next}, range(statement.range));
  }
  Point translate(const NotifyStatement& notify, const Statement& statement, Point next, Surroundings&) {
    builder_.begin_statement();
    return builder_.add(program::Notify{std::get<program::Lock>(referents_[notify.lock]), notify.all, next},
                        range(statement.range));
  }
  Point translate(const TryStatement& attempt, const Statement&, Point next, Surroundings& around) {
    const Point handler = block(attempt.handler, next, around);
    Surroundings inside{Surroundings::Kind::Handler, &around, std::nullopt, {}};
    inside.ends[static_cast<std::size_t>(Way::Throw)] = handler;
    return block(attempt.block, next, inside);
  }
  Point translate(const BlockStatement& inner, const Statement&, Point next, Surroundings& around) {
    return block(inner.block, next, around);
  }

  // ---- Expressions

  [[nodiscard]] Type type_of(ExpressionId id) const {
    const Expression& expression = tree_.expressions[id];
    if (const auto* used = std::get_if<NameUse>(&expression.form)) {
      const auto* local = std::get_if<Local>(&referents_[used->name]);
      return local == nullptr ? Type::Int : program_.procedures[id_].locals[*local].type;
    }
    if (const auto* call = std::get_if<CallExpression>(&expression.form))
      return *program_.procedures[std::get<program::ProcedureId>(referents_[call->procedure])].result;
    if (const auto* unary = std::get_if<Unary>(&expression.form))
      return unary->op == Operator::Not ? Type::Bool : Type::Int;
    if (const auto* binary = std::get_if<Binary>(&expression.form))
      return binary->op >= Operator::Equal ? Type::Bool : Type::Int;
    return std::holds_alternative<Number>(expression.form) ? Type::Int : Type::Bool;
  }

  static Value as_bool(Value value, Type type) {
    return type == Type::Bool ? std::move(value) : program::apply(Operator::Truth, std::move(value));
  }

  // Whether evaluating it takes no step: it looks at locals only and cannot fail.
  [[nodiscard]] bool is_pure(ExpressionId id) const {
    const Expression& expression = tree_.expressions[id];
    if (const auto* used = std::get_if<NameUse>(&expression.form))
      return std::holds_alternative<Local>(referents_[used->name]);
    if (const auto* unary = std::get_if<Unary>(&expression.form)) return is_pure(unary->operand);
    if (const auto* binary = std::get_if<Binary>(&expression.form))
      return binary->op != Operator::Divide && binary->op != Operator::Remainder && is_pure(binary->left) &&
             is_pure(binary->right);
    return !std::holds_alternative<CallExpression>(expression.form) &&
           !std::holds_alternative<Anything>(expression.form);
  }

  Plan plan_of(ExpressionId id) {
    Plan plan;
    plan.value = planned(id, plan.steps);
    return plan;
  }

  // Appends the steps that the expression needs, and returns its value after them.
  Value planned(ExpressionId id, std::vector<Step>& plan) {
    const Expression& expression = tree_.expressions[id];
    if (const auto* number = std::get_if<Number>(&expression.form)) return program::constant(number->value);
    if (const auto* truth = std::get_if<Truth>(&expression.form)) return program::constant(truth->value ? 1 : 0);
    if (const auto* used = std::get_if<NameUse>(&expression.form)) return operand(used->name, expression.range, plan);
    if (std::holds_alternative<Anything>(expression.form))
      return step(ConditionStep{id}, Type::Bool, expression.range, plan);
    if (const auto* unary = std::get_if<Unary>(&expression.form))
      return program::apply(unary->op, planned(unary->operand, plan));
    if (const auto* call = std::get_if<CallExpression>(&expression.form)) {
      const auto callee = std::get<program::ProcedureId>(referents_[call->procedure]);
      std::vector<Value> values = arguments(*call, plan);
      return step(CallStep{callee, std::move(values)}, *program_.procedures[callee].result, expression.range, plan);
    }
    const auto& binary = std::get<Binary>(expression.form);
    const bool connects = binary.op == Operator::And || binary.op == Operator::Or;
    if (connects && !is_pure(id)) return step(ConditionStep{id}, Type::Bool, expression.range, plan);
    Value left = planned(binary.left, plan);
    const Value right = planned(binary.right, plan);
    return combined(binary.op, std::move(left), right, expression.range, plan);
  }

  Value operand(NameId name, TextRange where, std::vector<Step>& plan) {
    if (const auto* local = std::get_if<Local>(&referents_[name])) return program::value_of(*local);
    return step(ReadStep{std::get<program::Variable>(referents_[name])}, Type::Int, where, plan);
  }

  Value combined(Operator op, Value left, const Value& right, TextRange where, std::vector<Step>& plan) {
    Value value = program::apply(op, std::move(left), right);
    if (op != Operator::Divide && op != Operator::Remainder) return value;
    return step(DivideStep{std::move(value)}, Type::Int, where, plan);
  }

  template <class Form>
  Value step(Form form, Type type, TextRange where, std::vector<Step>& plan) {
    const Local target = temporary(type, where);
    plan.push_back({std::move(form), target, where});
    return program::value_of(target);
  }

  std::vector<Value> arguments(const CallExpression& call, std::vector<Step>& plan) {
    const auto callee = std::get<program::ProcedureId>(referents_[call.procedure]);
    std::vector<Value> values;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const bool wants_bool = program_.procedures[callee].locals[Local{i}].type == Type::Bool;
      Value value = planned(call.arguments[i], plan);
      values.push_back(wants_bool ? as_bool(std::move(value), type_of(call.arguments[i])) : std::move(value));
    }
    return values;
  }

  // Adds the steps of a plan before the point.
  Point steps(const Plan& plan, Point next, Surroundings& around) {
    for (std::size_t i = plan.steps.size(); i-- > 0;) {
      const Step& each = plan.steps[i];
      const SourceRange where = range(each.range);
      if (const auto* read = std::get_if<ReadStep>(&each.form)) {
        next = builder_.add(program::Read{read->variable, each.target, next}, where);
      } else if (const auto* call = std::get_if<CallStep>(&each.form)) {
        const Point on_throw = way_out(Way::Throw, around);
        next = builder_.add(program::Call{call->procedure, call->arguments, each.target, next, on_throw}, where);
      } else if (const auto* divide = std::get_if<DivideStep>(&each.form)) {
        const Point on_failure = way_out(Way::Throw, around);
        next = builder_.add(program::Assign{each.target, divide->value, next, on_failure}, where);
      } else {
        const Point yes = builder_.add(program::Assign{each.target, program::constant(1), next, {}}, where);
        const Point no = builder_.add(program::Assign{each.target, program::constant(0), next, {}}, where);
        next = condition(std::get<ConditionStep>(each.form).condition, yes, no, around, each.target);
      }
    }
    return next;
  }

  // Goes on at one of the points, which decides a local if there is one. What a conjunction or disjunction need not
  // look at is not evaluated.
  Point condition(ExpressionId id, Point yes, Point no, Surroundings& around, std::optional<Local> decides = {}) {
    const Expression& expression = tree_.expressions[id];
    if (std::holds_alternative<Anything>(expression.form))
      return builder_.add(program::Choose{{yes, no}}, range(expression.range));
    if (!is_pure(id)) {
      const auto* unary = std::get_if<Unary>(&expression.form);
      if (unary != nullptr && unary->op == Operator::Not) return condition(unary->operand, no, yes, around, decides);
      const auto* binary = std::get_if<Binary>(&expression.form);
      if (binary != nullptr && (binary->op == Operator::And || binary->op == Operator::Or)) {
        const Point right = condition(binary->right, yes, no, around, decides);
        return binary->op == Operator::And ? condition(binary->left, right, no, around, decides)
                                           : condition(binary->left, yes, right, around, decides);
      }
    }
    const Plan plan = plan_of(id);
    return steps(plan, builder_.add(program::Branch{plan.value, yes, no, decides}, range(expression.range)), around);
  }

  const SyntaxTree& tree_;
  const IdVector<NameId, Referent>& referents_;
  const TextLines& lines_;
  program::Program& program_;
  program::ProcedureId id_{0};
  GraphBuilder builder_;
  TextRange end_;
  std::optional<Local> result_;       // where a return value waits for regions to be left
  std::vector<SourceRange> closing_;  // by region: the end of its text
  std::vector<program::Label> labels_;
};

// Where the text went that stands behind a changed piece.
struct Shift {
  Position from;  // the end of the piece
  Position to;

  void operator()(Position& position) const {
    if (position.line == from.line) position.column += to.column - from.column;
    position.line += to.line - from.line;
  }
  void operator()(SourceRange& range) const {
    (*this)(range.begin);
    (*this)(range.end);
  }
  void operator()(program::Procedure& procedure) const {
    (*this)(procedure.range);
    for (program::LocalInfo& local : procedure.locals) (*this)(local.range);
    for (program::Node& node : procedure.points) (*this)(node.range);
    for (program::MonitorRegion& region : procedure.regions) (*this)(region.range);
    for (program::GroupInfo& group : procedure.groups) (*this)(group.range);
  }
  void operator()(program::Label& label) const {
    (*this)(label.range);
    (*this)(label.name_range);
  }
};

// What callers know of a procedure.
bool same_signature(const program::Procedure& a, const program::Procedure& b) {
  if (a.result != b.result || a.parameters != b.parameters) return false;
  for (Local local : IdRange<Local>{a.parameters})
    if (a.locals[local].type != b.locals[local].type) return false;
  return true;
}

// Whether the names outside of the rows mean what they meant.
bool same_outside(const std::vector<Referent>& a, Rows inside_a, const std::vector<Referent>& b, Rows inside_b) {
  const auto row = [](const auto& rows, std::size_t index) {
    return rows.begin() + static_cast<std::ptrdiff_t>(index);
  };
  return std::equal(a.begin(), row(a, inside_a.begin), b.begin(), row(b, inside_b.begin)) &&
         std::equal(row(a, inside_a.end), a.end(), row(b, inside_b.end), b.end());
}

}  // namespace

program::Program translate(const SyntaxTree& tree, Resolved resolved, const TextLines& lines) {
  for (const Declaration& declaration : tree.declarations)
    if (const auto* procedure = std::get_if<ProcedureDeclaration>(&declaration))
      ProcedureTranslation{tree, resolved.referents, lines, resolved.outline}.run(*procedure);
  return std::move(resolved.outline);
}

// The graph of a procedure is made of its syntax, of what its names refer to, and of what its callees take and return.
program::Program translate_again(const SyntaxTree& tree, Resolved resolved, const TextLines& lines,
                                 const Translated& earlier, std::size_t declaration) {
  program::Program& program = resolved.outline;
  const auto& changed = std::get<ProcedureDeclaration>(tree.declarations[declaration]);
  const auto& before = std::get<ProcedureDeclaration>(earlier.tree.declarations[declaration]);
  if (!same_outside(resolved.referents.rows(), names_of(tree, changed), earlier.referents.rows(),
                    names_of(earlier.tree, before)) ||
      !std::ranges::equal(program.procedures, earlier.program.procedures, same_signature))
    return translate(tree, std::move(resolved), lines);

  const auto id = std::get<program::ProcedureId>(resolved.referents[changed.name]);
  const Shift shift{earlier.program.procedures[id].range.end, program.procedures[id].range.end};
  for (program::ProcedureId other : program.procedures.keys()) {
    if (other == id) continue;
    program.procedures[other] = earlier.program.procedures[other];
    if (other > id) shift(program.procedures[other]);
  }
  const auto add_labels = [&](auto wanted, auto move) {
    for (const program::Label& label : earlier.program.labels)
      if (wanted(label.procedure)) {
        program.labels.push_back(label);
        move(program.labels.back());
      }
  };
  add_labels([&](program::ProcedureId each) { return each < id; }, [](program::Label&) {});
  ProcedureTranslation{tree, resolved.referents, lines, program}.run(changed);
  add_labels([&](program::ProcedureId each) { return each > id; }, shift);
  return std::move(resolved.outline);
}

}  // namespace lockwood::lw
