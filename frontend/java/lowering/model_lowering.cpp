#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "frontend/java/lowering/carried_values.hpp"
#include "frontend/java/lowering/library_values.hpp"
#include "frontend/java/lowering/lowering_context.hpp"
#include "jvm/classfile/descriptor.hpp"

// Models of library methods become part of the code that calls them: what they access is then told at the call.
namespace lockwood::java {
namespace {

using program::Expression;
using program::Point;

constexpr std::size_t max_depth = 12;  // of models in models: deeper ones become procedures

// One copy of a method without code, written into the graph of its caller.
class ModelLowering {
 public:
  ModelLowering(LoweringContext& context, Graph& graph, const CallRequest& request, const ExceptionTargets& targets,
                const RootPlace& root, std::size_t depth)
      : context_{context},
        graph_{graph},
        request_{request},
        copy_{request.callee},
        procedure_{context.flow.procedure(request.callee)},
        targets_{targets},
        root_{root},
        depth_{depth} {}

  Point lower(Point next) {
    if (!context_.follows_values()) return lower_all(next);
    values_.emplace(context_, graph_, copy_, request_.passed.value);
    const bool is_boolean = request_.result_kind == Tracked::Boolean;
    return values_->begin(lower_all(values_->finish(request_.result, is_boolean, next)));
  }

 private:
  Point lower_all(Point next) {
    end_ = next;
    if (const auto* origin = std::get_if<ModelOrigin>(&procedure_.origin)) return lower_model_of(*origin->model, next);
    if (std::holds_alternative<UnmodelledOrigin>(procedure_.origin))
      context_.assume(AssumptionKind::AssumedLibrary, "", "the library method " + context_.universe.name(procedure_),
                      root_.place);
    if (values_ && std::holds_alternative<LambdaOrigin>(procedure_.origin))
      return set_unknown_result(lower_lambda(next));
    const Point after = set_unknown_result(next);
    if (std::holds_alternative<LambdaOrigin>(procedure_.origin)) return lower_lambda(after);
    return lower_callbacks(after);
  }

  // ---- values

  // Whether the local is an isolated object.
  [[nodiscard]] IsolatedFlags isolated(std::optional<Local> local) const {
    if (!local) return {};
    for (std::size_t i = 0; i < procedure_.parameters.size(); ++i)
      if (procedure_.parameters[i] == local && i < request_.passed.isolated.size()) return request_.passed.isolated[i];
    if (!context_.cells.may_be_isolated(context_.flow.objects(copy_, *local))) return {};
    return IsolatedFlags::unknown();
  }
  Point set_unknown_result(Point next) {
    if (!request_.result || request_.result_kind == Tracked::Value) return next;
    Expression value = graph_.unknown();
    if (request_.result_kind == Tracked::Isolated && procedure_.result &&
        !context_.cells.may_be_isolated(context_.flow.objects(copy_, *procedure_.result)))
      value = program::constant(0);
    const bool is_guess = value == graph_.unknown();
    const Point set = graph_.add(program::Assign{*request_.result, std::move(value), next, {}});
    if (is_guess) graph_.procedure().points[set].guess = library_guess();
    return set;
  }
  [[nodiscard]] std::optional<Local> event_object(const library::Effect& effect) const {
    for (const ModelEvent& event : procedure_.events)
      if (event.effect == &effect) return event.object;
    return std::nullopt;
  }
  [[nodiscard]] const ObjectSet& objects_of(const std::optional<Local>& local) const {
    static const ObjectSet none;
    return local ? context_.flow.objects(copy_, *local) : none;
  }

  // ---- calls

  Point call(const CallEdge& edge, const Call& made, std::optional<program::Local> result, Point next,
             const ExceptionTargets& targets) {
    PassedValues passed;
    for (const auto& argument : made.arguments) passed.isolated.push_back(isolated(argument));
    passed.isolated.resize(std::max(passed.isolated.size(), context_.flow.procedure(edge.callee).parameters.size()),
                           IsolatedFlags::unknown());
    passed.boolean.assign(passed.isolated.size(), graph_.unknown());
    if (values_) return call_with_values(edge, made, std::move(passed), result, next, targets);
    const auto kind = result ? request_.result_kind : std::nullopt;
    return lower_call(context_, graph_, {edge.callee, std::move(passed), result, kind}, next, targets, root_,
                      depth_ + 1);
  }
  Point call_with_values(const CallEdge& edge, const Call& made, PassedValues passed,
                         std::optional<program::Local> result, Point next, const ExceptionTargets& targets) {
    for (std::size_t i = 0; i < context_.flow.procedure(edge.callee).parameters.size(); ++i)
      passed.value.push_back(values_->argument(made, i));
    if (result)
      return lower_call(context_, graph_, {edge.callee, std::move(passed), result, request_.result_kind}, next, targets,
                        root_, depth_ + 1);
    const program::Local own = values_->result_local();
    return lower_call(context_, graph_, {edge.callee, std::move(passed), own, Tracked::Value},
                      values_->take_result(made, own, next), targets, root_, depth_ + 1);
  }
  Point calls(CallId id, std::optional<program::Local> result, Point next, const ExceptionTargets& targets,
              bool may_skip) {
    std::vector<Point> ways;
    for (const CallEdge& edge : context_.flow.callees(copy_, id))
      ways.push_back(call(edge, procedure_.calls[id], result, next, targets));
    const bool one = ways.size() <= 1;
    if (may_skip || ways.empty()) ways.push_back(next);
    return graph_.choose(std::move(ways), one ? std::nullopt : std::optional{library_guess()});
  }

  // The handle of a lambda is called with what was captured.
  Point lower_lambda(Point next) {
    for (CallId id : procedure_.calls.keys()) {
      next = calls(id, values_ ? request_.result : std::nullopt, next, targets_, false);
      for (const Statement& statement : procedure_.statements)
        if (const auto* use = std::get_if<InitialiseClass>(&statement))
          next = lower_trigger(context_, graph_, use->type, std::nullopt, next);
    }
    return next;
  }
  // Any of the methods that are given, any number of times; then what is declared may be thrown.
  Point lower_callbacks(Point next) {
    const Point head = graph_.declare();
    std::vector<Point> ways{next};
    for (CallId id : procedure_.calls.keys())
      for (const CallEdge& edge : context_.flow.callees(copy_, id))
        ways.push_back(call(edge, procedure_.calls[id], std::nullopt, head, targets_));
    for (std::size_t i = 1; i < ways.size(); ++i) ways[i] = graph_.guessed(ways[i], library_guess(), "call back");
    for (program::ExceptionClass thrown : context_.exceptions.of(context_.facts.exceptions.thrown(copy_)))
      ways.push_back(graph_.guessed(targets_(thrown), library_guess(), "throw"));
    graph_.define(head, decided(std::move(ways)));
    return head;
  }
  std::uint32_t library_guess() {
    return context_.guess("what the library method " + context_.universe.name(procedure_) + " does");
  }

  // ---- effects of a model

  Point lower_model_of(const library::MethodModel& model, Point next) {
    const auto body = [&](Point after, ExceptionTargets targets) {  // a copy: it may be our own
      const ExceptionTargets outer = std::exchange(targets_, std::move(targets));
      const Point outer_end = std::exchange(end_, after);
      const Point entry = effects(model.effects, after);
      targets_ = outer;
      end_ = outer_end;
      return entry;
    };
    const bool returns = std::ranges::any_of(model.effects, [](const library::Effect& effect) {
      return std::holds_alternative<library::ReturnValue>(effect.kind);
    });
    Point entry = next;
    if (model.is_synchronized) {
      const Local self = procedure_.is_static ? Local{0} : procedure_.parameters.front().value();
      auto choices =
          procedure_.is_static
              ? std::vector<program::LockChoice>{{std::nullopt, {}}}
              : context_.locks.choices({.objects = context_.flow.objects(copy_, self), .isolated = isolated(self)});
      const ExceptionTargets outside = targets_;  // the body changes it meanwhile
      entry = lower_region(context_, graph_, std::move(choices), body, next, outside);
    } else {
      entry = body(next, targets_);
    }
    // A boolean result is known first: effects may depend on it.
    return returns && request_.result_kind == Tracked::Isolated ? entry : set_unknown_result(entry);
  }
  Point effects(const library::Effects& list, Point next) {
    for (std::size_t i = list.size(); i-- > 0;) next = lower_effect(list[i], next);
    return next;
  }
  Point lower_effect(const library::Effect& effect, Point next) {
    return std::visit([&](const auto& kind) { return lower_kind(effect, kind, next); }, effect.kind);
  }
  template <class Other>
  Point lower_kind(const library::Effect& /*effect*/, const Other& /*moves references only*/, Point next) {
    return next;
  }
  Point lower_kind(const library::Effect& effect, const library::StateAccess& access, Point next) {
    if (context_.options.accesses == ModelledAccesses::Racing && (access.is_volatile || !root_.reported)) return next;
    const auto object = event_object(effect);
    if (!object) return next;
    const FieldKey field = context_.universe.named_field(context_.universe.models().name(access.state));
    const bool writes = access.kind == library::StateAccess::Kind::Write;
    if (values_)
      return writes ? values_->write_state(objects_of(object), field, next)
                    : values_->read_state(objects_of(object), field, next);
    return lower_access(context_, graph_, context_.cells.fields(objects_of(object), field), writes,
                        static_cast<std::uint32_t>(graph_.location().statement), isolated(object), next);
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::MethodCall& written, Point next) {
    const auto id = call_of(written);
    if (!id) return next;  // of null
    std::optional<Point> handler;
    ExceptionTargets targets = targets_;
    if (!written.handler.empty()) {
      handler = effects(written.handler.front().body, next);
      targets = [handler](program::ExceptionClass) { return *handler; };
    }
    // What was loaded may be null: then nothing is called.
    const bool may_skip = written.receiver && !written.receiver->path.empty();
    return calls(*id, std::nullopt, next, targets, may_skip);
  }
  [[nodiscard]] std::optional<CallId> call_of(const library::MethodCall& written) const {
    for (CallId id : procedure_.calls.keys())
      if (procedure_.calls[id].written == &written) return id;
    return std::nullopt;
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::ThreadSpawn& spawn, Point next) {
    const auto id = call_of(spawn.call);
    if (!id) return next;
    std::vector<Point> ways;
    for (const CallEdge& edge : context_.flow.callees(copy_, *id)) {
      const program::ProcedureId started = context_.procedure_of(edge.callee);
      PassedValues passed;
      for (const auto& argument : procedure_.calls[*id].arguments) passed.isolated.push_back(isolated(argument));
      std::vector<Expression> arguments;
      if (values_)
        for (std::size_t i = 0; i < context_.flow.procedure(edge.callee).parameters.size(); ++i)
          passed.value.push_back(values_->argument(procedure_.calls[*id], i));
      // The parameter for what decides gets nothing here: who adds what decides sets it.
      for (const Signature::Parameter& parameter : context_.signature(edge.callee).parameters)
        arguments.push_back(argument_for(graph_, parameter, passed));
      ways.push_back(graph_.add(program::Spawn{started, std::move(arguments), next, memberships(edge)}));
    }
    if (ways.empty()) return next;
    return graph_.choose(std::move(ways));
  }

  // ---- threads

  // The groups that the new thread belongs to: of joins in this activation that wait for it.
  std::vector<program::Membership> memberships(const CallEdge& edge) {
    std::vector<program::Membership> found;
    if (!root_.place || root_.groups == nullptr) return found;
    const ThreadFacts& threads = context_.facts.threads;
    for (std::size_t i = 0; i < threads.joins.size(); ++i) {
      const JoinMatch& match = threads.joins[i];
      if (is_usable(context_, match) && match.start == *root_.place && threads.threads[match.thread].spawn == edge)
        found.push_back({join_group(graph_, *root_.groups, i), match.kind != JoinMatch::Kind::AllElements, false});
    }
    return found;
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::ThreadJoin& /*join*/, Point next) {
    std::vector<program::Group> groups;
    bool matched = false;
    if (root_.place && root_.groups != nullptr)
      for (std::size_t i = 0; i < context_.facts.threads.joins.size(); ++i) {
        const JoinMatch& match = context_.facts.threads.joins[i];
        if (!is_usable(context_, match) || match.join != *root_.place) continue;
        matched = true;  // where the loop ends, if it is in one
        if (match.kind != JoinMatch::Kind::AllElements) groups.push_back(join_group(graph_, *root_.groups, i));
      }
    if (!groups.empty()) return graph_.add(program::Join{std::move(groups), next});
    if (matched) return next;
    assume_here(AssumptionKind::MoreSchedules,
                "a join waits for nobody, since it is not known which start it belongs to");
    return next;
  }
  void assume_here(AssumptionKind kind, const std::string& text) {
    std::string place;
    if (root_.place)
      place = context_.universe.place(context_.flow.procedure(root_.place->copy), root_.place->instruction);
    context_.assume(kind, place, text, root_.place);
  }

  // ---- locks

  Point lower_kind(const library::Effect& effect, const library::MonitorWait& wait, Point next) {
    const auto object = event_object(effect);
    const LockKind kind = wait.monitor.path.empty() ? LockKind::Monitor : LockKind::Lock;
    // By whatever name regions around it take the lock, also in callers: it is given back.
    std::vector<program::Lock> locks = context_.locks.names(objects_of(object), kind);
    bool surely = true;
    objects_of(object).for_each([&](ObjectId each) { surely = surely && context_.cells.is_unique(each); });
    // In the innermost region of the same object: that is left, and entered again.
    if (root_.own_region && root_.own_object && root_.own_object == root_.receiver &&
        graph_.region() == root_.own_region) {
      const program::MonitorRegion& region = graph_.procedure().regions[*root_.own_region];
      if (region.lock) locks.push_back(*region.lock);
      for (const program::LockChoice& choice : region.choices)
        if (choice.lock) locks.push_back(*choice.lock);
      surely = true;
    }
    std::ranges::sort(locks);
    const auto rest = std::unique(locks.begin(), locks.end());
    locks.erase(rest, locks.end());
    std::vector<Point> ways;
    for (program::Lock lock : locks) ways.push_back(graph_.add(program::Wait{lock, next}));
    if (ways.empty() || !surely) ways.push_back(next);
    return graph_.choose(std::move(ways));
  }
  Point lower_kind(const library::Effect& effect, const library::SynchronizedBlock& block, Point next) {
    const auto object = event_object(effect);
    const Point end = end_;
    const ExceptionTargets outside = targets_;  // the body changes it meanwhile
    return lower_region(
        context_, graph_, context_.locks.choices({.objects = objects_of(object), .isolated = isolated(object)}),
        [&](Point leave, const ExceptionTargets& targets) {
          const ExceptionTargets outer = std::exchange(targets_, targets);
          end_ = leave;
          const Point entry = effects(block.body, leave);
          targets_ = outer;
          end_ = end;
          return entry;
        },
        next, outside);
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::LockAcquire& lock, Point next) {
    assume_here(AssumptionKind::MoreSchedules, lock.is_shared ? "a read lock does not exclude anybody"
                                                              : "a lock is ignored: it is not taken and given back in "
                                                                "one method, in the order of nested regions");
    return next;
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::Remark& remark, Point next) {
    assume_here(remark.kind == library::Remark::Kind::Gap ? AssumptionKind::Gap : AssumptionKind::MoreSchedules,
                remark.text + " is not looked at");
    return next;
  }

  // ---- control

  // What comes in decides.
  Point decided(std::vector<Point> targets, std::optional<std::uint32_t> guess = {}) {
    const Expression value = values_ ? values_->all() : graph_.unknown();
    return decide(context_, graph_, value, std::move(targets), guess);
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::ReturnValue& returned, Point next) {
    if (request_.result && request_.result_kind == Tracked::Isolated)
      return graph_.add(program::Assign{*request_.result, isolated_value(returned.value), next, {}});
    return next;
  }
  Expression isolated_value(const library::Value& value) {
    IsolatedFlags flags = IsolatedFlags::unknown();
    if (procedure_.result && !context_.cells.may_be_isolated(objects_of(procedure_.result))) flags = {};
    if (value.path.empty()) {
      if (std::holds_alternative<library::This>(value.root) && !procedure_.is_static)
        flags = isolated(procedure_.parameters.front());
      if (const auto* argument = std::get_if<library::Argument>(&value.root)) {
        const std::size_t index = argument->number - (procedure_.is_static ? 1 : 0);
        if (index < procedure_.parameters.size()) flags = isolated(procedure_.parameters[index]);
      }
    }
    if (!flags.known) return graph_.unknown();
    return flags.never() ? program::constant(0) : program::value_of(flags.is.front());
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::MayThrow& may, Point next) {
    if (context_.options.exceptions == ThrownExceptions::None) return next;
    const ObjectId thrown = context_.universe.unknown(context_.universe.hierarchy().load(may.type.internal_name()));
    if (!context_.facts.exceptions.thrown(copy_).contains(thrown)) return next;
    const Point to = graph_.guessed(targets_(context_.exceptions.of(thrown)), library_guess(), "throw");
    return decided({to, next});
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::ThrowValue& /*value*/, Point next) {
    std::vector<Point> ways;
    for (program::ExceptionClass thrown : context_.exceptions.of(context_.facts.exceptions.thrown(copy_)))
      ways.push_back(targets_(thrown));
    if (ways.empty()) return next;
    return graph_.choose(std::move(ways));
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::ProgramExit& /*exit*/, Point /*next*/) {
    return graph_.declare();  // nothing goes on from here
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::Repetition& repetition, Point next) {
    if (repetition.kind == library::Repetition::Kind::Maybe)
      return decided({effects(repetition.body, next), next}, library_guess());
    const Point head = graph_.declare();
    const Point body = effects(repetition.body, head);
    graph_.define(head, decided({body, next}, library_guess()));
    return head;
  }
  Point lower_kind(const library::Effect& /*effect*/, const library::OnResult& branch, Point next) {
    const Point body = effects(branch.body, next);
    if (body == next) return next;
    if (!request_.result || request_.result_kind != Tracked::Boolean) return decided({body, next}, library_guess());
    const Expression value = program::value_of(*request_.result);
    return branch.result ? graph_.add(program::Branch{value, body, next, {}})
                         : graph_.add(program::Branch{value, next, body, {}});
  }

  LoweringContext& context_;
  Graph& graph_;
  const CallRequest& request_;
  CopyId copy_;
  const Procedure& procedure_;
  ExceptionTargets targets_;
  const RootPlace& root_;
  std::size_t depth_;
  Point end_{0};
  std::optional<LibraryValues> values_;  // if the model follows these
};

// Code, and models that are nested too deeply, perhaps without an end, are procedures of their own.
Point call_procedure(LoweringContext& context, Graph& graph, const CallRequest& request, Point next,
                     const ExceptionTargets& targets) {
  const program::ProcedureId callee = context.procedure_of(request.callee);
  const Signature& signature = context.signature(request.callee);
  std::vector<Expression> arguments;
  for (const Signature::Parameter& parameter : signature.parameters)
    arguments.push_back(argument_for(graph, parameter, request.passed));
  program::Call call{callee, std::move(arguments), {}, next, next};
  if (request.result) {
    if (signature.result == request.result_kind) {
      call.result = request.result;
    } else if (context.follows_values() && signature.result) {
      call.result = graph.new_local("", type_of(*signature.result));
      Expression made = carrying(request.result_kind == Tracked::Boolean ? graph.unknown() : program::constant(0),
                                 {program::value_of(*call.result)});
      call.next = graph.add(program::Assign{*request.result, std::move(made), next, {}});
    } else {
      call.next = graph.add(program::Assign{
          *request.result,
          request.result_kind == Tracked::Isolated && signature.result != Tracked::Isolated ? program::constant(0)
                                                                                            : graph.unknown(),
          next,
          {}});
    }
  }
  call.on_throw = call.next;
  for (program::ExceptionClass thrown : context.exceptions.of(context.facts.exceptions.thrown(request.callee))) {
    if (call.on_throw_of.size() <= thrown.index()) call.on_throw_of.resize(thrown.index() + 1, call.next);
    call.on_throw_of[thrown.index()] = targets(thrown);
  }
  return graph.add(std::move(call));
}

}  // namespace

bool is_usable(const LoweringContext& context, const JoinMatch& match) {
  return context.options.joins && match.start.copy == match.join.copy;
}

program::Group join_group(Graph& graph, std::map<std::size_t, program::Group>& groups, std::size_t match) {
  const auto known = groups.find(match);
  if (known != groups.end()) return known->second;
  const program::Group made = graph.procedure().groups.push_back({fmt::format("t{}", match + 1), {}});
  groups.emplace(match, made);
  return made;
}

Point lower_call(LoweringContext& context, Graph& graph, const CallRequest& request, Point next,
                 const ExceptionTargets& targets, const RootPlace& root, std::size_t depth) {
  const Procedure& callee = context.flow.procedure(request.callee);
  if (callee.code || depth >= max_depth) return call_procedure(context, graph, request, next, targets);
  return ModelLowering{context, graph, request, targets, root, depth}.lower(next);
}

void lower_model(LoweringContext& context, CopyId copy, program::Procedure& procedure) {
  Graph graph{procedure};
  // What it does is told where code leads to it.
  RootPlace root;
  PointLocation location{procedure.range, 1};
  if (const auto places = places_in_code(context.flow, copy); !places.empty()) {
    const Procedure& code = context.flow.procedure(places.front().copy);
    location.range = context.sources.range(code, code.code->body.instructions[places.front().instruction].line);
    root.reported = code.reported;
  }
  graph.at(location);
  procedure.range = location.range;
  const Procedure& model = context.flow.procedure(copy);
  CallRequest request{copy, {}, {}, {}};
  request.passed.isolated.resize(model.parameters.size());
  request.passed.boolean.assign(model.parameters.size(), program::constant(0));
  const Signature& signature = context.signature(copy);
  if (context.follows_values()) request.passed.isolated.assign(model.parameters.size(), IsolatedFlags::unknown());
  for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
    if (signature.parameters[i].number == control_parameter) continue;
    if (context.follows_values())
      request.passed.value.push_back(program::value_of(program::Local{i}));
    else
      request.passed.isolated[signature.parameters[i].number].is.emplace_back(i);
  }
  program::Return end;
  if (signature.result) {
    request.result = graph.new_local("result", type_of(*signature.result));
    request.result_kind = signature.result;
    end.value = program::value_of(*request.result);
  }
  const Point last = graph.add(end);
  const ExceptionTargets uncaught = [&](program::ExceptionClass thrown) { return graph.add(program::Raise{thrown}); };
  // Its own depth begins anew; what it calls in turn may come back here, as a procedure.
  procedure.entry = ModelLowering{context, graph, request, uncaught, root, 1}.lower(last);
  graph.finish();
}

void lower_copy(LoweringContext& context, CopyId copy) {
  const program::ProcedureId id = context.known_procedure(copy);
  program::Procedure made = std::move(context.program.procedures[id]);
  context.current = copy;
  if (context.flow.procedure(copy).code)
    lower_code(context, copy, made);
  else
    lower_model(context, copy, made);
  context.program.procedures[id] = std::move(made);
}

}  // namespace lockwood::java
